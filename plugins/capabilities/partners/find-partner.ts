import { type Database, type Plan, type Snapshot, UserError } from "../../../core/capability.ts"
import { type Reading, thresholds } from "./definitions.ts"
import { type AccountLimits, limitsOf } from "./account-limits.ts"
import { adviceAbout, adviceFor } from "./advice.ts"
import { withOverLimit } from "./last-errors.ts"
import { worstCauses } from "./causes.ts"
import { countRequests, type ErrorGroup, readErrorGroups } from "./list-errors.ts"
import { byTrouble, type ListHealth, readLists } from "./list-health.ts"
import { readPartners } from "./list-partners.ts"
import { explainEvents } from "./lost-events.ts"
import { type HealthOptions, type PartnerHealth, readAtOneTime } from "./partner-health.ts"
import type { PartnerReport } from "./partner-report.ts"
import { reasonOf } from "./reasons.ts"
import { describePartner } from "./sentences.ts"
import { countUnreadEvents } from "./unread-events.ts"

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
  { plan, ...options }: HealthOptions & {
    /** The configuration in force, for the account's limits and families. */
    readonly plan?: Pick<Plan, "limits" | "accounts" | "routes">
  },
): Promise<PartnerReport> {
  return await readAtOneTime(database, options, async (snapshot, by) => {
    const { now: at } = by
    const [found] = await readPartners(snapshot, by, username)
    if (!found) {
      throw new UserError(
        `There is no partner ${username}: no account of the role service or partner.`,
      )
    }
    const { accountId } = found
    const read = await readLists(snapshot, by, { accountId })
    const lists = markServed(read, plan).toSorted(byTrouble)
    const health = withCauses(found, lists, at)
    const since = at - 7 * aDay
    const logged = by.hasAudit ? await readErrorGroups(snapshot, { since, account: username }) : []
    const last = lists.flatMap(({ prefix, list, lastError }) =>
      lastError ? [{ ...lastError, prefix, list, account: username }] : []
    )
    const groups = withOverLimit(logged, last, since)
    const isOverQuota = by.hasAudit && groups.some(({ code }) => code === "too_many_requests")
    const hourly = isOverQuota
      ? await countRequests(snapshot, { since: at - 3600, account: username })
      : undefined
    const limits = plan && limitsOf(plan, username, hourly)
    const errors = await adviseOn(snapshot, by, { health, groups, limits })
    const unreadEvents = await countUnreadEvents(snapshot, { now: at, accountId })
    const lostEvents = await findLostEvents(snapshot, by, { health, lists })
    const grants = await readGrantEnds(snapshot, accountId, at)
    const isOut = health.sessions + health.tokens === 0
    const lastSession = isOut ? await readLastSession(snapshot, accountId) : null
    const facts = {
      ...{ health, at, lists, errors, unreadEvents, limits, grants, lostEvents },
      lastSession,
    }
    return { ...facts, sentences: describePartner(facts) }
  })
}

/** Sets the cause of lists whose family is no longer in the configuration. */
function markServed(
  lists: readonly ListHealth[],
  plan: Pick<Plan, "routes"> | undefined,
): readonly ListHealth[] {
  if (!plan) return lists
  const served = new Set(plan.routes.map(({ prefix }) => prefix))
  return lists.map((list) => served.has(list.prefix) ? list : { ...list, cause: "not served" })
}

/** Adds the causes of the lists to a partner's health. */
function withCauses(
  health: PartnerHealth,
  lists: readonly ListHealth[],
  now: number,
): PartnerHealth {
  const isWell = health.state === "in sync"
  const isGone = lists.some(({ cause }) => cause === "not served")
  if (isWell || !isGone) return health
  const causes = worstCauses([...health.causes, "not served"])
  return { ...health, causes, reason: reasonOf({ ...health, causes }, now) }
}

/**
 * Adds to errors what to do about them. For events that the partner may not read, that depends on its grants for the
 * last one.
 */
async function adviseOn(
  snapshot: Snapshot,
  by: Reading,
  { health, groups, limits }: {
    readonly health: PartnerHealth
    readonly groups: readonly ErrorGroup[]
    readonly limits: AccountLimits | undefined
  },
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
    const { account } = health
    const advice = answer
      ? adviceAbout(answer, account)
      : adviceFor(group, { account, limits }).operator
    return { ...group, advice }
  })
}

/** Finds out why the partner may not read events that it requested lately. */
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
      .select(["expires", "reason", "lasting"])
      .where("account_id", "=", accountId)
      .orderBy("expires", "desc")
      .limit(1),
  )
  return row ? { ended: row.expires, reason: row.reason, isToken: row.lasting === 1 } : null
}
