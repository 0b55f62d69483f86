import { type Database, type Snapshot, UserError } from "../../../core/capability.ts"
import { type Reading, thresholds } from "./definitions.ts"
import { adviceAbout, adviceFor } from "./advice.ts"
import { type ErrorGroup, readErrorGroups } from "./list-errors.ts"
import { byTrouble, type ListHealth, readLists } from "./list-health.ts"
import { readPartners } from "./list-partners.ts"
import { explainEvents } from "./lost-events.ts"
import { type HealthOptions, type PartnerHealth, readAtOneTime } from "./partner-health.ts"
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
  { days = 7, ...options }: HealthOptions & {
    /** Of how many days to return what it did in each hour: 7 if it is not said. */
    readonly days?: number
  },
): Promise<PartnerReport> {
  return await readAtOneTime(database, options, async (snapshot, by) => {
    const { db, run } = snapshot
    const { now: at } = by
    const [health] = await readPartners(snapshot, by, username)
    if (!health) {
      throw new UserError(
        `There is no partner ${username}: no account of the role service or partner.`,
      )
    }
    const { accountId } = health
    const read = await readLists(snapshot, by, { accountId })
    const lists = read.toSorted(byTrouble)
    const hours = await run(
      db
        .selectFrom("partner_hour")
        .select(["hour", "polls", "walks", "records", "errors", "lag"])
        .where("account_id", "=", accountId)
        .where("hour", ">", at - days * aDay)
        .orderBy("hour"),
    )
    const groups = by.hasAudit
      ? await readErrorGroups(snapshot, { since: at - 7 * aDay, account: username })
      : []
    const errors = await adviseOn(snapshot, by, { health, groups })
    const lostEvents = await findLostEvents(snapshot, by, { health, lists })
    const grants = await readGrantEnds(snapshot, accountId, at)
    const lastSession = health.sessions > 0 ? null : await readLastSession(snapshot, accountId)
    const facts = { health, at, lists, hours, errors, grants, lostEvents, lastSession }
    return { ...facts, sentences: describePartner(facts) }
  })
}

/** Adds to errors what to do about them: of events that it may not read, by what its grants say of the last one. */
async function adviseOn(
  snapshot: Snapshot,
  by: Reading,
  { health, groups }: { readonly health: PartnerHealth; readonly groups: readonly ErrorGroup[] },
): Promise<PartnerReport["errors"]> {
  const isRefused = ({ code, lastEvent }: ErrorGroup) =>
    code === "event_not_found" && lastEvent !== null
  const refused = groups.filter(isRefused)
  const answers = await explainEvents(
    snapshot,
    by,
    health,
    refused.map(({ lastEvent, last, lastAddress }) => ({
      eventId: lastEvent ?? "",
      last: { at: last, address: lastAddress },
    })),
  )
  return groups.map((group) => {
    const answer = answers[refused.indexOf(group)]
    return {
      ...group,
      advice: answer ? adviceAbout(answer, health.account) : adviceFor(group).operator,
    }
  })
}

/** Finds why it may not read events that it has requested lately. */
async function findLostEvents(
  snapshot: Snapshot,
  by: Reading,
  { health, lists }: { readonly health: PartnerHealth; readonly lists: readonly ListHealth[] },
): Promise<PartnerReport["lostEvents"]> {
  const lost = lists.filter(({ state, lastPoll, lastError }) =>
    state === "no access" &&
    Math.max(lastPoll ?? 0, lastError?.at ?? 0) >= by.now - thresholds.abandoned
  )
  const ids = [...new Set(lost.flatMap(({ eventId }) => eventId ?? []))]
  const { lastRequest: last } = health
  return await explainEvents(snapshot, by, health, ids.map((eventId) => ({ eventId, last })))
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
