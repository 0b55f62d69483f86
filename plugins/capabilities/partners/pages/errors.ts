import {
  type Content,
  type Html,
  html,
  number,
  pathCode,
  state,
  table,
  time,
} from "../../../design/design.ts"
import { sessionOf, type Visit } from "../../../service/console/page.ts"
import type { Snapshot } from "../../../../core/capability.ts"
import { partnerRoles } from "../definitions.ts"
import { sectionFor } from "../handbook-sections.ts"
import { readLastErrors, withOverLimit } from "../last-errors.ts"
import { type ErrorGroup, knowsErrors, readErrorGroups } from "../list-errors.ts"
import type { ProgressStyle } from "./progress.ts"

const aDay = 86_400

/** The most groups of errors on the overview. The audit log has all. */
const mostErrors = 6

/** Shows the errors of the last day, if there is an audit log. */
export async function showErrors(visit: Visit): Promise<Html | undefined> {
  const { internals: { readable }, site: { link } } = visit
  if (!knowsErrors(readable)) return undefined
  const { now } = sessionOf(visit)
  const { errors, partners } = await readable.snapshot(async (snapshot) => {
    const errors = await readErrors(snapshot, now - aDay)
    return { errors, partners: await readPartnerNames(snapshot, errors) }
  })
  return html`
    <section id="errors" data-live aria-labelledby="errors-title">
      <h2 id="errors-title">Errors of the last day</h2>
      ${table(
        "By code, partner and endpoint, latest first",
        ["Error", "Partner", "Endpoint", ...occurrenceColumns],
        errors.slice(0, mostErrors).map((error) => [
          errorState(error, link),
          error.account === null
            ? html`<span class="quiet">nobody</span>`
            : partners.has(error.account)
            ? link.partner(error.account)
            : error.account,
          error.route === null ? "" : pathCode(error.route),
          ...occurrenceCells(error, { link, now }),
        ]),
        "There were none.",
      )}
      ${errors.length > mostErrors &&
        html`<p>${errors.length - mostErrors} more: ${
          link.audit("status", "4xx", "4xx in the audit log")
        }, ${link.audit("status", "5xx", "5xx")}</p>`}
    </section>
  `
}

/**
 * Returns the errors of all accounts since a time, latest first. For requests over a limit: only the last of each
 * account.
 */
async function readErrors(snapshot: Snapshot, since: number): Promise<readonly ErrorGroup[]> {
  const logged = await readErrorGroups(snapshot, { since })
  const last = await readLastErrors(snapshot, undefined)
  const accounts = last.size === 0 ? [] : await snapshot.run(
    snapshot.db.selectFrom("account").select(["id", "username"]).where("id", "in", [
      ...last.keys(),
    ]),
  )
  const named = accounts.flatMap(({ id, username: account }) => {
    const error = last.get(id)
    return error ? [{ ...error, account }] : []
  })
  return withOverLimit(logged, named, since)
}

/** Returns the names of the partners among the accounts with errors: accounts of people have no page. */
async function readPartnerNames(
  { db, run }: Snapshot,
  errors: readonly ErrorGroup[],
): Promise<ReadonlySet<string>> {
  const names = errors.flatMap(({ account }) => account ?? [])
  if (names.length === 0) return new Set()
  const rows = await run(
    db.selectFrom("account").select("username").where("username", "in", names)
      .where("role", "in", partnerRoles).where("viewer", "=", 0),
  )
  return new Set(rows.map(({ username }) => username))
}

/** Shows the status and code of errors, as a link to what to do. */
export function errorState({ status, code }: ErrorGroup, link: ProgressStyle["link"]): Content {
  const words = link.handbook("incidents", sectionFor({ status, code }), `${status} ${code}`)
  return state(status >= 500 ? "bad" : "warn", words)
}

/** The columns about how often and when errors occurred. */
export const occurrenceColumns = [
  { name: "Count", isNumber: true },
  "Last",
  "Last request",
] as const

/** Returns the cells of `occurrenceColumns`. */
export function occurrenceCells(
  { count, last, lastRequestId }: ErrorGroup,
  { link, now }: ProgressStyle,
): Content[] {
  return [number(count), time(last, now), link.request(lastRequestId)]
}
