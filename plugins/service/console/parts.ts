import { formatMoment } from "../../../core/capability.ts"
import { type Content, type Html, html } from "./html.ts"

const spans = [
  [60, 1, "s"],
  [3600, 60, "min"],
  [172_800, 3600, "h"],
  [Infinity, 86_400, "days"],
] as const

/** Words a number of seconds: `45 s`, `12 min`, `30 h`, `9 days`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [, unit, name] = spans.find(([most]) => whole < most) ?? spans[3]
  return `${Math.round(whole / unit)} ${name}`
}

/** Shows a time by its distance to `now`, with the exact time; `never` for null. */
export function time(seconds: number | null | undefined, now: number): Html {
  if (seconds === null || seconds === undefined) return html`<span class="quiet">never</span>`
  const distance = now - seconds
  const words = Math.abs(distance) < 1
    ? "now"
    : distance > 0
    ? `${duration(distance)} ago`
    : `in ${duration(-distance)}`
  const text = formatMoment(seconds)
  return html`<time datetime="${text}" title="${text}">${words}</time>`
}

/** Shows a number with a thin space between its thousands; a dash for null. */
export function number(value: number | null | undefined): Html {
  if (value === null || value === undefined) return html`<span class="quiet">–</span>`
  return html`${String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f")}`
}

/** How grave a state is. Each has a sign of its own, for those who do not see the colour. */
export type Grade = "bad" | "warn" | "good" | "off"

const signs: Readonly<Record<Grade, string>> = { bad: "✕", warn: "!", good: "✓", off: "–" }

/** Shows a state with its sign and its word. */
export function state(grade: Grade, word: Content): Html {
  return html`<span class="state ${grade}"><span aria-hidden="true">${
    signs[grade]
  }</span> ${word}</span>`
}

/** A column of a table. Numbers are aligned to the right. */
export interface Column {
  readonly name: string
  readonly isNumber?: true
}

/** Makes a table that scrolls by itself on small screens. The first cell of a row is its header. */
export function table(
  caption: Content,
  columns: readonly (string | Column)[],
  rows: readonly (readonly Content[])[],
  empty = "None.",
): Html {
  const all = columns.map((each) => typeof each === "string" ? { name: each } : each)
  const align = (index: number) =>
    all[index]?.isNumber && html`
      class="number"
    `
  if (rows.length === 0) {
    return html`
      <div class="table">
        <p class="caption">${caption}</p>
        <p class="quiet">${empty}</p>
      </div>
    `
  }
  return html`
    <div class="table" tabindex="0" role="group">
      <table>
        <caption>${caption}</caption>
        <thead>
          <tr>${all.map(({ name }, index) =>
            html`
              <th scope="col" ${align(index)}>${name}</th>
            `
          )}</tr>
        </thead>
        <tbody>
    ${rows.map((cells) =>
      html`
        <tr>${cells.map((cell, index) =>
          index === 0 ? html`<th scope="row">${cell}</th>` : html`<td${align(index)}>${cell}</td>`
        )}</tr>
      `
    )}</tbody>
      </table>
    </div>
  `
}

/** Shows the command that does the same. */
export function command(text: string): Html {
  return html`
    <p
      class="command"><span class="quiet">The same by command:</span> <code>event-export ${text}</code></p>
  `
}

/** Quotes a text for a shell, if it needs that. */
export function quoted(text: string): string {
  return /^[\w.@:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
