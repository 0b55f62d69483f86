import { formatMoment } from "../../core/plugin.ts"
import { type Content, type Html, html } from "./html.ts"
import { minute, number } from "./parts.ts"

/** A value at a time; null where there is none. */
export type Point = readonly [seconds: number, ...values: (number | null)[]]

/** A moment that plots mark. */
export interface Mark {
  /** Unix seconds. */
  readonly at: number
  /** One word, such as `reload`. */
  readonly word: string
  /** What happened then. */
  readonly detail: string
}

interface PlotOptions {
  /** What happened meanwhile, in the order of time. */
  readonly marks?: readonly Mark[]
}

/**
 * Makes a figure whose table a script draws as a plot. The points come in the order of time, each for the time until the
 * next; that of the last one is not over.
 */
export function plot(
  title: Content,
  names: readonly string[],
  points: readonly Point[],
  { marks = [] }: PlotOptions = {},
): Html {
  const first = points[0]?.[0] ?? Infinity
  const shown = marks.filter(({ at }) => at >= first)
  return html`
    <figure class="plot">
      <figcaption>${title}</figcaption>
      <details open>
        <summary>As a table</summary>
        <div class="table" tabindex="0" role="group">
          <table>
            <caption class="unseen">${title}</caption>
            <thead>
              <tr><th scope="col">Time (UTC)</th>${names.map((name) =>
                html`<th scope="col" class="number">${name}</th>`
              )}${shown.length > 0 && html`<th scope="col">What happened</th>`}</tr>
            </thead>
            <tbody>
    ${points.map(([at, ...values], index) => {
      const end = points[index + 1]?.[0] ?? Infinity
      const own = shown.filter((mark) => mark.at >= at && mark.at < end)
      const running = end === Infinity && html`
        <span class="quiet">so far</span>
      `
      return html`
        <tr><th><time datetime="${formatMoment(at).slice(0, 16)}Z">${minute(
          at,
        )}</time>${running}</th>${values.map((value) =>
          html`<td data-value="${value}">${number(value)}</td>`
        )}${own.length > 0 && html`<td>${own.map(showMark)}</td>`}</tr>
      `
    }).toReversed()}</tbody>
          </table>
        </div>
      </details>
    </figure>
  `
}

function showMark({ at, word, detail }: Mark): Html {
  return html`
    <p class="mark" data-at="${at}"
      data-word="${word}">${minute(at).slice(11)} ${word}: ${detail}</p>
  `
}
