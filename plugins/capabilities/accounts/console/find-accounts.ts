import { html, state } from "../../../design/design.ts"
import { type Hit, isProgram, mostHits, type Visit } from "../../../service/console/page.ts"
import { listAccounts } from "../list-accounts.ts"

/** Finds accounts by a part of their names. Those that have a page as partners are found as such. */
export async function findAccounts(visit: Visit, text: string): Promise<readonly Hit[]> {
  const part = text.toLowerCase()
  const { link } = visit.site
  const found = (await listAccounts(visit.internals.readable))
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
