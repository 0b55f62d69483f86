import { type Content, type Html, html } from "../../design/design.ts"
import type { PageHit } from "./search.ts"

/** Shows hits grouped by page, in the order of first hits, with the search words marked. */
export function hitLists(hits: readonly PageHit[], search: string): Html[] {
  return [...Map.groupBy(hits, ({ page }) => page)].map(([page, group]) =>
    html`<h2>${page}</h2>
<ul class="hits">${
      group.map(({ path, name, kind, about }) =>
        html`<li><a href="${path}">${marked(name, search)}</a> ${
          kind && html`
            <span class="quiet">${kind}</span>
          `
        }<p>${marked(about, search)}</p></li>\n`
      )
    }</ul>`
  )
}

/** Marks the search words in a text. */
function marked(text: string, search: string): Content {
  const words = search.split(/\s+/).filter((word) => word !== "")
  const parts = text.split(
    new RegExp(`(${words.map((word) => RegExp.escape(word)).join("|")})`, "i"),
  )
  const mark = (part: string) => html`<mark>${part}</mark>`
  return parts.map((part, index) => index % 2 === 1 ? mark(part) : part)
}
