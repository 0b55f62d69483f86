import { type Database, type Snapshot, UserError } from "../../../core/capability.ts"
import { type ListState } from "./definitions.ts"
import { adviceFor } from "./advice.ts"
import { knowsErrors, readErrorGroups } from "./list-errors.ts"
import { type ListHealth, readLists } from "./list-health.ts"
import { readPartners } from "./list-partners.ts"
import type { HealthOptions } from "./partner-health.ts"
import type { GrantEnd, PartnerReport, SessionEnd } from "./partner-report.ts"
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
  return await database.snapshot(async (snapshot) => {
    const { db, dialect, run } = snapshot
    const [health] = await readPartners(snapshot, { ...options, username })
    if (!health) {
      throw new UserError(
        `There is no partner ${username}: no account of the role service or partner.`,
      )
    }
    const [clock] = await run(db.selectNoFrom(dialect.now.as("now")))
    const at = options.at ?? clock?.now ?? 0
    const { accountId } = health
    const found = await readLists(snapshot, { accountId }, { ...options, at })
    const lists = [...found].sort((a, b) => rankOf(a) - rankOf(b) || b.lag - a.lag)
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

const worstLists: readonly ListState[] = ["stuck", "behind", "silent", "unread", "in sync"]

function rankOf({ state }: ListHealth): number {
  return worstLists.indexOf(state)
}

async function readGrantEnds(
  { db, run }: Snapshot,
  accountId: string,
  at: number,
): Promise<readonly GrantEnd[]> {
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
): Promise<SessionEnd | null> {
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
