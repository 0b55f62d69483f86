import { listAccounts } from "../../../../core/capability.ts"
import type { Hit, Visit } from "../addition.ts"
import { redirectTo } from "../../../design/design.ts"
import { html } from "../../../design/design.ts"
import { state } from "../../../design/design.ts"
import { isProgram, queryOf, respond } from "../reader.ts"

/** The most that a finder returns. */
export const mostHits = 20

/** Shows what is found by a text. Goes straight to the page of the only hit. */
export async function showSearch(visit: Visit): Promise<Response> {
  // For MySQL, characters that nobody sees are in every name.
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
        html`<p class="message" role="status">Nothing is found by “${text}”.</p>`}
      <p
        class="quiet">Finds names of partners and accounts, and what else has a page here, by a part of its
      name or by its whole id. The key <kbd>/</kbd> leads to the search.</p>
    `,
  })
}

/** Finds accounts by a part of their names. Those that have a page as partners are found as such. */
export async function findAccounts(visit: Visit, text: string): Promise<readonly Hit[]> {
  const part = text.toLowerCase()
  const { link } = visit.site
  const found = (await listAccounts(visit.inside.readable))
    .filter(({ username }) => username.includes(part))
    .toSorted((a, b) => a.username.indexOf(part) - b.username.indexOf(part))
  return found.slice(0, mostHits).map(({ username, role, disabled }) => {
    const isPartner = isProgram(role) && link.has("/partners/:name")
    return {
      kind: isPartner ? "Partner" : "Account",
      name: username,
      path: `/${isPartner ? "partners" : "accounts"}/${encodeURIComponent(username)}`,
      about: html`${isPartner ? link.account(username, "account") : role} ${
        disabled && state("off", "disabled")
      }`,
    }
  })
}
