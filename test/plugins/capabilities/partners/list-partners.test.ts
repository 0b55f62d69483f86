import t from "tap"
import { findPartner } from "../../../../plugins/capabilities/partners/find-partner.ts"
import { listPartners } from "../../../../plugins/capabilities/partners/list-partners.ts"
import { readPartnerNumbers } from "../../../../plugins/capabilities/partners/partner-numbers.ts"
import { countDeletions } from "../../../../plugins/capabilities/partners/waiting-deletions.ts"
import { Builder } from "../../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"
import { withinOneSecond } from "../../../support/one-second.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

const retention = 90 * 86_400
const minute = 60
const aDay = 86_400

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const build = new Builder(database)
  const { writer, dialect } = database
  const { now } = await writer.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
  const event = await build.event(await build.organization("acme"))
  const other = await build.event(await build.organization("other"))
  await build.guest(event, { updated: now - 30 * minute })
  await build.guest(other, { updated: now - 30 * minute })

  const ids = new Map<string, string>()
  /** Adds an account with a list that it completed a walk of, `own` minutes ago. */
  const partner = async (
    name: string,
    own: Parameters<typeof emptyRow>[0] | Record<string, unknown> = {},
    role: "partner" | "service" | "operator" = "partner",
  ) => {
    const account_id = await build.account(name, role)
    ids.set(name, account_id)
    await build.grant(name, { event })
    const walk = now - 10
    await writer.insertInto("sync_state").values(emptyRow({
      account_id,
      event_id: event,
      last_poll: walk,
      poll_interval: 60,
      walk_started: walk,
      walk_since: walk - 60,
      walk_next: walk - 2,
      walk_completed: walk,
      completed_next: walk - 2,
      ...own,
    })).execute()
    return account_id
  }

  await partner("well", {}, "service")
  const late = now - 40 * minute
  await partner("person", { walk_completed: late, completed_next: late }, "operator")
  await partner("late", {
    records: 7,
    walk_completed: late,
    completed_next: late,
    previous_started: late,
  })
  await partner("given-up", {
    event_id: other,
    walk_completed: late,
    completed_next: late,
    previous_started: late,
  })
  await partner("stuck", {
    walk_completed: null,
    completed_next: null,
    previous_started: now - 60,
    third_started: now - 120,
    first_started: now - 300,
  })
  for (const [name, hours] of [["silent", 2], ["long silent", 5], ["b", 3], ["a", 3]] as const) {
    await partner(name, { last_poll: now - hours * 3600 })
  }
  const locked = await partner("locked", { last_poll: now - 20 })
  await writer.insertInto("account_activity").values({
    account_id: locked,
    refused: now - 5,
    refused_code: "unauthenticated",
    refused_request: "r-1",
    refused_session: "s",
    refused_address: "192.0.2.1",
  }).execute()
  const guessed = await partner("guessed")
  await writer.insertInto("session").values({
    id: crypto.randomUUID(),
    account_id: guessed,
    created: now,
    expires: now + aDay,
  }).execute()
  await writer.insertInto("account_activity").values({ account_id: guessed, refused: now })
    .execute()
  // Whoever guesses a password locks out who has no session; an ended session is the partner's own.
  const wrong = await partner("wrong", { last_poll: now - 30 })
  const half = await partner("half", { last_poll: now - 40 })
  await writer.insertInto("session")
    .values({ id: crypto.randomUUID(), account_id: half, created: now, expires: now + aDay })
    .execute()
  await writer.insertInto("account_activity").values([
    { account_id: wrong, refused: now },
    { account_id: half, refused: now, refused_session: "s" },
    { account_id: await partner("returned", { last_poll: now - 30 }), refused: now - 20 },
  ]).execute()
  await writer.updateTable("account_activity").set({ last_log_in: now - 15 })
    .where("account_id", "=", ids.get("returned") ?? "").execute()
  await partner("patient", { poll_interval: aDay, completed_next: late, walk_completed: late })
  const back = await partner("back", { last_poll: now - 5 })
  await writer.insertInto("account_activity").values({ account_id: back, refused: now - 20 })
    .execute()
  await build.account("new")
  await partner("off", { walk_completed: late, completed_next: late })
  await writer.updateTable("account").set({ disabled: 1 }).where("username", "=", "off").execute()
  const failing = await build.account("failing")
  await writer.insertInto("sync_state").values(emptyRow({
    account_id: failing,
    event_id: "",
    error_at: now - 5,
    error_status: 404,
    error_code: "event_not_found",
    error_request: "r-2",
  })).execute()

  await t.test("listPartners tells the state of each partner, the worst first, and leaves operators out", async (t) => {
    const found = await listPartners(database, { retention, at: now })
    t.strictSame(found.map(({ account, state }) => [account, state]), [
      ["half", "locked out"],
      ["wrong", "locked out"],
      ["locked", "locked out"],
      ["failing", "no access"],
      ["stuck", "stuck"],
      ["long silent", "silent"],
      ["a", "silent"],
      ["b", "silent"],
      ["silent", "silent"],
      ["late", "behind"],
      ["new", "never polled"],
      ["given-up", "partial"],
      ["back", "in sync"],
      ["guessed", "in sync"],
      ["patient", "in sync"],
      ["returned", "in sync"],
      ["well", "in sync"],
      ["off", "disabled"],
    ])
    const of = (name: string) => found.find(({ account }) => account === name)
    t.strictSame(of("late"), {
      ...{ accountId: ids.get("late"), account: "late", role: "partner", state: "behind" },
      reason: "1 of 1 list has changes that it has not fetched, the furthest since 40 min ago.",
      ...{ since: late, lastPoll: now - 10, lastCompleted: late, lastLogIn: null },
      ...{ pollInterval: 60, lists: 1, stuck: 0, behind: 1, lag: 40 * minute },
      ...{ skipping: 0, ahead: 0, partial: 0, unreadEvents: 0 },
      ...{ daysUntilResync: null, deletionsWaiting: 0, moreDeletionsWaiting: false, records: 7 },
      ...{
        lastError: null,
        noAccess: null,
        refused: null,
        sessionEnds: null,
        sessions: 0,
        muted: null,
      },
    })
    t.match(of("late"), { behind: 1, lists: 1, lag: 40 * minute, since: late })
    t.match(of("locked"), { since: now - 20, refused: { requestId: "r-1", address: "192.0.2.1" } })
    t.match(of("failing"), {
      lastError: { code: "event_not_found", requestId: "r-2", status: 404 },
    })
    t.match(of("stuck"), { stuck: 1, since: now - 300 })
    t.equal(of("silent")?.reason, "It has sent no request for 2 h.")
    const { created } = await writer.selectFrom("account").select("created")
      .where("username", "=", "new").executeTakeFirstOrThrow()
    t.match(of("new"), { since: created, lists: 0, stuck: 0, records: 0, lastPoll: null })
    for (const { reason } of found) t.match(reason, /\.$/)
  })

  await t.test("listPartners knows of sessions, refusals, errors, and of all that a partner is behind with", async (t) => {
    const north = await build.organization("north")
    const [gala, ball, gone] = [await build.event(north), await build.event(north), "gone"]
    for (const id of [gala, ball]) await build.guest(id, { updated: now - 20 * minute })
    const id = await partner("busy", { poll_interval: 300, error_at: now - 90, error_status: 400 })
    await build.grant("busy", { organization: "north" })
    const row = (event_id: string, list: string, own: Parameters<typeof emptyRow>[0] | object) =>
      emptyRow({
        ...{ account_id: id, event_id, list, last_poll: now - 60, walk_started: now - 60 },
        ...{ walk_completed: now - 500, records: 2, ...own },
      })
    await writer.insertInto("sync_state").values([
      row(gala, "guests", { completed_next: now - 3000, poll_interval: 120 }),
      row(gala, "guests again", { completed_next: now - 4000, error_at: now - 80 }),
      row(ball, "guests", {
        ...{ completed_next: null, first_started: now - 3500, walk_completed: now - 400 },
        error_at: now - 70,
        ...{ error_status: 410, error_code: "resync_required", error_request: "r-7" },
      }),
      row(other, "guests", { completed_next: now - 9000 }),
      row(gone, "guests", { completed_next: now - 9000 }),
    ]).execute()
    const session = { account_id: id, created: now - 50 }
    await writer.insertInto("session").values([
      { ...session, id: crypto.randomUUID(), expires: now + 2 * aDay },
      { ...session, id: crypto.randomUUID(), expires: now + 3 * aDay },
      { ...session, id: crypto.randomUUID(), expires: now - 1 },
    ]).execute()
    await writer.insertInto("account_activity").values({
      ...{ account_id: id, last_log_in: now - 30, refused: now - 95, refused_code: "code" },
      ...{ refused_request: "r-8", refused_session: "s", refused_address: "192.0.2.2" },
    }).execute()
    const read = async () => {
      const all = await listPartners(database, { retention, at: now })
      return all.find(({ account }) => account === "busy")
    }
    t.strictSame(await read(), {
      ...{ accountId: id, account: "busy", role: "partner", state: "behind", since: now - 4000 },
      reason: "3 of 6 lists have changes that it has not fetched, the furthest since 66 min ago.",
      ...{ lastPoll: now - 10, lastCompleted: now - 10, lastLogIn: now - 30, pollInterval: 120 },
      ...{ lists: 6, stuck: 0, behind: 3, lag: 4000, daysUntilResync: null, records: 10 },
      ...{ deletionsWaiting: 0, moreDeletionsWaiting: false, sessions: 2 },
      ...{
        skipping: 0,
        ahead: 0,

        partial: 0,
        unreadEvents: 0,
        noAccess: null,
        muted: null,
      },
      lastError: {
        ...{ at: now - 70, status: 410, code: "resync_required", requestId: "r-7" },
        parameters: null,
      },
      refused: {
        ...{ at: now - 95, code: "code", requestId: "r-8", session: "s", address: "192.0.2.2" },
      },
      sessionEnds: now + 3 * aDay,
    })
    // A grant that ends later counts until then.
    const grants = writer.updateTable("access_grant").where("account_id", "=", id)
    await grants.where("organization_id", "is not", null).set({ ends: now }).execute()
    t.match(await read(), { behind: 0, lag: 0, state: "in sync", since: null })
    await grants.where("organization_id", "is not", null).set({ ends: now + 1 }).execute()
    t.match(await read(), { behind: 3, lag: 4000 })

    t.strictSame((await findPartner(database, "busy", { retention, at: now })).health, await read())
    await writer.updateTable("sync_state")
      .set({ error_status: null, completed_next: null, first_started: now - 3500 })
      .where("account_id", "=", id).where("event_id", "<>", event).execute()
    t.match(await read(), {
      ...{ behind: 3, lag: 3500, since: now - 3500 },
      lastError: { at: now - 70, status: 0 },
    })
    await writer.deleteFrom("account").where("id", "=", id).execute()
    await writer.deleteFrom("sync_state").where("account_id", "=", id).execute()
  })

  await t.test("findPartner reports a week of one account, the worst list first, and a month of ends of its grants", async (t) => {
    const id = await partner("reported", { list: "b", walk_completed: late, completed_next: late })
    const stranger = await partner("stranger")
    const stuck = { previous_started: now - 60, third_started: now - 120, walk_completed: null }
    const list = (name: string, own: Parameters<typeof emptyRow>[0] | object) =>
      emptyRow({
        ...{ account_id: id, event_id: event, list: name, last_poll: now - 10, poll_interval: 60 },
        ...{ walk_started: now - 10, walk_completed: now - 10, completed_next: now - 12, ...own },
      })
    await writer.insertInto("sync_state").values([
      list("d", { walk_started: null }),
      list("e", {}),
      list("c", { last_poll: now - 3700 }),
      list("b2", { walk_completed: late, completed_next: late - 100 }),
      list("a", stuck),
      list("f", { kind: "guest deletions", acknowledged: now - 10 * aDay }),
    ]).execute()
    const deletion = { event_id: event, category: "guests", record_id: "1", at: now - 9 * aDay }
    await writer.insertInto("deletion").values(deletion).execute()
    const counts = { polls: 1, walks: 2, records: 3, errors: 4, lag: 5 }
    const week = now - 7 * aDay
    await writer.insertInto("partner_hour").values([
      { ...counts, account_id: id, hour: now - 3600 },
      { ...counts, account_id: id, hour: week + 1 },
      { ...counts, account_id: id, hour: week },
      { ...counts, account_id: stranger, hour: now - 7200 },
    ]).execute()
    const entry = {
      ...{ action: "list", address: "", milliseconds: 1, status: 404, code: "not_available" },
      ...{ account: "reported", request_id: "r-1" },
    }
    await writer.insertInto("audit_log").values([
      { ...entry, at: week - 1 },
      { ...entry, at: week, request_id: "r-2" },
      { ...entry, at: now, account: "stranger" },
    ]).execute()
    const [south, ...events] = [
      await build.organization("south"),
      await build.event(await build.organization("west")),
      await build.event(await build.organization("east")),
      await build.event(await build.organization("far")),
    ]
    await writer.updateTable("access_grant").set({ ends: now + 30 * aDay - 1 })
      .where("account_id", "in", [id, stranger]).execute()
    const ends = [now - 30 * aDay, now - 30 * aDay + 1, now + 30 * aDay]
    for (const [index, event] of events.entries()) {
      await build.grant("reported", { event })
      await writer.updateTable("access_grant").set({ ends: ends[index] })
        .where("event_id", "=", event).execute()
    }
    await build.grant("reported", { organization: "south" })
    await writer.updateTable("access_grant").set({ ends: now }).where("organization_id", "=", south)
      .execute()
    for (
      const [account_id, expires, reason] of [
        [id, now - 90, null],
        [id, now - 80, "revoked"],
        [id, now - 100, null],
        [stranger, now - 70, null],
      ] as const
    ) {
      await writer.insertInto("session")
        .values({ id: crypto.randomUUID(), account_id, created: 1, expires, reason }).execute()
    }
    const report = async () => await findPartner(database, "reported", { retention, at: now })
    const { sentences, ...found } = await report()
    const health = { accountId: id, account: "reported", state: "stuck", lists: 6 }
    t.match(found.health, { ...health, daysUntilResync: 81 })
    t.equal(found.lists.find(({ list }) => list === "f")?.daysUntilResync, 81)
    t.match(await findPartner(database, "reported", { retention, at: now + aDay }), {
      ...{ at: now + aDay, health: { state: "silent", daysUntilResync: 80 } },
      lists: [{ state: "behind", lag: aDay + 2500 }],
    })
    for (const name of ["nobody", "person"]) {
      await t.rejects(findPartner(database, name, { retention }), `There is no partner ${name}`)
    }
    t.equal(found.at, now)
    t.strictSame(found.lists.map(({ list, state }) => [list, state]), [
      ["a", "stuck"],
      ["b2", "behind"],
      ["b", "behind"],
      ["c", "silent"],
      ["d", "partial"],
      ["e", "in sync"],
      ["f", "in sync"],
    ])
    t.strictSame(found.hours.map((each) => ({ ...each })), [
      { ...counts, hour: week + 1 },
      { ...counts, hour: now - 3600 },
    ])
    const error = { status: 404, code: "not_available", account: "reported", route: null, count: 1 }
    t.match(found.errors, [{ ...error, first: week, last: week, lastRequestId: "r-2" }])
    t.match(found.errors[0]?.advice, /does not offer this list/)
    t.equal(found.errors.length, 1)
    t.strictSame(found.grants, [
      { target: events[1], ends: now - 30 * aDay + 1 },
      { target: "south", ends: now },
      { target: event, ends: now + 30 * aDay - 1 },
    ])
    t.strictSame(found.lastSession, { ended: now - 80, reason: "revoked" })
    t.match(sentences, [/^reported is stuck/])
    await writer.insertInto("session").values({
      ...{ id: crypto.randomUUID(), account_id: id, created: 1, expires: now + 9000 },
    }).execute()
    t.equal((await report()).lastSession, null)
    const at = await withinOneSecond(
      database,
      async (now) => (await findPartner(database, "reported", { retention })).at - now,
    )
    t.equal(at, 0)
    for (const account of [id, stranger]) {
      await writer.deleteFrom("account").where("id", "=", account).execute()
      await writer.deleteFrom("sync_state").where("account_id", "=", account).execute()
    }
  })

  await t.test("readPartnerNumbers lists what is behind, without events that may not be read", async (t) => {
    const { partners, late: lists } = await readPartnerNumbers(database, { retention, at: now })
    t.equal(partners.length, 18)
    t.strictSame(
      lists,
      [
        { account: "stuck", family: "family", eventId: event, list: "guests", lag: 300 },
        { account: "late", family: "family", eventId: event, list: "guests", lag: 40 * minute },
      ].sort((a, b) => b.lag - a.lag),
    )
  })

  await t.test("readPartnerNumbers lists the thousand lists that are furthest behind, as of now unless told otherwise", async (t) => {
    const account_id = await partner("many")
    const of = { account_id, last_poll: now, walk_started: now, poll_interval: 60 }
    for (let start = 0; start < 1000; start += 250) {
      await writer.insertInto("sync_state").values(
        Array.from(
          { length: 250 },
          (_, n) =>
            emptyRow({ ...of, event_id: event, list: `${start + n}`, completed_next: start + n }),
        ),
      ).execute()
    }
    const { late: lists, now: at } = await withinOneSecond(database, async (now) => ({
      ...await readPartnerNumbers(database, { retention }),
      now,
    }))
    const lags = Array.from({ length: 1000 }, (_, n) => at - n)
    t.strictSame(lists.map(({ lag }) => lag), lags)
    await writer.deleteFrom("account").where("id", "=", account_id).execute()
    await writer.deleteFrom("sync_state").where("account_id", "=", account_id).execute()
  })

  await t.test("listPartners counts the deletions that wait, and the days until a 410", async (t) => {
    await writer.deleteFrom("deletion").execute()
    const account_id = await partner("forgetful")
    const covered = now - 3 * aDay
    await writer.insertInto("sync_state").values(emptyRow({
      account_id,
      event_id: event,
      list: "guest deletions",
      kind: "guest deletions",
      last_poll: covered,
      poll_interval: 60,
      walk_started: covered,
      walk_completed: covered,
      completed_next: covered,
      acknowledged: now - 10 * aDay,
      acknowledged_at: covered,
    })).execute()
    await writer.updateTable("change_state").set({ complete_since: 0 }).execute()
    const fresh = await partner("fresh")
    const ofItems = await partner("of items")
    await writer.insertInto("sync_state").values([
      emptyRow({
        ...{ account_id: fresh, event_id: event, list: "guest deletions", last_poll: now },
        ...{ kind: "guest deletions", walk_started: now, completed_next: null },
      }),
      emptyRow({
        ...{ account_id: ofItems, event_id: event, list: "item deletions", last_poll: now },
        ...{ kind: "item deletions", walk_started: now, completed_next: covered },
      }),
    ]).execute()
    await writer.insertInto("deletion").values({
      ...{ event_id: event, category: "tickets", record_id: crypto.randomUUID(), at: now - 60 },
    }).execute()
    for (const at of [covered - 1, covered, now - 3600]) {
      await writer.insertInto("deletion").values({
        event_id: event,
        category: "guests",
        record_id: crypto.randomUUID(),
        at,
      }).execute()
    }
    const waiting = (await listPartners(database, { retention, at: now }))
      .map(({ account, deletionsWaiting }) => [account, deletionsWaiting])
    t.strictSame(waiting.filter(([, count]) => count !== 0).toSorted(), [
      ["forgetful", 2],
      ["of items", 1],
    ])
    const [health] = await forgetful()
    t.match(health, {
      state: "behind",
      deletionsWaiting: 2,
      moreDeletionsWaiting: false,
      daysUntilResync: 87 - 1 / aDay,
      lag: 3 * aDay,
    })
    await writer.updateTable("change_state").set({ complete_since: now - 9 * aDay }).execute()
    t.match(await forgetful(), [{ daysUntilResync: -1 }])
    await writer.insertInto("deletion").values(
      Array.from({ length: 150 }, () => ({
        event_id: event,
        category: "guests",
        record_id: crypto.randomUUID(),
        at: now - 60,
      })),
    ).execute()
    t.match(await forgetful(), [{ deletionsWaiting: 100, moreDeletionsWaiting: true }])
  })

  await t.test("countDeletions counts those since the time that a list covers, 100 per list, in 50 events and kinds", async (t) => {
    const deletion = { event_id: "e", category: "guests", record_id: "" }
    const places = Array.from({ length: 51 }, (_, n) => `event ${n}`)
    const rows = [
      ...["1", "2", "3"].map((record_id, n) => ({ ...deletion, record_id, at: 1000 + n })),
      { ...deletion, category: "tickets", record_id: "1", at: 1001 },
      { ...deletion, category: "pledges", record_id: "2", at: 1002 },
      { ...deletion, category: "pledges", record_id: "3", at: 1005 },
      { ...deletion, event_id: "f", record_id: "1", at: 1001 },
      ...Array.from({ length: 100 }, (_, n) => (
        { ...deletion, event_id: "hundred", record_id: `${n}`, at: n === 0 ? 500 : 2000 + n }
      )),
      { ...deletion, event_id: "hundred", category: "tickets", record_id: "1", at: 500 },
      ...Array.from({ length: 150 }, (_, n) => (
        { ...deletion, event_id: "more", record_id: `${n}`, at: 2000 + n }
      )),
      ...places.map((event_id) => ({ ...deletion, event_id, record_id: "1", at: 5 })),
    ]
    for (let start = 0; start < rows.length; start += 100) {
      await writer.insertInto("deletion").values(rows.slice(start, start + 100)).execute()
    }
    const list = (account_id: string, event_id: string, covered: number, kind = "guest") => (
      { account_id, event_id, kind: `${kind} deletions`, covered }
    )
    const count = (...unread: Parameters<typeof countDeletions>[1][number][]) =>
      database.snapshot(async (snapshot) =>
        Object.fromEntries(await countDeletions(snapshot, unread))
      )
    t.strictSame(
      await count(
        list("ann", "e", 1001),
        list("bob", "e", 1002),
        list("carl", "e", 1000),
        list("carl", "f", 1000),
        list("dan", "e", 1002, "item"),
        list("eve", "e", 0),
        list("fay", "f", 1002),
        list("guy", "hundred", 0),
        list("hal", "hundred", 2000),
        list("ian", "more", 0),
        list("jan", "more", 2140),
        list("kim", "more", 2049),
        list("leo", "more", 2050),
        list("jan", "e", 1001),
      ),
      {
        ann: { count: 2, more: false },
        bob: { count: 1, more: false },
        carl: { count: 4, more: false },
        dan: { count: 2, more: false },
        eve: { count: 3, more: false },
        fay: { count: 0, more: false },
        guy: { count: 100, more: false },
        hal: { count: 99, more: false },
        ian: { count: 100, more: true },
        jan: { count: 12, more: false },
        kim: { count: 100, more: true },
        leo: { count: 100, more: false },
      },
    )
    t.strictSame(await count(), {})
    const everywhere = (...events: string[]) => count(...events.map((id) => list("ann", id, 0)))
    t.strictSame(await everywhere(...places.slice(1)), { ann: { count: 50, more: false } })
    t.strictSame(await everywhere(...places), { ann: { count: 50, more: true } })
    t.strictSame(await everywhere("more", "e"), { ann: { count: 103, more: true } })
  })

  async function forgetful() {
    const found = await listPartners(database, { retention, at: now })
    return found.filter(({ account }) => account === "forgetful")
  }
})
