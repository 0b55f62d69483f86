import { type Database, type Snapshot, UserError } from "../../../core/capability.ts"
import { worstLists } from "./definitions.ts"
import { adviceFor } from "./advice.ts"
import { knowsErrors, readErrorGroups } from "./list-errors.ts"
import { type ListHealth, readLists } from "./list-health.ts"
import { readPartners, withMutes } from "./list-partners.ts"
import { type HealthOptions, readAtOneTime } from "./partner-health.ts"
import type { PartnerReport } from "./partner-report.ts"
import { describePartner } from "./sentences.ts"

const aDay = 86_400

/**
 * Returns how a partner is doing and why.
 *
 * @throws {UserError} if there is no such account of the roles `service` and `partner`.
 * @throws {Unavailable}
 */
export async function findPartner(
  database: Database,
  username: string,
  options: HealthOptions,
): Promise<PartnerReport> {
  return await readAtOneTime(database, options, async (snapshot, by) => {
    const { db, run } = snapshot
    const { now: at } = by
    const found = await readPartners(snapshot, by, username)
    const [health] = await withMutes(snapshot, found, options)
    if (!health) {
      throw new UserError(
        `There is no partner ${username}: no account of the role service or partner.`,
      )
    }
    const { accountId } = health
    const read = await readLists(snapshot, by, { accountId })
    const lists = read.toSorted((a, b) => rankOf(a) - rankOf(b) || b.lag - a.lag)
    const hours = await run(
      db
        .selectFrom("partner_hour")
        .select(["hour", "polls", "walks", "records", "errors", "lag"])
        .where("account_id", "=", accountId)
        .where("hour", ">", at - 7 * aDay)
        .orderBy("hour"),
    )
    const groups = knowsErrors(database)
      ? await readErrorGroups(snapshot, { since: at - 7 * aDay, account: username })
      : []
    const errors = groups.map((group) => ({ ...group, advice: adviceFor(group) }))
    const grants = await readGrantEnds(snapshot, accountId, at)
    const lastSession = health.sessions > 0 ? null : await readLastSession(snapshot, accountId)
    const facts = { health, at, lists, hours, errors, grants, lastSession }
    return { ...facts, sentences: describePartner(facts) }
  })
}

function rankOf({ state }: ListHealth): number {
  return worstLists.indexOf(state)
}

async function readGrantEnds(
  { db, run }: Snapshot,
  accountId: string,
  at: number,
): Promise<PartnerReport["grants"]> {
  const rows = await run(
    db
      .selectFrom("access_grant as g")
      .leftJoin("organization", "organization.id", "g.organization_id")
      .select(["g.event_id", "organization.slug", "g.ends"])
      .where("g.account_id", "=", accountId)
      .where("g.ends", ">", at - 30 * aDay)
      .where("g.ends", "<", at + 30 * aDay)
      .orderBy("g.ends"),
  )
  return rows.map(({ event_id, slug, ends }) => ({
    target: event_id ?? slug ?? "an organization that is gone",
    ends: ends ?? 0,
  }))
}

async function readLastSession(
  { db, run }: Snapshot,
  accountId: string,
): Promise<PartnerReport["lastSession"]> {
  const [row] = await run(
    db
      .selectFrom("session")
      .select(["expires", "reason"])
      .where("account_id", "=", accountId)
      .orderBy("expires", "desc")
      .limit(1),
  )
  return row ? { ended: row.expires, reason: row.reason } : null
}
