import t from "tap"
import type {
  PartnerState,
  SyncRow,
} from "../../../../plugins/capabilities/partners/definitions.ts"
import { findPartner } from "../../../../plugins/capabilities/partners/find-partner.ts"
import { listPartners } from "../../../../plugins/capabilities/partners/list-partners.ts"
import { readPartnerNumbers } from "../../../../plugins/capabilities/partners/partner-numbers.ts"
import { judgeRows } from "../../../../plugins/capabilities/partners/sync-rows.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { withinOneSecond } from "../../../support/one-second.ts"
import { setPartnerStage } from "../../../support/partner-stage.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

const retention = 90 * 86_400
const aDay = 86_400
/** Seconds that a partner of a list that is late lacks changes of. */
const lateness = 2400

/** A partner with one list, and what must be said of it. Times are seconds before now. */
interface Case {
  readonly name: string
  readonly state: PartnerState | undefined
  readonly lastPoll?: number
  /** True if the list was completed so long ago that it lacks the change. */
  readonly isLate?: true
  readonly list?: Partial<SyncRow>
  readonly hasSession?: true
  /** When it was refused with 401, and whether that was with an ended session. */
  readonly refused?: number
  readonly session?: string
  readonly lastLogIn?: number
  readonly role?: "service" | "operator"
  readonly isDisabled?: true
  readonly isOfOtherEvent?: true
}

/** In the order in which they are listed: the worst first, and those that have been in a state for longest. */
const cases: readonly Case[] = [
  { name: "half", state: "locked out", lastPoll: 40, hasSession: true, refused: 0, session: "s" },
  // Whoever guesses a password locks out who has no session.
  { name: "wrong", state: "locked out", lastPoll: 30, refused: 0 },
  { name: "locked", state: "locked out", lastPoll: 20, refused: 5, session: "s" },
  { name: "knocking", state: "no access", isLate: true, isDisabled: true, refused: 5 },
  { name: "stuck", state: "stuck" },
  { name: "long silent", state: "silent", lastPoll: 5 * 3600 },
  { name: "a", state: "silent", lastPoll: 3 * 3600 },
  { name: "b", state: "silent", lastPoll: 3 * 3600 },
  { name: "silent", state: "silent", lastPoll: 2 * 3600 },
  { name: "late", state: "behind", isLate: true, list: { records: 7 } },
  { name: "new", state: "never polled" },
  { name: "back", state: "in sync", lastPoll: 5, refused: 20 },
  { name: "given-up", state: "in sync", isLate: true, isOfOtherEvent: true },
  { name: "guessed", state: "in sync", hasSession: true, refused: 0 },
  { name: "patient", state: "in sync", isLate: true, list: { poll_interval: aDay } },
  { name: "returned", state: "in sync", lastPoll: 30, refused: 20, lastLogIn: 15 },
  { name: "well", state: "in sync", role: "service" },
  { name: "off", state: "disabled", isLate: true, isDisabled: true },
  { name: "person", state: undefined, isLate: true, role: "operator" },
]

await onEveryEngine(t, async (t, engine) => {
  const stage = await setPartnerStage(t, engine)
  const { database, build, writer, now, event } = stage
  const other = await build.event(await build.organization("other"))
  await build.guest(other, { updated: now - 1800 })
  const late = now - lateness
  const stuck = {
    ...{ walk_completed: null, completed_next: null, first_started: now - 300 },
    ...{ previous_started: now - 60, third_started: now - 120 },
  }
  const ids = new Map<string, string>()
  for (const each of cases) {
    const list = {
      ...each.lastPoll !== undefined && { last_poll: now - each.lastPoll },
      ...each.isLate && { walk_completed: late, completed_next: late, previous_started: late },
      ...each.state === "stuck" && stuck,
      ...each.isOfOtherEvent && { event_id: other },
      ...each.list,
    }
    const lists = each.state === "never polled" ? [] : [list]
    const id = await stage.addPartner(each.name, lists, each.role)
    ids.set(each.name, id)
    if (each.hasSession) await stage.addSession(id, now + aDay)
    if (each.isDisabled) {
      await writer.updateTable("account").set({ disabled: 1 }).where("id", "=", id).execute()
    }
    if (each.refused === undefined) continue
    await writer.insertInto("account_activity").values({
      account_id: id,
      refused: now - each.refused,
      refused_session: each.session ?? null,
      refused_request: `of ${each.name}`,
      refused_address: "192.0.2.1",
      last_log_in: each.lastLogIn === undefined ? null : now - each.lastLogIn,
    }).execute()
  }
  const failing = await build.account("failing")
  await writer.insertInto("sync_state").values(emptyRow({
    ...{ account_id: failing, event_id: "", error_at: now - 5, error_status: 404 },
    ...{ error_code: "event_not_found", error_request: "r-2" },
  })).execute()
  const list = async () => await listPartners(database, { retention, at: now })
  const find = async (name: string) => (await list()).find(({ account }) => account === name)

  await t.test("listPartners tells the state of each partner, the worst first, and leaves operators out", async (t) => {
    const found = await list()
    const known = cases.flatMap(({ name, state }) => state ? [[name, state]] : [])
    known.splice(4, 0, ["failing", "no access"])
    t.strictSame(found.map(({ account, state }) => [account, state]), known)
    t.match(await find("late"), {
      ...{ accountId: ids.get("late"), role: "partner", since: late, lastPoll: now - 10 },
      ...{ lastCompleted: late, lastLogIn: null, pollInterval: 60, lists: 1, behind: 1 },
      ...{ lag: lateness, records: 7, lastError: null, sessionEnds: null, sessions: 0 },
    })
    const refused = { requestId: "of locked", address: "192.0.2.1" }
    t.match(await find("locked"), { since: now - 20, refused })
    const lastError = { code: "event_not_found", requestId: "r-2", status: 404 }
    t.match(await find("failing"), { lastError })
    t.match(await find("stuck"), { stuck: 1, since: now - 300 })
    t.match(await find("silent"), { reason: "It has not polled for 2 h." })
    const { created } = await writer.selectFrom("account").select("created")
      .where("username", "=", "new").executeTakeFirstOrThrow()
    t.match(await find("new"), { since: created, lists: 0, records: 0, lastPoll: null })
    for (const { reason } of found) t.match(reason, /\.$/)
  })

  await t.test("readPartnerNumbers lists what is behind, without events that may not be read", async (t) => {
    const { partners, late } = await readPartnerNumbers(database, { retention, at: now })
    t.equal(partners.length, cases.length)
    t.strictSame(late, [
      { account: "late", family: "family", eventId: event, list: "guests", lag: lateness },
      { account: "stuck", family: "family", eventId: event, list: "guests", lag: 300 },
    ])
  })

  await t.test("listPartners knows of sessions, refusals, errors, and of all that a partner is behind with", async (t) => {
    const north = await build.organization("north")
    const [gala, ball] = [await build.event(north), await build.event(north)]
    for (const id of [gala, ball]) await build.guest(id, { updated: now - 1200 })
    const error = { error_status: 410, error_code: "resync_required", error_request: "r-7" }
    const whole = { last_poll: now - 60, poll_interval: null, walk_completed: now - 500 }
    const of = (event_id: string, own: Partial<SyncRow>) => (
      { ...whole, event_id, records: 2, ...own }
    )
    const id = await stage.addPartner("busy", [
      { poll_interval: 300, error_at: now - 90, error_status: 400 },
      of(gala, { completed_next: now - 3000, poll_interval: 120 }),
      of(gala, { list: "again", completed_next: now - 4000, error_at: now - 80 }),
      of(ball, { completed_next: null, first_started: now - 3500, error_at: now - 70, ...error }),
      of(other, { completed_next: now - 9000 }),
      of("gone", { completed_next: now - 9000 }),
    ])
    await build.grant("busy", { organization: "north" })
    for (const ends of [2 * aDay, 3 * aDay, -1]) await stage.addSession(id, now + ends)
    await writer.insertInto("account_activity").values({
      ...{ account_id: id, last_log_in: now - 30, refused: now - 95, refused_code: "code" },
      ...{ refused_request: "r-8", refused_session: "s", refused_address: "192.0.2.2" },
    }).execute()
    t.match(await find("busy"), {
      ...{ state: "behind", since: now - 4000, lastCompleted: now - 10, lastLogIn: now - 30 },
      ...{ records: 10, pollInterval: 120, lists: 6, behind: 3, lag: 4000 },
      ...{ sessions: 2, sessionEnds: now + 3 * aDay },
      lastError: { at: now - 70, status: 410, code: "resync_required", requestId: "r-7" },
      refused: { at: now - 95, code: "code", requestId: "r-8", ended: null, address: "192.0.2.2" },
    })
    t.strictSame(
      (await findPartner(database, "busy", { retention, at: now })).health,
      await find("busy"),
    )
    // A grant that ends later counts until then.
    const end = async (ends: number) => {
      await writer.updateTable("access_grant").set({ ends }).where("account_id", "=", id)
        .where("organization_id", "is not", null).execute()
    }
    await end(now)
    t.match(await find("busy"), { behind: 0, lag: 0, state: "in sync", since: null })
    await end(now + 1)
    t.match(await find("busy"), { behind: 3, lag: 4000 })
    await writer.updateTable("sync_state")
      .set({
        ...{ error_status: null, completed_next: null, first_started: now - 3500 },
        silent_from: null,
      })
      .where("account_id", "=", id).where("event_id", "<>", event).execute()
    await judgeRows(writer, database.dialect)
    t.match(await find("busy"), {
      ...{ behind: 3, lag: 3500, since: now - 3500, lastError: { at: now - 70, status: 0 } },
    })
    await stage.removePartners(id)
  })

  await t.test("listPartners tells a token from a session, also one that has ended", async (t) => {
    const id = await stage.addPartner("of-tokens")
    const add = async (session: string, expires: number, lasting: 0 | 1) => {
      await writer.insertInto("session").values({
        ...{ id: session, account_id: id, created: 1, expires, lasting },
        reason: lasting === 1 && expires < now ? "revoked" : null,
      }).execute()
    }
    await add("ended-token", now - 9, 1)
    await add("ended-session", now - 9, 0)
    for (const [n, lasting] of ([0, 1, 1] as const).entries()) {
      await add(`live-${n}`, now + 900, lasting)
    }
    t.match(await find("of-tokens"), { sessions: 1, tokens: 2, refused: null })
    for (const kind of ["token", "session"] as const) {
      const refused = { refused: now - 5, refused_session: `ended-${kind}` }
      await writer.deleteFrom("account_activity").where("account_id", "=", id).execute()
      await writer.insertInto("account_activity").values({ account_id: id, ...refused }).execute()
      const reason = kind === "token" ? "revoked" : null
      t.match(await find("of-tokens"), {
        state: "locked out",
        refused: { ended: { kind, reason } },
      })
    }
    await stage.removePartners(id)
  })

  await t.test("readPartnerNumbers lists the thousand lists that are furthest behind, as of now unless told otherwise", async (t) => {
    const many = Array.from({ length: 1000 }, (_, n) => ({ list: `${n}`, completed_next: n }))
    const id = await stage.addPartner("many", many)
    const { late, time } = await withinOneSecond(database, async (time) => ({
      ...await readPartnerNumbers(database, { retention }),
      time,
    }))
    t.strictSame(late.map(({ lag }) => lag), many.map((_, n) => time - n))
    await stage.removePartners(id)
  })

  await t.test("listPartners counts the deletions that wait, and the days until a 410", async (t) => {
    await writer.deleteFrom("deletion").execute()
    const completeSince = (complete_since: number) =>
      writer.updateTable("change_state").set({ complete_since }).execute()
    await completeSince(0)
    const covered = now - 3 * aDay
    const ofGuests = { list: "guest deletions", kind: "guest deletions" } as const
    const former = { last_poll: covered, walk_completed: covered, completed_next: covered }
    const since = { acknowledged: now - 10 * aDay, acknowledged_at: covered }
    await stage.addPartner("forgetful", [{}, { ...ofGuests, ...former, ...since }])
    await stage.addPartner("fresh", [{ ...ofGuests, walk_completed: null, completed_next: null }])
    const ofItems = { list: "item deletions", kind: "item deletions" } as const
    await stage.addPartner("of items", [{ ...ofItems, completed_next: covered }])
    await stage.addDeletions(event, "tickets", now - 60)
    await stage.addDeletions(event, "guests", covered - 1, covered, now - 3600)
    const waiting = (await list()).map((
      { account, deletionsWaiting },
    ) => [account, deletionsWaiting])
    t.strictSame(waiting.filter(([, count]) => count !== 0).toSorted(), [
      ["forgetful", 2],
      ["of items", 1],
    ])
    t.match(await find("forgetful"), {
      ...{ state: "behind", deletionsWaiting: 2, moreDeletionsWaiting: false, lag: 3 * aDay },
      daysUntilResync: 87 - 1 / aDay,
    })
    await completeSince(now - 9 * aDay)
    t.match(await find("forgetful"), { daysUntilResync: -1 })
    await stage.addDeletions(event, "guests", ...Array.from({ length: 150 }, () => now - 60))
    t.match(await find("forgetful"), { deletionsWaiting: 100, moreDeletionsWaiting: true })
  })
})
