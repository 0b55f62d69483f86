import { setImmediate, setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import t from "tap"
import { lookUpAdmission } from "../../../core/access/admission.ts"
import type { Database } from "../../../core/data/database.ts"
import { pruneChangeLog } from "../../../core/change-log/prune.ts"
import { insertSession, type SessionKey } from "../../../core/access/sessions.ts"
import { Versions } from "../../../core/change-log/versions.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine, { timeLimit: 1 })
  const db = database.writer
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const account = await build.account("ann")
  const key = { session: await insertSession(database, account, 3600), epoch: 0, account }
  await build.grant("ann", { organization: "acme" })
  const begin = async () => {
    const versions = new Versions(database, { log: silent, pause: () => Promise.resolve() })
    t.teardown(() => versions.close())
    const event = await build.event(organization)
    return { event, versions, version: () => versionOf(database, { versions, event, key }) }
  }

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

  await t.test("versionOf returns undefined for an event without changes in the log", async (t) => {
    const { event, version } = await begin()
    await build.guest(event)
    await db.deleteFrom("change_log").where("event_id", "=", event).execute()
    t.equal(await version(), undefined)
  })

  await t.test("versionOf returns another version for the same number of changes after pruning", async (t) => {
    const { event, version } = await begin()
    await build.guest(event)
    const before = await version()
    await db.updateTable("change_log").set({ at: 1 }).where("event_id", "=", event).execute()
    await pruneChangeLog(database, 3600)
    await build.guest(event)
    t.ok(await version())
    t.not(await version(), before)
  })

  await t.test("versionOf counts from a later baseline for an event that changes often", async (t) => {
    const { event, versions, version } = await begin()
    await build.guests(event, 1500)
    t.equal(await version(), undefined, "the count has an upper bound")
    t.ok(await versions.advanceBaselines([event]))
    const settled = await version()
    t.match(settled, / 0 /)
    await build.guest(event)
    t.match(await version(), / 1 /)
  })

  if (engine === "sqlite") return

  await t.test("versionOf changes with a change that is committed late, although its number is smaller", async (t) => {
    const { event, version } = await begin()
    const seen = new Set<string | undefined>()
    await db.transaction().execute(async (open) => {
      await new Builder({ ...database, writer: open } as unknown as Database).guest(event)
      await build.guest(event)
      seen.add(await version())
    })
    seen.add(await version())
    t.equal(seen.size, 2)
  })

  await t.test("advanceBaselines does not pass over a row of an open transaction", async (t) => {
    const { event, versions, version } = await begin()
    await build.guest(event)
    await db.transaction().execute(async (open) => {
      await new Builder({ ...database, writer: open } as unknown as Database).guest(event)
      await build.guest(event)
      const before = await version()
      t.notOk(await versions.advanceBaselines([event]))
      t.equal(await version(), before)
    })
    t.ok(await versions.advanceBaselines([event]))
    t.match(await version(), / 0 /)
  })

  await t.test("advanceBaselines moves past another event's open transaction", async (t) => {
    const { event, versions, version } = await begin()
    const other = await build.event(organization)
    await db.transaction().execute(async (open) => {
      await new Builder({ ...database, writer: open } as unknown as Database).guest(other)
      await build.guest(event)
      t.ok(await versions.advanceBaselines([event]))
      t.match(await version(), / 0 /)
    })
  })

  await t.test("advanceBaselines never moves a baseline back", async (t) => {
    const { event, versions, version } = await begin()
    const other = await build.event(organization)
    await db.transaction().execute(async (open) => {
      const late = new Builder({ ...database, writer: open } as unknown as Database)
      await late.guest(other)
      await build.guest(event)
      t.ok(await versions.advanceBaselines([event]))
      const before = await version()
      await late.guest(event)
      await build.guest(other)
      t.notOk(await versions.advanceBaselines([event]))
      t.equal(await version(), before)
    })
  })

  await t.test("versionOf searches for baselines one at a time, and rests after a search in vain", async (t) => {
    const events = [await build.event(organization), await build.event(organization)]
    /** Polls with a search that begins and ends as the test says. */
    const pollWith = (rest: number) => {
      const pauses: (() => void)[] = []
      const ended: object[] = []
      const versions = new Versions(database, {
        log: { ...silent, debug: (fields) => ended.push(fields) },
        pause: () => new Promise<void>((resolve) => pauses.push(resolve)),
        many: 0,
        rest,
      })
      t.teardown(() => versions.close())
      const searches = async (polled = events) => {
        for (const event of polled) await versionOf(database, { versions, event, key })
        // The search runs beside the polls, on a connection of its own.
        await database.background.selectNoFrom(sql`1`.as("one")).execute()
        return pauses.length
      }
      const finish = async () => {
        pauses.at(-1)?.()
        for (const before = ended.length; ended.length === before;) await setImmediate()
        return ended.at(-1)
      }
      return { searches, finish }
    }
    await db.transaction().execute(async (open) => {
      for (const event of events) {
        await build.guest(event)
        await new Builder({ ...database, writer: open } as unknown as Database).guest(event)
        await build.guest(event)
      }
      const patient = pollWith(1_000_000)
      for (let turn = 0; turn < 3; turn++) t.equal(await patient.searches(), 1, "one for all")
      await patient.finish()
      t.equal(await patient.searches(), 1, "none while it rests")

      const hasty = pollWith(0)
      t.equal(await hasty.searches(), 1)
      await hasty.finish()
      t.equal(await hasty.searches(), 2, "the next one after its rest")
      await hasty.finish()

      const single = pollWith(0)
      for (const [index, event] of events.entries()) {
        t.equal(await single.searches([event]), index + 1)
        t.match(await single.finish(), { events: 1 }, "only for those that have asked since")
      }
    })
  })

  await t.test("close ends a search at once", async (t) => {
    const event = await build.event(organization)
    await build.guest(event)
    const pause = (signal: AbortSignal) => setTimeout(1_000_000, undefined, { signal })
    const versions = new Versions(database, { log: silent, pause, many: 0 })
    await versionOf(database, { versions, event, key })
    await versions.close()
    t.equal(versions.baselineOf(event), 0)
  })
})

async function versionOf(
  database: Database,
  { versions, event, key }: { versions: Versions; event: string; key: SessionKey },
): Promise<string | undefined> {
  const baseline = versions.baselineOf(event)
  const question = {
    key,
    idle: 0,
    address: "",
    eventId: event,
    tables: [],
    baseline,
  }
  const caller = await database.readOnce((reader) => lookUpAdmission(reader, question))
  return caller?.event && versions.versionOf(caller.event)
}
