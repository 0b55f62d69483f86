import t from "tap"
import { lookUpAdmission } from "../../../core/access/admission.ts"
import type { Database } from "../../../core/data/database.ts"
import { pruneChangeLog } from "../../../core/change-log/prune.ts"
import { insertSession } from "../../../core/access/sessions.ts"
import { Versions } from "../../../core/change-log/versions.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine, { timeLimit: 1 })
  const db = database.writer
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const session = await insertSession(database, await build.account("ann"), 3600)
  await build.grant("ann", { organization: "acme" })
  const begin = async () => {
    const versions = new Versions(database, { log: silent, pause: 0 })
    t.teardown(() => versions.close())
    const event = await build.event(organization)
    return { event, versions, version: () => versionOf(database, { versions, event, session }) }
  }

  await t.test("the version of an event changes with every change of its records, however many in a second", async (t) => {
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
    t.equal(await version(), [...seen].at(-1), "and not without one")
  })

  await t.test("another event's changes and those that are rolled back leave it as it is", async (t) => {
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

  await t.test("an event of which the log has nothing has no version", async (t) => {
    const { event, version } = await begin()
    await build.guest(event)
    await db.deleteFrom("change_log").where("event_id", "=", event).execute()
    t.equal(await version(), undefined)
  })

  await t.test("after pruning, as many changes as before are another version", async (t) => {
    const { event, version } = await begin()
    await build.guest(event)
    const before = await version()
    await db.updateTable("change_log").set({ at: 1 }).where("event_id", "=", event).execute()
    await pruneChangeLog(database, 3600)
    await build.guest(event)
    t.ok(await version())
    t.not(await version(), before)
  })

  await t.test("an event that changes often is counted from a later baseline, which nobody notices", async (t) => {
    const { event, versions, version } = await begin()
    await build.guests(event, 1500)
    t.equal(await version(), undefined, "nobody counts that far")
    await versions.advanceBaseline(event)
    const settled = await version()
    t.match(settled, / 0 /)
    await build.guest(event)
    t.match(await version(), / 1 /)
  })

  if (engine === "sqlite") return

  await t.test("a change that is committed late changes the version, though its number is smaller", async (t) => {
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

  await t.test("no baseline is taken while a transaction is open that has a smaller number", async (t) => {
    const { event, versions, version } = await begin()
    await db.transaction().execute(async (open) => {
      await new Builder({ ...database, writer: open } as unknown as Database).guest(event)
      await build.guest(event)
      await t.rejects(
        versions.advanceBaseline(event),
        /Lock wait timeout|execution was interrupted/,
      )
      t.equal(versions.baselineOf(event), 0)
    })
    await versions.advanceBaseline(event)
    t.match(await version(), / 0 /)
    t.not(versions.baselineOf(event), 0)
  })
})

async function versionOf(
  database: Database,
  { versions, event, session }: { versions: Versions; event: string; session: string },
): Promise<string | undefined> {
  const baseline = versions.baselineOf(event)
  const question = {
    ...{ key: { session, epoch: 0 }, idle: 0, address: "", eventId: event },
    ...{ tables: [], baseline },
  }
  const caller = await database.look((reader) => lookUpAdmission(reader, question))
  return caller?.event && versions.versionOf(caller.event)
}
