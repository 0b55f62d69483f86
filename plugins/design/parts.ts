import { formatMoment } from "../../core/plugin.ts"
import { type Content, type Html, html } from "./html.ts"

const spans = [
  [60, 1, "s"],
  [3600, 60, "min"],
  [172_800, 3600, "h"],
  [Infinity, 86_400, "days"],
] as const

/** Formats a number of seconds: `45 s`, `12 min`, `30 h`, `9 days`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [, unit, name] = spans.find(([most]) => whole < most) ?? spans[3]
  return `${Math.round(whole / unit)} ${name}`
}

/** Shows a time relative to `now`, with the exact time; `never` for null. */
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

/** Shows a past time in full, with how long ago it was; `never` for null. */
export function moment(seconds: number | null | undefined, now: number): Html {
  if (seconds === null || seconds === undefined) return time(seconds, now)
  const text = formatMoment(seconds).slice(0, 19).replace("T", " ")
  return html`<time>${text}</time> <span class="quiet">${time(seconds, now)}</span>`
}

/** Formats a time in UTC, such as `2027-01-31 18:00`. */
export function minute(seconds: number): string {
  return formatMoment(seconds).slice(0, 16).replace("T", " ")
}

/** Shows the beginning of an id; hovering shows the whole id, and copying copies it. */
export function shortId(id: string): Html {
  return html`<code class="short" title="${id}">${id}</code>`
}

/** Shows the beginning of an id, with a button that copies the whole id. */
export function copiedId(id: string): Html {
  return html`<code class="short" title="${id}" data-copy>${id}</code>`
}

/** Shows a path that may wrap after each slash. */
export function pathCode(path: string): Html {
  return html`<code class="path">${path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`)}</code>`
}

const idOrTime = /([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)/

/** Shows a sentence with its ids and times shortened: times on the day of `now` lose their date. */
export function prose(sentence: string, now: number): Html {
  const today = formatMoment(now).slice(0, 10)
  return html`${
    sentence.split(idOrTime).map((part, index) => {
      if (index % 2 === 0) return part
      if (!part.endsWith("Z")) return shortId(part)
      const text = part.startsWith(today) ? part.slice(11, 16) : part.slice(0, 16).replace("T", " ")
      return html`<time class="short" datetime="${part}" title="${part}">${text}</time>`
    })
  }`
}

/** Shows a number with thin spaces as thousands separators; a dash for null. */
export function number(value: number | null | undefined): Html {
  if (value === null || value === undefined) return html`<span class="quiet none">–</span>`
  return html`${String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f")}`
}

/** The severity of a state. Each has its own symbol, for readers who do not see the colour. */
export type Grade = "bad" | "warn" | "good" | "note" | "off"

const signs: Readonly<Record<Grade, string>> = {
  bad: "✕",
  warn: "!",
  good: "✓",
  note: "◐",
  off: "–",
}

/** Shows a state with its symbol and its word. */
export function state(grade: Grade, word: Content): Html {
  return html`<span class="state ${grade}"><span aria-hidden="true">${
    signs[grade]
  }</span> ${word}</span>`
}

/** A column of a table. Numbers are right-aligned. */
export interface TableColumn {
  readonly name: string
  readonly isNumber?: true
  /** The link of its name: the same table, sorted by this column. */
  readonly link?: string
  /** How the table is sorted by this column. */
  readonly sorted?: "ascending" | "descending" | false
}

/**
 * Shows a table that scrolls on its own; on phones, each row is a card. The first cell of a row is its header and the
 * title of its card.
 */
export function table(
  caption: Content,
  columns: readonly (string | TableColumn)[],
  rows: readonly (readonly Content[])[],
  empty = "None.",
): Html {
  const all: readonly TableColumn[] = columns.map((each) =>
    typeof each === "string" ? { name: each } : each
  )
  if (rows.length === 0) {
    return html`
      <div class="table">
        <p class="caption">${caption}</p>
        <p class="quiet">${empty}</p>
      </div>
    `
  }
  return html`
    <div class="table cards" tabindex="0" role="group">
      <table>
        <caption>${caption}</caption>
        <thead>
          <tr>${all.map(headOf)}</tr>
        </thead>
        <tbody>
    ${rows.map((cells) =>
      html`
        <tr>${cells.map((cell, index) => cellOf(cell, index, all[index]))}</tr>
      `
    )}</tbody>
      </table>
    </div>
  `
}

function headOf({ name, isNumber, link, sorted }: TableColumn): Html {
  const words = link === undefined ? name : html`<a href="${link}">${name}</a>`
  if (sorted) return html`<th scope="col" aria-sort="${sorted}">${words}</th>`
  return isNumber
    ? html`<th scope="col" class="number">${words}</th>`
    : html`<th scope="col">${words}</th>`
}

function cellOf(cell: Content, index: number, column: TableColumn | undefined): Html {
  if (index === 0) return html`<th scope="row">${cell}</th>`
  const name = column?.name
  return column?.isNumber
    ? html`<td class="number" data-label="${name}">${cell}</td>`
    : html`<td data-label="${name}">${cell}</td>`
}

/** Folds content that needs no attention; shows its title and count. */
export function fold(title: Content, count: number, content: Content): Html {
  return html`
    <details class="fold">
      <summary>${title} <b>${count}</b></summary>
      ${content}
    </details>
  `
}

/** Shows a folded section of a page. `about` summarizes its content. */
export function foldedSection(
  id: string,
  title: string,
  { about, content, isOpen = false, isLive = true }: {
    readonly about?: Content
    readonly content: Content
    readonly isOpen?: boolean
    readonly isLive?: boolean
  },
): Html {
  return html`
    <section id="${id}" ${isLive && html`
      data-live
    `} aria-labelledby="${id}-title">
      <details class="fold" ${isOpen && html`
        open
      `}>
        <summary><h2 id="${id}-title">${title}</h2> <span class="quiet">${about}</span></summary>
        <div>${content}</div>
      </details>
    </section>
  `
}

/** Lists names in columns. */
export function nameList(names: readonly Content[]): Html {
  return html`<ul class="names">${names.map((name) => html`<li>${name}</li>`)}</ul>`
}

/** Shows the equivalent command. */
export function command(text: string): Html {
  return html`
    <p
      class="command"><span class="quiet">The same by command:</span> <code>event-export ${text}</code></p>
  `
}

/** Quotes a text for a shell if necessary. */
export function quoted(text: string): string {
  return /^[\w.@:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
