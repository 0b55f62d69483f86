import { expressionBuilder } from "kysely"
import {
  type Category,
  type Database,
  itemCategories,
  listSessions,
  type MountedRoute,
  numbersOf,
  type Plan,
  type Schema,
  visibleRoutes,
} from "../../../core/capability.ts"
import { findReach, type Reach } from "./reach.ts"

/** What comes of a change of a setting for one account. */
export interface Consequence {
  readonly setting: string
  readonly account: string
  /** What it did, and what it would get, behind its name. */
  readonly consequence: string
}

/** Settings that differ, by name, and the two configurations. */
interface Difference {
  readonly names: readonly string[]
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Plan
}

const aDay = 86_400

/** Finds what changes of settings do to whom, from what accounts did in the last week. Writes nothing. */
export async function findConsequences(
  database: Database,
  difference: Difference,
): Promise<readonly Consequence[]> {
  const { names } = difference
  const finders: readonly [pattern: RegExp, find: typeof findOverQuota][] = [
    [/^limits\.quota$|^accounts\..*\.quota$/s, findOverQuota],
    [/^polling\.retention$/, findForgotten],
    [/^session\.idle$/, findIdle],
    [/^session\.cookie$/, findLoggedIn],
  ]
  const wanted = finders.filter(([pattern]) => names.some((name) => pattern.test(name)))
  if (wanted.length === 0) return []
  const reach = await findReach(database)
  const readers = new Map(
    [...reach].filter(([, { role, disabled }]) => role !== "operator" && !disabled),
  )
  const found = await Promise.all(wanted.map(([, find]) => find(database, difference, readers)))
  return found.flat().sort((a, b) => a.account < b.account ? -1 : 1)
}

type Readers = ReadonlyMap<string, Reach>

/** True if the tables of partners' health are there. */
function isWatched({ storages }: Database): boolean {
  return storages.on.some(({ name }) => name === "partners")
}

/** Finds the accounts that did more in some hour of the last week than they may. */
async function findOverQuota(
  database: Database,
  { before, after, names }: Difference,
  readers: Readers,
): Promise<Consequence[]> {
  if (!isWatched(database)) return []
  const { writer, dialect } = database
  const rows = await writer
    .selectFrom("partner_hour")
    // Else MySQL reads the hours of 90 days, account by account.
    .modifyFront(dialect.byIndex("partner_hour", "partner_hour_hour"))
    .innerJoin("account", "account.id", "partner_hour.account_id")
    .select((eb) => [
      "account.username",
      eb.fn.max<number>(eb("polls", "+", eb.ref("errors"))).as("most"),
      // If each walk ended with a 304.
      eb.fn.max<number>(
        eb("polls", "+", eb("errors", "-", eb("walks", "*", eb.lit(0.9)))),
      ).as("least"),
    ])
    .where("hour", ">", (eb) => eb(dialect.now, "-", eb.lit(7 * aDay)))
    .groupBy("account.username")
    .execute()
  return rows.flatMap(({ username, most, least }) => {
    const reader = readers.get(username)
    const quota = numbersOf(after, username).limits.quota
    const former = before[`accounts.${username}.quota`] ?? before["limits.quota"]
    if (!reader || quota >= Number(former) || Number(most) <= quota) return []
    const own = `accounts.${username}.quota`
    const get = Number(least) / familiesOf(after.routes, username, reader) > quota ? "would" : "may"
    return [{
      setting: names.includes(own) ? own : "limits.quota",
      account: username,
      consequence: `used up to ${most} an hour last week, and ${get} get 429`,
    }]
  })
}

/** Returns the number of families that an account reads, at least one: each has a quota of its own. */
function familiesOf(
  routes: readonly MountedRoute[],
  username: string,
  { role, organizations }: Reach,
): number {
  const seen = visibleRoutes(routes, { account: { username, role }, organizations })
  const lists = seen.filter(({ kind }) => kind === "listing")
  return Math.max(1, new Set(lists.map(({ prefix }) => prefix)).size)
}

/** Finds who has not fetched deletions that a shorter retention forgets. */
async function findForgotten(
  database: Database,
  { before, after }: Difference,
  readers: Readers,
): Promise<Consequence[]> {
  const former = Number(before["polling.retention"]) * aDay
  const { retention } = after.polling
  if (retention >= former || !isWatched(database)) return []
  const { writer, dialect } = database
  const eb = expressionBuilder<Schema & { s: Schema["sync_state"] }, "s">()
  const cutoff = eb(dialect.now, "-", eb.lit(retention))
  /** True if a list lacks deletions of these categories that will be forgotten. */
  const leaves = (kind: "guest deletions" | "item deletions", categories: readonly Category[]) =>
    eb.and([
      eb("s.kind", "=", kind),
      eb.exists(
        eb.selectFrom("deletion").select("deletion.record_id")
          .whereRef("deletion.event_id", "=", "s.event_id")
          .where("deletion.category", "in", categories)
          .where("deletion.at", ">=", eb.fn.coalesce("s.completed_next", "s.acknowledged"))
          .where("deletion.at", "<", cutoff),
      ),
    ])
  const rows = await writer
    .selectFrom("sync_state as s")
    .innerJoin("account", "account.id", "s.account_id")
    .select([
      "account.username",
      "s.event_id",
      "s.acknowledged",
      "s.completed_next",
    ])
    .where("s.kind", "in", ["guest deletions", "item deletions"])
    .where((eb) => eb(eb.fn.coalesce("s.completed_next", "s.acknowledged"), "<", cutoff))
    .where(
      eb.or([leaves("guest deletions", ["guests"]), leaves("item deletions", itemCategories)]),
    )
    .execute()
  const lists = rows.flatMap((row) => {
    const fetched = Math.max(row.acknowledged ?? 0, row.completed_next ?? 0)
    return readers.has(row.username) ? [{ ...row, fetched }] : []
  })
  return [...Map.groupBy(lists, ({ username }) => username)].map(([account, own]) => {
    const earliest = new Date(Math.min(...own.map(({ fetched }) => fetched)) * 1000)
    const events = new Set(own.map(({ event_id }) => event_id)).size
    const of = `of ${events === 1 ? "an event" : `${events} events`} since ` +
      earliest.toISOString().slice(0, 10)
    return {
      setting: "polling.retention",
      account,
      consequence:
        `has not fetched deletions ${of}: they would be deleted for good, and it would get 410`,
    }
  })
}

/** Finds whose sessions would end at once, because they were not used for so long. */
async function findIdle(
  database: Database,
  { before, after }: Difference,
  readers: Readers,
): Promise<Consequence[]> {
  const [former, next] = await Promise.all(
    [Number(before["session.idle"]), after.session.idle].map((idle) =>
      listSessions(database, { idle, isRunning: true })
    ),
  )
  const live = new Set(former?.filter(({ state }) => state === "live").map(({ id }) => id))
  const ended = next?.filter(({ id, state }) => state === "idle" && live.has(id)) ?? []
  return [...Map.groupBy(ended, ({ username }) => username)].flatMap(([account, own]) =>
    readers.has(account)
      ? [{
        setting: "session.idle",
        account,
        consequence: `has ${
          own.length === 1 ? "a session" : `${own.length} sessions`
        } without a request for longer, which would end at once`,
      }]
      : []
  )
}

/** Finds who has a session that its cookie would not open any more. */
async function findLoggedIn(
  database: Database,
  { after }: Difference,
  readers: Readers,
): Promise<Consequence[]> {
  const sessions = await listSessions(database, { idle: after.session.idle, isRunning: true })
  const live = new Set(
    sessions.filter(({ state }) => state === "live").map((each) => each.username),
  )
  return [...live].flatMap((account) =>
    readers.has(account)
      ? [{
        setting: "session.cookie",
        account,
        consequence: "has a session, and may have to log in again",
      }]
      : []
  )
}
