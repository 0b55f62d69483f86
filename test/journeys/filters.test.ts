import process from "node:process"
import { setTimeout } from "node:timers/promises"
import fc from "fast-check"
import { sql } from "kysely"
import t from "tap"
import { pruneChangeLog } from "../../core/change-log/prune.ts"
import { settleFilters } from "../../plugins/capabilities/filters/change-filters.ts"
import presence from "../../plugins/capabilities/presence/capability.ts"
import { guestDefaults, past } from "../support/builder.ts"
import { type Engine, onEveryEngine } from "../support/database.ts"
import { histories, HistoryPlayer, watchNames } from "../support/filters/histories.ts"
import { type FilterName, passes } from "../support/filters/passes.ts"
import { chosen, FilterWorld, guestId, unfiltered } from "../support/filters/world.ts"
import type { Get } from "../support/partner/reply.ts"
import { settleAll } from "../support/settle.ts"

/** Returns the numbers of guests, in order. */
function numbersOf(rows: readonly { readonly id: string }[]): string {
  return rows.map(({ id }) => id.at(-1)).sort().join("")
}

/** Creates a trigger that refuses every change of the filters of one organization. */
const refusingNorth: Readonly<Record<Engine, string>> = {
  sqlite: `create trigger refuse_north before update on list_filter when new.organization = 'north'
    begin select raise(abort, 'refused'); end`,
  mysql: `create trigger refuse_north before update on list_filter for each row
    if new.organization = 'north' and new.filter <> old.filter then
      signal sqlstate '45000' set message_text = 'refused';
    end if`,
}

await onEveryEngine(t, async (t, engine) => {
  await t.test("a family with a filter has only those guests", async (t) => {
    const world = await FilterWorld.open(t, engine, "email")
    const { build } = world.workshop
    const [event = ""] = world.events
    const channels = ["email", "sms, EMAIL", "sms", ""]
    for (const [number, each] of channels.entries()) {
      const id = await build.guest(event, { id: guestId(number + 1), updated: past })
      await build.consent(event, id, { channels: each })
    }
    const off = await build.guest(event, { id: guestId(8), updated: past })
    await build.consent(event, off, { status: "inactive" })
    await build.guest(event, { id: guestId(9), updated: past })
    const base = `${chosen}/events/${event}`
    const json = async (path: string) => JSON.parse((await world.get(`${base}/${path}`)).text)
    for (let round = 0; round < 3; round++) {
      t.equal(numbersOf(await json("guests?since=-1")), "12")
    }
    t.equal(numbersOf(await json("guests?since=-1&offset=1")), "1")
    t.equal(numbersOf(await json("guests?since=-1&q=e")), "12")
    t.equal((await json("guests/digest")).count, 2)
    t.equal((await json("guests/digest?of=content")).count, 2)
    t.equal((await json("changes")).changes.length, 2)
    t.equal((await world.get(`${base}/guests/${guestId(2)}`)).status, 200)
    t.equal((await world.get(`${base}/guests/${guestId(3)}`)).status, 404)
    t.equal((await world.get(`${base}/guests/export`)).text.split('"id"').length, 3)
    t.strictSame(await json("guests/deletions?since=-1"), [])
    const { writer } = world.workshop.database
    await writer.deleteFrom("guest").where("event_id", "=", event).where("id", "in", [
      guestId(9),
      guestId(3),
    ]).execute()
    t.strictSame(await json("guests/deletions?since=-1"), [])
    await writer.updateTable("consent").set({ channels: "sms" }).where("guest_id", "=", guestId(2))
      .execute()
    t.equal(numbersOf(await json("guests/deletions?since=-1")), "2")
    t.equal(numbersOf(await json("guests?since=-1")), "1")
    await writer.deleteFrom("guest").where("event_id", "=", event).where("id", "=", guestId(1))
      .execute()
    t.equal(numbersOf(await json("guests/deletions?since=-1")), "12")
    t.equal(numbersOf(await json("guests?since=-1")), "")
  })

  await t.test("after a reload with another filter, exactly what it costs and brings arrives", async (t) => {
    const world = await FilterWorld.open(t, engine, "all")
    const [event = ""] = world.events
    await world.guests(event, ["email", "sms", "email,sms", "", null])
    await world.guests(world.events[1] ?? "", [null])
    const base = `${chosen}/events/${event}`
    const reader = world.feedReader(event)
    const lists = world.reader(event, { by: "cursor", keeps: "Next-Since", sendsTags: true })
    const other = world.feedReader(event, unfiltered)
    const poll = async (each: typeof reader) => {
      const told = watchNames(each.copy)
      do await each.read()
      while (each.isInterrupted)
      const named = (isDeletion: boolean) =>
        numbersOf([...told].filter(([, deleted]) => deleted === isDeletion).map(([id]) => ({ id })))
      return [named(false), named(true)]
    }
    t.strictSame(await poll(reader), ["12345", ""])
    t.strictSame(await poll(lists), ["12345", ""])
    t.strictSame(await poll(other), ["12345", ""])
    const seen = (await world.get(`${base}/guests?since=-1`)).headers.get("etag") ?? ""
    t.not(seen, "")
    const steps = [
      ["email", "", "245"],
      ["consented", "2", ""],
      ["sms", "", "1"],
      ["email", "1", "2"],
      ["all", "245", ""],
    ] as const
    let [brought, cost] = ["", ""]
    for (const [filter, gained, lost] of steps) {
      const effects = await world.effectsOf(filter)
      const own = effects.find((effect) => effect.event === event)
      t.strictSame([own?.gained ?? 0, own?.lost ?? 0], [gained.length, lost.length])
      await world.change(filter)
      await world.settled()
      const before = { gained: brought, lost: cost }
      brought += gained
      cost += lost
      for (const [name, each] of [["the feed", reader], ["lists", lists]] as const) {
        const [changes = "", deletions = ""] = await poll(each)
        // Of the last two seconds, everything comes again.
        const isRight = (told: string, now: string, former: string) =>
          [...now].every((id) => told.includes(id)) &&
          [...told].every((id) => `${now}${former}`.includes(id))
        t.ok(isRight(changes, gained, before.gained), `${name} after ${filter} has ${changes}`)
        t.ok(isRight(deletions, lost, before.lost), `${name} after ${filter} deletes ${deletions}`)
      }
      t.strictSame((await poll(other))[1], "", "a family without a filter loses nobody")
      const again = await world.get(`${base}/guests?since=-1`, { "if-none-match": seen })
      t.equal(again.status, 200)
      const rows = await world.rows()
      const expected = rows.filter((row) => row.event === event && passes(filter, row))
      t.equal(numbersOf(JSON.parse(again.text)), numbersOf(expected))
    }
  })

  await t.test("a withdrawal of long ago changes is a deletion of now, and moves changed of its event", async (t) => {
    const world = await FilterWorld.open(t, engine, "email")
    const [event = ""] = world.events
    await world.guests(event, ["email", "email", "sms", null])
    const { database } = world.workshop
    const base = `${chosen}/events`
    const changed = async () =>
      JSON.parse((await world.get(base)).text)
        .find(({ id }: { id: string }) => id === event).changed
    const json = async (path: string) =>
      JSON.parse((await world.get(`${base}/${event}/${path}`)).text)
    t.equal(await changed(), past)
    const { now } = await database.writer.selectNoFrom(database.dialect.now.as("now"))
      .executeTakeFirstOrThrow()
    await database.writer.deleteFrom("guest").where("event_id", "=", event)
      .where("id", "in", [guestId(3), guestId(4)]).execute()
    t.equal(await changed(), past, "what was never chosen")
    await database.writer.updateTable("consent").set({ status: "inactive" })
      .where("event_id", "=", event).where("guest_id", "=", guestId(1)).execute()
    const [gone] = await json(`guests/deletions?since=${now}`)
    t.match(gone, { id: guestId(1) })
    t.ok(gone.deleted >= now)
    t.ok(await changed() >= now)
    t.equal(numbersOf(await json("guests/deletions?since=-1")), "1")
    await database.writer.updateTable("consent").set({ status: "active" })
      .where("event_id", "=", event).where("guest_id", "=", guestId(1)).execute()
    t.strictSame(await json("guests/deletions?since=-1"), [])
    t.equal(numbersOf(await json(`guests?since=${now}`)), "1", "who comes back is a change")
  })

  await t.test("pages by offset skip nobody when guests before them leave the filter", async (t) => {
    const world = await FilterWorld.open(t, engine, "email")
    const [event = ""] = world.events
    await world.guests(event, ["email", "email", "email", "email", "email", "email"])
    const page = async (offset: number) =>
      numbersOf(JSON.parse(
        (await world.get(`${chosen}/events/${event}/guests?since=-1&limit=2&offset=${offset}`))
          .text,
      ))
    t.equal(await page(0), "56")
    const { writer } = world.workshop.database
    await writer.updateTable("consent").set({ channels: "sms" }).where("event_id", "=", event)
      .where("guest_id", "in", [guestId(5), guestId(6)]).execute()
    for (let round = 0; round < 3; round++) t.equal(await page(2), "34")
    t.equal(await page(4), "12")
  })

  await t.test("no page of a process with another filter counts, by its tag or from a cache", async (t) => {
    const world = await FilterWorld.open(t, engine, "all")
    const [event = ""] = world.events
    await world.guests(event, ["email", null])
    const path = `${chosen}/events/${event}/guests?since=-1`
    const former = await world.get(path)
    const tag = former.headers.get("etag") ?? ""
    t.not(tag, "")
    t.equal(numbersOf(JSON.parse(former.text)), "12")
    const next = await world.beside("email")
    for (let round = 0; round < 3; round++) {
      const reply = await next(path, { "if-none-match": tag })
      t.equal(reply.status, 200)
      t.equal(numbersOf(JSON.parse(reply.text)), "1")
    }
  })

  await t.test("no tag counts of a page that a process made by a former filter after another one came into force", async (t) => {
    const world = await FilterWorld.open(t, engine, "all")
    const [event = ""] = world.events
    await world.guests(event, ["email", null])
    const path = `${chosen}/events/${event}/guests?since=-1`
    // It does not notice another filter for minutes, so the event has one version for both.
    const former = await world.beside("all", { every: 60_000 })
    const next = await world.beside("email")
    await world.settled()
    const made = await former(path)
    t.equal(numbersOf(JSON.parse(made.text)), "12")
    const tag = made.headers.get("etag") ?? ""
    t.not(tag, "")
    const reply = await next(path, { "if-none-match": tag })
    t.equal(reply.status, 200)
    t.equal(numbersOf(JSON.parse(reply.text)), "1")
  })

  await t.test("a process refuses lists of guests while another one has another filter in force", async (t) => {
    const world = await FilterWorld.open(t, engine, "sms")
    const [event = ""] = world.events
    await world.guests(event, ["email", "sms"])
    const base = `${chosen}/events/${event}`
    const paths = ["guests", "guests/deletions", "guests/digest", "guests/export", "changes"]
    const statuses = async (get: Get) => {
      const found: number[] = []
      for (const path of paths) found.push((await get(`${base}/${path}`)).status)
      return found
    }
    const isEach = (status: number) => paths.map(() => status)
    t.strictSame(await statuses(world.get), isEach(200))
    const next = await world.beside("email")
    while ((await statuses(world.get)).includes(200)) await setTimeout(10)
    t.strictSame(await statuses(world.get), isEach(503))
    t.strictSame(await statuses(next), isEach(200))
    t.equal((await world.get(`${unfiltered}/events/${event}/guests`)).status, 200)
    t.equal((await world.get(`${chosen}/events`)).status, 200)
    await world.change("email")
    t.strictSame(await statuses(world.get), isEach(200))
    t.equal(numbersOf(JSON.parse((await world.get(`${base}/guests?since=-1`)).text)), "1")
  })

  await t.test("a reload that is refused at one organization changes the filter of none", async (t) => {
    const world = await FilterWorld.open(t, engine, "sms")
    const [event = ""] = world.events
    await world.guests(event, ["email", "sms"])
    const { database } = world.workshop
    const settle = async (filter: FilterName) => {
      const own = await world.listsWith(filter)
      const lists = [...own, ...own.map((list) => ({ ...list, organization: "north" }))]
      const log = { debug() {}, info() {}, warn() {}, error() {} }
      const { signal: draining } = new AbortController()
      const open = async () => {}
      return await settleFilters(database, lists, { open, log, draining, every: 25 })
    }
    await (await settle("sms"))(Promise.resolve())
    await sql.raw(refusingNorth[engine]).execute(database.writer)
    await t.rejects(settle("email"))
    const rows = await database.writer.selectFrom("list_filter").select(["organization", "filter"])
      .where("scope", "like", `${chosen}%`).orderBy("organization").execute()
    t.strictSame(rows.map(({ filter }) => filter), ["consented sms", "consented sms"])
    const told = await world.get(`${chosen}/events/${event}/guests/deletions?since=-1`)
    t.strictSame([told.status, told.text], [200, "[]"])
    await sql`drop trigger refuse_north`.execute(database.writer)
    await (await settle("email"))(Promise.resolve())
    const { length } = await database.writer.selectFrom("list_filter").selectAll()
      .where("filter", "=", "consented email").execute()
    t.equal(length, 2)
  })

  await t.test("a reload or start that fails once its filters are settled changes none of them", async (t) => {
    const world = await FilterWorld.open(t, engine, "sms")
    const [event = ""] = world.events
    await world.guests(event, ["email", "sms"])
    const { open } = presence
    t.teardown(() => Object.assign(presence, { open }))
    Object.assign(presence, {
      open() {
        throw new Error("cannot be opened")
      },
    })
    await t.rejects(world.change("email"), { message: /cannot be opened/ })
    await t.rejects(world.beside("all"), { message: /cannot be opened/ })
    const { writer } = world.workshop.database
    const rows = await writer.selectFrom("list_filter").select(["filter", "former"])
      .where("scope", "like", `${chosen}%`).execute()
    t.strictSame(rows.map((row) => ({ ...row })), [{ filter: "consented sms", former: null }])
    const told = writer.selectFrom("departure").select("kind").where("scope", "<>", "")
    t.strictSame(await told.execute(), [])
    const base = `${chosen}/events/${event}`
    t.equal(numbersOf(JSON.parse((await world.get(`${base}/guests?since=-1`)).text)), "2")
    t.equal((await world.get(`${base}/guests/deletions?since=-1`)).text, "[]")
    Object.assign(presence, { open })
    await world.change("email")
    t.equal(numbersOf(JSON.parse((await world.get(`${base}/guests?since=-1`)).text)), "1")
    t.equal(
      numbersOf(JSON.parse((await world.get(`${base}/guests/deletions?since=-1`)).text)),
      "2",
    )
  })

  // The embedded database has one writer at a time.
  if (engine === "mysql") {
    await t.test("a guest of a transaction that began before another filter, and ends after it, is told as a deletion", async (t) => {
      const world = await FilterWorld.open(t, engine, "all")
      const [event = ""] = world.events
      await world.guests(event, [null, null, null, "email"])
      const { database } = world.workshop
      const late = await database.writer.startTransaction().setIsolationLevel("read committed")
        .execute()
      await database.dialect.keepHistory?.begin.execute(late)
      for (const guest of [5, 6]) {
        const row = { ...guestDefaults, event_id: event, id: guestId(guest), updated: past + 1 }
        await late.insertInto("guest").values(row).execute()
      }
      const consent = { event_id: event, asked: 1, status: "active", channels: "email" } as const
      await late.insertInto("consent").values({ ...consent, guest_id: guestId(6) }).execute()
      await late.updateTable("guest").set({ updated: past + 1 }).where("event_id", "=", event)
        .where("id", "=", guestId(1)).execute()
      await database.dialect.keepHistory?.end.execute(late)
      const lists = await world.listsWith("email")
      const log = { debug() {}, info() {}, warn() {}, error() {} }
      const { signal: draining } = new AbortController()
      const open = async () => {}
      const follow = await settleFilters(database, lists, { open, log, draining, every: 25 })
      await late.commit().execute()
      // As the former process may have sent it by now.
      await follow(Promise.resolve())
      const told = await database.writer.selectFrom("departure").select("record_id as id")
        .where("scope", "<>", "").where("kind", "=", "lost").execute()
      // The first guest has been told, but was changed in the transaction.
      t.equal(numbersOf(told), "11235")
      const next = await world.beside("email")
      const base = `${chosen}/events/${event}`
      const gone = await next(`${base}/guests/deletions?since=-1`)
      t.equal(numbersOf(JSON.parse(gone.text)), "1235")
      t.equal(numbersOf(JSON.parse((await next(`${base}/guests?since=-1`)).text)), "46")
    })
  }

  await t.test("who comes and goes by the former filter, while the next one comes into force, is told as a deletion", async (t) => {
    const world = await FilterWorld.open(t, engine, "sms")
    const [event = ""] = world.events
    await world.guests(event, ["sms", "", "", "", null])
    const { database } = world.workshop
    const lists = await world.listsWith("email")
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    const { signal: draining } = new AbortController()
    const open = async () => {}
    const follow = await settleFilters(database, lists, { open, log, draining, every: 25 })
    const consent = async (guest: number, channels: string) =>
      void await database.writer.updateTable("consent").set({ status: "active", channels })
        .where("event_id", "=", event).where("guest_id", "=", guestId(guest)).execute()
    for (const guest of [2, 3, 4]) await consent(guest, "sms")
    await consent(2, "")
    await consent(4, "email")
    await database.writer.deleteFrom("guest").where("event_id", "=", event)
      .where("id", "in", [guestId(3), guestId(5)]).execute()
    await follow(Promise.resolve())
    const next = await world.beside("email")
    const told = await next(`${chosen}/events/${event}/guests/deletions?since=-1`)
    t.equal(numbersOf(JSON.parse(told.text)), "123")
    t.equal(
      numbersOf(JSON.parse((await next(`${chosen}/events/${event}/guests?since=-1`)).text)),
      "4",
    )
  })

  await t.test("whom a list never had is not named, although all filters are of one second", async (t) => {
    const world = await FilterWorld.open(t, engine, "sms")
    const [event = ""] = world.events
    await world.guests(event, ["email", "sms"])
    const { writer } = world.workshop.database
    // The time of a change is a second: long ago enough, all is after it.
    const change = async (filter: FilterName) => {
      await world.change(filter)
      await writer.updateTable("list_filter").set({ at: past }).execute()
      await world.settled()
    }
    await writer.updateTable("consent").set({ channels: "" }).where("event_id", "=", event)
      .where("guest_id", "=", guestId(1)).execute()
    await change("email")
    await change("sms")
    const told = await world.get(`${chosen}/events/${event}/guests/deletions?since=-1`)
    t.equal(numbersOf(JSON.parse(told.text)), "")
  })

  await t.test("a list that has no filter any more tells the same deletions, also after a reload that changes nothing", async (t) => {
    const world = await FilterWorld.open(t, engine, "email")
    const [event = "", other = ""] = world.events
    await world.guests(event, ["email", "email", null])
    await world.guests(other, ["email", "email", "email"])
    const { writer } = world.workshop.database
    for (const each of [other, event]) {
      await writer.deleteFrom("guest").where("event_id", "=", each)
        .where("id", "in", [guestId(2), guestId(3)]).execute()
    }
    const told = async (event: string) => {
      const { text } = await world.get(`${chosen}/events/${event}/guests/deletions?since=-1`)
      return numbersOf(JSON.parse(text))
    }
    const toldOfBoth = async () => [await told(event), await told(other)]
    t.strictSame(await toldOfBoth(), ["2", "23"])
    for (let reload = 0; reload < 2; reload++) {
      await world.change("all")
      await world.settled()
      t.strictSame(await toldOfBoth(), ["2", "23"], "one was never in the list")
    }
  })

  await t.test("the ledger never says for certain that a family with a filter was sent a guest", async (t) => {
    const world = await FilterWorld.open(t, engine, "email")
    const [event = ""] = world.events
    await world.guests(event, ["email", null])
    for (const family of [chosen, unfiltered]) {
      await world.get(`${family}/events/${event}/guests?since=-1`)
    }
    await world.service.close()
    const rows = await world.workshop.database.writer.selectFrom("disclosure")
      .select(["prefix", "whole"]).orderBy("prefix").execute()
    t.strictSame(rows.map(({ prefix, whole }) => [prefix, whole]), [[chosen, 0], [unfiltered, 1]])
  })

  await t.test("forgotten departures raise the horizon of lists with a filter only, and still count for changed", async (t) => {
    const world = await FilterWorld.open(t, engine, "email")
    const [event = ""] = world.events
    await world.guests(event, ["email", "sms"])
    const { database } = world.workshop
    const { writer } = database
    // A look would take the times that are set here for a clock that was set back.
    await world.service.close()
    await writer.deleteFrom("consent").where("event_id", "=", event).execute()
    await writer.updateTable("departure").set({ at: past + 5 }).execute()
    await writer.updateTable("event_change").set({ at: past }).execute()
    await settleAll(database)
    await pruneChangeLog(database, 86_400)
    t.strictSame(await writer.selectFrom("departure").selectAll().execute(), [])
    const get = await world.beside("email")
    const events = JSON.parse((await get(`${chosen}/events`)).text)
    t.equal(events.find(({ id }: { id: string }) => id === event).changed, past + 5)
    const horizon = async (family: string) => {
      const reply = await get(`${family}/events/${event}/guests/deletions?since=-1`)
      return [JSON.parse(reply.text), reply.headers.get("complete-since")]
    }
    t.strictSame(await horizon(chosen), [[], String(past + 6)])
    t.strictSame(await horizon(unfiltered), [[], "0"])
  })

  // HISTORIES=200 plays more.
  const numRuns = Number(process.env["HISTORIES"] ?? (engine === "mysql" ? 4 : 12))
  const timeout = 10_000 * (numRuns + 3)
  await t.test(
    "copies of a family follow its filter through any history",
    { timeout },
    async (t) => {
      const player = await HistoryPlayer.open(t, engine)
      await fc.assert(
        fc.asyncProperty(histories(engine === "mysql"), async (history) => {
          const wrong = await player.play(history)
          if (wrong.length > 0) throw new Error(wrong.join("; "))
        }),
        { numRuns },
      )
      t.pass("all are right")
    },
  )
})
