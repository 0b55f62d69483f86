import { formatMoment } from "../../../core/capability.ts"
import { type Content, type Html, html } from "./html.ts"
import { number } from "./parts.ts"

/** A value at a time; null where there is none. */
export type Point = readonly [seconds: number, ...values: (number | null)[]]

/** Makes a figure whose table a script draws as a plot. The points come in the order of time. */
export function plot(
  title: Content,
  names: readonly string[],
  points: readonly Point[],
): Html {
  return html`
    <figure class="plot">
      <figcaption>${title}</figcaption>
      <details open>
        <summary>As a table</summary>
        <div class="table" tabindex="0" role="group">
          <table>
            <caption class="hidden">${title}</caption>
            <thead>
              <tr><th scope="col">Time (UTC)</th>${names.map((name) =>
                html`<th scope="col" class="number">${name}</th>`
              )}</tr>
            </thead>
            <tbody>
    ${points.toReversed().map(([at, ...values]) =>
      html`
        <tr><th><time datetime="${formatMoment(at).slice(0, 16)}Z">${formatMoment(at).slice(0, 16)
          .replace("T", " ")}</time></th>${values.map((value) =>
            html`<td data-value="${value}">${number(value)}</td>`
          )}</tr>
      `
    )}</tbody>
          </table>
        </div>
      </details>
    </figure>
  `
}
