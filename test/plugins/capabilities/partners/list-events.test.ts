import t from "tap"
import { writeAddresses } from "../../../../plugins/capabilities/partners/last-request.ts"
import { findEvent, listEvents } from "../../../../plugins/capabilities/partners/list-events.ts"
import { findReaders, readLists } from "../../../../plugins/capabilities/partners/list-health.ts"
import { listReads } from "../../../../plugins/capabilities/audit/list-reads.ts"
import { Builder } from "../../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const build = new Builder(database, { isAlone: true })
  const north = await build.organization("north")
  const south = await build.organization("south")
  const gala = await build.event(north, { name: "Gala d’été", starts: 300 })
  const ball = await build.event(north, { name: "Ball 100%", starts: 200 })
  const dinner = await build.event(south, { name: "Dinner", starts: 100 })
  const [one, two] = [await build.account("one"), await build.account("two")]
  for (
    const [account_id, event_id, list, last_poll] of [
      [one, ball, "guests", 50],
      [one, ball, "items", 60],
      [two, ball, "guests", 40],
      [two, dinner, "guests", 70],
    ] as const
  ) {
    await database.writer.insertInto("sync_state")
      .values(emptyRow({ account_id, event_id, list, last_poll })).execute()
  }
  const names = async (search: string, limit = 10) =>
    (await listEvents(database, { search, limit })).map(({ name }) => name)

  await t.test("listEvents returns events with their readers, those that were read last first", async (t) => {
    t.match(await listEvents(database, { search: "", limit: 10 }), [
      { id: dinner, organization: "south", readers: 1, lastPoll: 70 },
      { id: ball, name: "Ball 100%", organization: "north", readers: 2, lastPoll: 60, starts: 200 },
      { id: gala, readers: 0, lastPoll: null, status: "running" },
    ])
    t.strictSame(await names("", 1), ["Dinner"])
    const unread = [["b", 900], ["c", 901], ["a", 900]] as const
    for (const [id, starts] of unread) await build.event(south, { id, name: id, starts })
    t.strictSame((await names("")).slice(2), ["c", "a", "b", "Gala d’été"])
    await database.writer.deleteFrom("event").where("id", "in", unread.map(([id]) => id)).execute()
  })

  await t.test("listEvents searches names, organizations and ids, without wildcards", async (t) => {
    t.strictSame(await names("GALA"), ["Gala d’été"])
    t.strictSame(await names("d’été"), ["Gala d’été"])
    t.strictSame(await names("north"), ["Ball 100%", "Gala d’été"])
    t.strictSame(await names(dinner.slice(4, 20)), ["Dinner"])
    t.strictSame(await names("0%"), ["Ball 100%"])
    for (const none of ["100_", "%", "_", "\\", "été d", "'"]) {
      t.strictSame(await names(none), none === "%" ? ["Ball 100%"] : [], none)
    }
  })

  await t.test("findEvent returns the event of an id; undefined if there is none", async (t) => {
    t.match(await findEvent(database, ball), { name: "Ball 100%", organization: "north" })
    for (const none of ["", "Ball 100%", `${ball} `, `${ball}é`]) {
      t.equal(await findEvent(database, none), undefined, none)
    }
  })

  await t.test("findReaders says how far each account is with each list of an event, by account, family and list", async (t) => {
    const { writer } = database
    const now = 1_750_000_000
    const id = await build.event(north, { name: "Race", status: "ended" })
    const [ann, bob] = [await build.account("ann", "service"), await build.account("bob")]
    await build.grant("ann", { organization: "north" })
    for (const updated of [now - 4000, now - 3000]) await build.guest(id, { updated })
    await build.item("tickets", id, { updated: now - 900 })
    await build.guest(gala, { updated: now - 10 })
    const deletion = { event_id: id, category: "guests", at: now - 5000 }
    await writer.deleteFrom("deletion").execute()
    await writer.insertInto("deletion").values([
      { ...deletion, record_id: "1" },
      { ...deletion, record_id: "2", at: now - 5001 },
      { ...deletion, record_id: "3", at: now - 6000 },
      { ...deletion, record_id: "4", category: "tickets" },
      { ...deletion, record_id: "5", event_id: gala },
    ]).execute()
    await writer.updateTable("change_state").set({ complete_since: 0 }).execute()
    const row = (own: Partial<Parameters<typeof emptyRow>[0]>) =>
      emptyRow({ account_id: ann, event_id: id, last_poll: now - 60, ...own })
    const walk = { walk_started: now - 60, walk_completed: now - 50, poll_interval: 300 }
    const deletions = { list: "guest deletions", kind: "guest deletions", ...walk } as const
    await writer.insertInto("sync_state").values([
      row({
        ...{ prefix: "/g/v1", family: "g", ...walk, walk_since: now - 400, records: 12 },
        ...{ previous_started: now - 380, completed_next: now - 3001, acknowledged: now - 400 },
      }),
      row({ list: "items", kind: "items", first_started: now - 7000, ...walk }),
      row({ ...deletions, completed_next: now - 5001, acknowledged: now - 86_400 }),
      row({ ...deletions, list: "other deletions", completed_next: now - 5500 }),
      row({ ...deletions, list: "all deletions", completed_next: now - 4999 }),
      row({ ...deletions, list: "no deletions", first_started: now - 800, prefix: "/a/v1" }),
      row({
        ...{ account_id: bob, ...walk, completed_next: now - 2999, error_at: now - 55 },
        ...{ error_status: 404, error_code: "event_not_found", error_request: "r-1" },
      }),
      row({ account_id: bob, list: "items", kind: "items", error_at: now - 55 }),
      row({
        ...{ account_id: bob, list: "guest deletions", kind: "item deletions", ...walk },
        ...{ completed_next: now - 5000, acknowledged: now - 86_400 },
      }),
      row({ ...deletions, prefix: "/a/v1", completed_next: now - 5000 }),
      row({ event_id: gala, list: "events" }),
    ]).execute()

    const read = async () => await findReaders(database, id, { retention: 90 * 86_400, at: now })
    const found = await read()
    const days = "days until resync"
    t.strictSame(
      found.map((each) => ({
        of: `${each.account} ${each.prefix} ${each.list}`,
        ...{ state: each.state, lag: each.lag, waiting: each.deletionsWaiting },
        ...each.daysUntilResync !== null && { [days]: each.daysUntilResync },
      })),
      [
        { of: "ann /a/v1 guest deletions", state: "behind", lag: 5000, waiting: 1 },
        { of: "ann /a/v1 no deletions", state: "behind", lag: 800, waiting: 0 },
        { of: "ann /f/v1 all deletions", state: "in sync", lag: 0, waiting: 0 },
        { of: "ann /f/v1 guest deletions", state: "behind", lag: 5001, waiting: 2, [days]: 89 },
        { of: "ann /f/v1 items", state: "behind", lag: 7000, waiting: 0 },
        { of: "ann /f/v1 other deletions", state: "behind", lag: 5500, waiting: 2 },
        { of: "ann /g/v1 guests", state: "behind", lag: 3001, waiting: 0 },
        { of: "bob /f/v1 guest deletions", state: "no access", lag: 5000, waiting: 1, [days]: 89 },
        { of: "bob /f/v1 guests", state: "no access", lag: 0, waiting: 0 },
        { of: "bob /f/v1 items", state: "no access", lag: 0, waiting: 0 },
      ],
    )
    t.match(found.find(({ family }) => family === "g"), {
      ...{ account: "ann", eventName: "Race", eventStatus: "ended", organization: "north" },
      ...{ hasGrant: true, lastPoll: now - 60, pollInterval: 300, actualInterval: 320 },
      ...{ walkSince: now - 400, walkCompleted: now - 50, covered: now - 3001 },
      ...{ newest: now - 3000, records: 12, lastError: null, skippedTo: null, asksSince: null },
    })
    t.match(found.at(-2), {
      hasGrant: false,
      lastError: { at: now - 55, status: 404, code: "event_not_found", requestId: "r-1" },
    })
    // The latest of deletions that are remembered is later than what it has acknowledged.
    await writer.updateTable("change_state").set({ complete_since: now - 43_200 }).execute()
    const late = (await read()).find(({ acknowledged }) => acknowledged === now - 86_400)
    t.equal(late?.daysUntilResync, -0.5)

    // Only a grant for the event or its organization counts, until it ends.
    const hasGrant = async () => (await read()).at(-1)?.hasGrant
    await build.grant("bob", { event: gala })
    await build.grant("bob", { organization: "south" })
    t.equal(await hasGrant(), false)
    await build.grant("bob", { event: id })
    t.equal(await hasGrant(), true)
    const limit = async (limits: { ends: number; networks?: string }) => {
      await writer.updateTable("access_grant").set(limits).where("event_id", "=", id).execute()
      return await hasGrant()
    }
    t.equal(await limit({ ends: now }), false)
    const from = { ends: now + 1, networks: "192.0.2.0/24" }
    t.equal(await limit(from), true, "nobody knows from where it requests")
    const request = { account_id: bob, at: now, address: "198.51.100.1" }
    const { signal } = new AbortController()
    await writeAddresses(database, [request], signal)
    t.equal(await limit(from), false)
    await writeAddresses(database, [{ ...request, address: "192.0.2.9" }], signal)
    t.equal(await limit(from), true)
  })

  await t.test("readLists reads all lists of one account, of no event and of events that are gone as well", async (t) => {
    const now = 1_750_000_000
    const id = await build.account("carl")
    const own = { account_id: id, last_poll: now - 60, walk_started: now - 60 }
    await database.writer.insertInto("sync_state").values([
      emptyRow({ ...own, event_id: "", list: "a", kind: "other" }),
      emptyRow({ ...own, event_id: dinner, list: "b" }),
      emptyRow({ ...own, event_id: "gone", list: "c" }),
    ]).execute()
    const by = { now, retention: 1, completeSince: 0, filters: [], hasAudit: true }
    const found = await database.snapshot((snapshot) => readLists(snapshot, by, { accountId: id }))
    t.match(found.toSorted((a, b) => a.list < b.list ? -1 : 1), [
      { eventId: null, eventName: null, organization: null, state: "in sync" },
      { eventId: dinner, eventName: "Dinner", organization: "south", state: "no access" },
      { eventId: "gone", eventName: null, eventStatus: null, hasGrant: false, state: "no access" },
    ])
    t.equal(found.length, 3)
  })

  await t.test("listReads counts the requests of a period for an event, by account and endpoint", async (t) => {
    const route = "/x/v1/events/:eventId/guests"
    const common = { action: "list", address: "192.0.2.1", request_id: "r", milliseconds: 1 }
    const entry = (at: number, account: string, status: number, event_id = ball) => (
      { ...common, at, account, status, event_id, route, sent: status === 200 ? 10 : null }
    )
    await database.writer.insertInto("audit_log").values([
      entry(99, "one", 200),
      entry(100, "one", 200),
      entry(150, "one", 404),
      entry(160, "one", 200),
      entry(170, "two", 200),
      entry(180, "two", 200, gala),
      entry(200, "one", 200),
    ]).execute()
    t.strictSame(
      (await listReads(database, ball, { since: 100, until: 200 })).map((row) => ({ ...row })),
      [
        { account: "two", route, requests: 1, errors: 0, records: 10, first: 170, last: 170 },
        { account: "one", route, requests: 3, errors: 1, records: 20, first: 100, last: 160 },
      ],
    )
    t.strictSame(await listReads(database, dinner, { since: 0, until: 1e9 }), [])
  })
})
