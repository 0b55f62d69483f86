import type { Visit } from "../addition.ts"
import { html, redirectTo } from "../../../design/design.ts"
import { queryOf, respond } from "../reader.ts"

/** The most hits per finder. */
export const mostHits = 20

/** Shows the hits for a text. If there is only one, redirects to its page. */
export async function showSearch(visit: Visit): Promise<Response> {
  // MySQL ignores invisible characters, and would find them in every name.
  const text = queryOf(visit, "q").replace(/\p{C}/gu, "").trim().slice(0, 200)
  const hits = text === "" ? [] : await visit.site.find(visit, text)
  const [first, ...others] = hits
  if (first && others.length === 0) return redirectTo(`/console${first.path}`)
  return respond(visit, {
    title: "Search",
    search: text,
    main: html`
      ${hits.length > 0 && html`
        <p>Found by “${text}”:</p>
        <ul class="hits">${hits.map(({ kind, name, path, about }) =>
          html`
            <li><span class="kind">${kind}</span> <a href="/console${path}">${name}</a>
            ${about && html`<span class="quiet">${about}</span>`}</li>
          `
        )}</ul>
      `}
      ${text !== "" && hits.length === 0 &&
        html`<p class="message" role="status">Nothing was found for “${text}”.</p>`}
      <p
        class="quiet">Finds names of partners and accounts, and what else has a page here, by a part of its
      name or by its whole id. The key <kbd>/</kbd> leads to the search.</p>
    `,
  })
}
