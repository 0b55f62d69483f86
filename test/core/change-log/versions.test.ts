import t from "tap"
import { lookUpAdmission } from "../../../core/access/admission.ts"
import { insertSession, type SessionKey } from "../../../core/access/sessions.ts"
import { foldEvent, markRange, Versions } from "../../../core/change-log/versions.ts"
import { findWatermark } from "../../../core/change-log/watermark.ts"
import type { Database } from "../../../core/data/database.ts"
import { Unavailable } from "../../../core/data/unavailable.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"
import { settleAll } from "../../support/settle.ts"

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const db = database.writer
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const account = await build.account("ann")
  const key = { session: await insertSession(database, account, 3600), epoch: 0, account }
  await build.grant("ann", { organization: "acme" })
  const open = () => new Versions(database, { log: silent, common: () => "" })
  const begin = async () => {
    const versions = open()
    const event = await build.event(organization)
    return { event, versions, version: () => versionOf(database, { versions, event, key }) }
  }
  const settle = () => settleAll(database)
  const rowsOf = (event: string) =>
    db.selectFrom("event_change").selectAll().where("event_id", "=", event).orderBy("seq").execute()

  await t.test("versionOf changes with every change of an event's records, even several per second", async (t) => {
    const { event, version } = await begin()
    const guest = await build.guest(event)
    const ofGuest = (table: "consent" | "address") =>
      db.updateTable(table)
        .where("event_id", "=", event).where("guest_id", "=", guest)
    const seen = new Set([await version()])
    const changes: (() => Promise<unknown>)[] = [
      () => build.guest(event),
      () => build.consent(event, guest),
      () => ofGuest("consent").set({ status: "inactive", channels: "" }).execute(),
      () => ofGuest("consent").set({ status: "active" }).execute(),
      () => build.address(event, guest),
      () => ofGuest("address").set({ town: "Leeds" }).execute(),
      () => ofGuest("address").set({ town: "York" }).execute(),
      () => db.deleteFrom("address").where("guest_id", "=", guest).execute(),
      () => build.item("tickets", event),
      () => db.updateTable("ticket").set({ price: 7 }).where("event_id", "=", event).execute(),
      () => db.deleteFrom("guest").where("id", "=", guest).execute(),
      () => db.updateTable("event").set({ name: "Spring Gala" }).where("id", "=", event).execute(),
    ]
    for (const [index, change] of changes.entries()) {
      await change()
      seen.add(await version())
      t.equal(seen.size, index + 2, `change ${index}`)
    }
    t.equal(await version(), [...seen].at(-1), "no change, no new version")
  })

  await t.test("versionOf ignores changes of other events, and changes that are rolled back", async (t) => {
    const { event, version } = await begin()
    await build.guest(event)
    const before = await version()
    await build.guest(await build.event(organization))
    await t.rejects(
      db.transaction().execute(async (open) => {
        await open.deleteFrom("guest").where("event_id", "=", event).execute()
        throw new Error("rolled back")
      }),
    )
    t.equal(await version(), before)
  })

  await t.test("versionOf is the same in every instance, and before and after folding", async (t) => {
    const { event, version } = await begin()
    for (let count = 0; count < 5; count++) await build.guest(event)
    const before = await version()
    t.match(before, /^6 \d+ {2}\d+$/)
    t.equal(await versionOf(database, { versions: open(), event, key }), before)
    await settle()
    t.equal(await foldEvent(database, event), 6)
    t.equal(await version(), before)
    t.equal(await foldEvent(database, event), 0)
    await db.deleteFrom("event_change").where("event_id", "=", event).execute()
    t.equal(await version(), before, "folded rows can be deleted")
    await build.guest(event)
    t.not(await version(), before)
  })

  await t.test("foldEvent sums up marks of any size", async (t) => {
    const { event, version } = await begin()
    const rows = Array.from(
      { length: 2500 },
      () => ({ event_id: event, at: 1, mark: markRange - 1 }),
    )
    await db.insertInto("event_change").values(rows).execute()
    const [first] = await rowsOf(event)
    await settle()
    await foldEvent(database, event)
    const mark = BigInt(first?.mark ?? 0) + 2500n * BigInt(markRange - 1)
    t.match(await version(), `2501 ${mark % BigInt(markRange)} `)
  })

  await t.test("versionOf differs if a server that lost changes hands out their numbers again", async (t) => {
    const { event, version } = await begin()
    await build.guest(event)
    const before = await version()
    const lost = (await rowsOf(event)).at(-1)
    await db.deleteFrom("event_change").where("seq", "=", lost?.seq ?? 0).execute()
    await db.insertInto("event_change").values({ ...lost as object, mark: 17 } as never).execute()
    t.equal((await rowsOf(event)).length, 2, "as many rows, with the same numbers")
    t.not(await version(), before)
  })

  await t.test("versionOf differs for two sets of changes of the same size", async (t) => {
    const { event, version } = await begin()
    await build.guest(event)
    await build.guest(event)
    const [, one, other] = await rowsOf(event)
    const without = async (row: typeof one) => {
      await db.deleteFrom("event_change").where("seq", "=", row?.seq ?? 0).execute()
      const found = await version()
      await db.insertInto("event_change").values(row as never).execute()
      return found
    }
    // A follower applies the second before the first; another one applies them in order.
    t.not(await without(one), await without(other))
  })

  await t.test("versionOf returns undefined without changes in the log, and while changes may go unnoticed", async (t) => {
    const { event } = await begin()
    let common: string | undefined = "1"
    const versions = new Versions(database, { log: silent, common: () => common })
    const version = () => versionOf(database, { versions, event, key })
    const before = await version()
    t.ok(before)
    common = undefined
    t.equal(await version(), undefined)
    common = "0"
    t.not(await version(), before, "it depends on what is common")
    await db.deleteFrom("event_change").where("event_id", "=", event).execute()
    t.equal(await version(), undefined)
  })

  await t.test("versionOf returns undefined for more than a thousand changes, until they are folded", async (t) => {
    const { event, versions, version } = await begin()
    await build.guests(event, 1000)
    await settle()
    t.equal(await version(), undefined, "the sum has an upper bound")
    await versions.fold()
    t.match(await version(), /^1001 /)
  })

  await t.test("two instances fold an event once", async (t) => {
    const { event, version } = await begin()
    for (let count = 0; count < 5; count++) await build.guest(event)
    const before = await version()
    await settle()
    const folded = await Promise.all([foldEvent(database, event), foldEvent(database, event)])
    t.equal(Math.max(...folded), 6)
    t.equal(await version(), before)
  })

  await t.test("a log that cannot be folded is logged once, and once when it is again", async (t) => {
    const lines: string[] = []
    const note = (_: object, message: string) => lines.push(message)
    let isAway = false
    const background = () => {
      if (isAway) throw new Unavailable("away")
      return database.background
    }
    const versions = new Versions(
      Object.create(database, { background: { get: background } }),
      { log: { ...silent, info: note, warn: note }, common: () => "", many: 0 },
    )
    const event = await build.event(organization)
    await settle()
    const failed = "cannot fold the log now; the sum of its marks takes longer"
    const again = "the log is folded again"
    for (const expected of [[failed], [failed, again], [failed, again, failed]]) {
      isAway = expected.at(-1) === failed
      for (let turn = 0; turn < 3; turn++) {
        versions.versionOf({ id: event, foldedChanges: null, foldedMark: null, recent: "1 1 1" })
        await versions.fold()
      }
      t.strictSame(lines, expected)
    }
  })

  await t.test("fold folds every event that waits, and goes on with the next call after what takes long", async (t) => {
    const versions = new Versions(database, { log: silent, common: () => "", many: 0 })
    const events = [await build.event(organization), await build.event(organization)]
    await settle()
    const foldedOf = async () => {
      for (const event of events) await versionOf(database, { versions, event, key })
      await versions.fold()
      const rows = await db.selectFrom("event_version").select("changes")
        .where("event_id", "in", events).execute()
      return rows.length
    }
    const { now } = performance
    let time = 0
    t.teardown(() => (performance.now = now))
    // On the embedded database, Kysely reads the clock twice per statement.
    performance.now = () => time += engine === "sqlite" ? 40 : 200
    t.equal(await foldedOf(), 1)
    t.equal(await foldedOf(), 2)
  })

  if (engine === "sqlite") return

  await t.test("a fold that another one has overtaken writes nothing: what that one has folded may be gone", async (t) => {
    const { event, version } = await begin()
    await settle()
    await foldEvent(database, event)
    await build.guest(event)
    await settle()
    const { promise: hasRead, resolve: onRead } = Promise.withResolvers<void>()
    const { promise: released, resolve: goOn } = Promise.withResolvers<void>()
    let results = 0
    const background = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        // It has read what is settled, what is folded, and what to add.
        if (++results !== 3) return result
        onRead()
        await released
        return result
      },
    })
    const late = foldEvent({ background, dialect: database.dialect }, event)
    await hasRead
    await build.guest(event)
    await settle()
    t.equal(await foldEvent(database, event), 2)
    await db.deleteFrom("event_change").where("event_id", "=", event).execute()
    const before = await version()
    goOn()
    t.equal(await late, 0)
    t.equal(await version(), before)
  })

  await t.test("versionOf changes with a change that is committed late, although its number is smaller", async (t) => {
    const { event, version } = await begin()
    const seen = new Set<string | undefined>()
    await db.transaction().execute(async (open) => {
      await new Builder({ writer: open } as unknown as Database).guest(event)
      await build.guest(event)
      seen.add(await version())
    })
    seen.add(await version())
    t.equal(seen.size, 2)
  })

  await t.test("foldEvent does not pass over a row of an open transaction", async (t) => {
    const { event, version } = await begin()
    await build.guest(event)
    await settle()
    await foldEvent(database, event)
    let before: string | undefined
    await db.transaction().execute(async (open) => {
      await new Builder({ writer: open } as unknown as Database).guest(event)
      await build.guest(event)
      before = await version()
      await findWatermark(database)
      t.equal(await foldEvent(database, event), 0)
      t.equal(await version(), before)
    })
    t.not(await version(), before)
    // What is settled is noted once per second.
    for (let folded = 0; folded < 2;) {
      await findWatermark(database)
      folded += await foldEvent(database, event)
    }
  })

  await t.test("fold tries an event of which nothing is settled again when more is settled", async (t) => {
    const event = await build.event(organization)
    await settle()
    await foldEvent(database, event)
    const begun: string[] = []
    const { background } = database
    const transaction = () => {
      begun.push("fold")
      return background.transaction()
    }
    const selectFrom = background.selectFrom.bind(background)
    const counted = Object.create(database, { background: { value: { transaction, selectFrom } } })
    const versions = new Versions(counted, { log: silent, common: () => "", many: 0 })
    const poll = async () => {
      await versionOf(database, { versions, event, key })
      await versions.fold()
      return begun.length
    }
    await db.transaction().execute(async (open) => {
      await new Builder({ writer: open } as unknown as Database).guest(event)
      await build.guest(event)
      t.equal(await poll(), 1)
      t.equal(await poll(), 1, "nothing more is settled")
    })
    await settle()
    t.ok(await poll() > 1)
    t.match(await versionOf(database, { versions, event, key }), /^3 /)
  })
})

async function versionOf(
  database: Database,
  { versions, event, key }: { versions: Versions; event: string; key: SessionKey },
): Promise<string | undefined> {
  const question = { key, idle: 0, address: "", eventId: event, tables: [] }
  const caller = await database.readOnce((reader) => lookUpAdmission(reader, question))
  return caller?.event && versions.versionOf(caller.event)
}
