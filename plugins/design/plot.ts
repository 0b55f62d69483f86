import { formatMoment } from "../../core/plugin.ts"
import { type Content, type Html, html } from "./html.ts"
import { minute, number } from "./parts.ts"

/** A value at a time; null where there is none. */
export type Point = readonly [seconds: number, ...values: (number | null)[]]

/**
 * Makes a figure with a line for each name, and a table of the same numbers. The points come in the order of time, each for
 * the time until the next; that of the last one is not over.
 */
export function plot(title: Content, names: readonly string[], points: readonly Point[]): Html {
  return html`
    <figure class="plot">
      <figcaption>${title}${names.length > 1 && html`
        <span class="legend">${names.map((name, index) =>
          html`
            <span class="line-${index}">${name}</span>
          `
        )}</span>
      `}</figcaption>
      ${points.length > 0 && lines(names, points)}
      <details>
        <summary>As a table</summary>
        <div class="table" tabindex="0" role="group">
          <table>
            <caption class="unseen">${title}</caption>
            <thead>
              <tr><th scope="col">Time (UTC)</th>${names.map((name) =>
                html`<th scope="col" class="number">${name}</th>`
              )}</tr>
            </thead>
            <tbody>
    ${points.map(([at, ...values], index) => {
      const running = index === points.length - 1 && html`
        <span class="quiet">so far</span>
      `
      return html`
        <tr><th><time datetime="${formatMoment(at).slice(0, 16)}Z">${minute(
          at,
        )}</time>${running}</th>${values.map((value) => html`<td>${number(value)}</td>`)}</tr>
      `
    }).toReversed()}</tbody>
          </table>
        </div>
      </details>
    </figure>
  `
}

/** The size of the drawing, which is stretched to its place. */
const [width, height] = [600, 150]

/** Draws the lines over the largest value and the first and the last time. */
function lines(names: readonly string[], points: readonly Point[]): Html {
  const [first = 0, last = 0] = [points[0]?.[0], points.at(-1)?.[0]]
  const most = Math.max(1, ...points.flatMap(([, ...values]) => values.map((value) => value ?? 0)))
  const place = (at: number, value: number) => {
    const x = width * (at - first) / Math.max(1, last - first)
    return `${x.toFixed(1)} ${(height * (1 - value / most)).toFixed(1)}`
  }
  const path = (index: number) =>
    points.map(([at, ...values], number) => {
      const value = values[index] ?? null
      if (value === null) return ""
      const isStart = (points[number - 1]?.[index + 1] ?? null) === null
      // A line of no length shows a point that has no neighbour.
      return isStart ? `M${place(at, value)}h0` : `L${place(at, value)}`
    }).join("")
  return html`
    <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none"
      aria-hidden="true">${names.map((_, index) =>
        html`
          <path class="line-${index}" d="${path(index)}" />
        `
      )}</svg>
    <p class="axis"><span>${minute(first).slice(5)}</span><span>at most ${number(
      most,
    )}</span><span>${minute(last).slice(5)}</span></p>
  `
}
