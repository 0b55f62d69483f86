import { sql } from "kysely"
import t from "tap"
import { pruneChangeLog } from "../../../../core/change-log/prune.ts"
import { RecentChanges } from "../../../../plugins/capabilities/waiting/recent-changes.ts"
import { foldEvent } from "../../../../core/change-log/versions.ts"
import { Builder } from "../../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"
import { Random } from "../../../support/random.ts"
import { settle, settleAll } from "../../../support/settle.ts"

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer } = database
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const events: string[] = []
  for (let n = 0; n < 4; n++) events.push(await build.event(organization))
  const [one = "", other = ""] = events
  const follow = async () => {
    const recent = new RecentChanges(database)
    const look = async () => (await recent.look())?.map(({ eventId }) => eventId).sort()
    t.strictSame(await look(), [], "the first look only begins")
    return look
  }
  await t.test("look finds each changed event once, with its organization", async (t) => {
    const recent = new RecentChanges(database)
    t.strictSame(await recent.look(), [])
    t.strictSame(await recent.look(), [])
    const guest = await build.guest(one)
    await build.item("tickets", one)
    const found = { eventId: one, organizationId: organization }
    t.strictSame(await recent.look(), [found])
    t.strictSame(await recent.look(), [])
    for (
      const change of [
        () => build.consent(one, guest),
        () => build.address(one, guest),
        () =>
          writer.deleteFrom("guest").where("event_id", "=", one).where("id", "=", guest).execute(),
        () => writer.updateTable("event").set({ status: "closed" }).where("id", "=", one).execute(),
      ]
    ) {
      await change()
      await settle(database)
      t.strictSame(await recent.look(), [found])
      await settle(database)
      t.strictSame(await recent.look(), [])
    }
  })

  await t.test("look finds a change that was logged before another and committed after it", {
    skip: engine === "sqlite" && "the embedded database has one writer at a time",
  }, async (t) => {
    const look = await follow()
    const early = await writer.startTransaction().execute()
    await early.updateTable("event").set({ name: "early" }).where("id", "=", one).execute()
    await build.guest(other)
    t.strictSame(await look(), [other])
    await settle(database)
    t.strictSame(await look(), [])
    await settle(database)
    await early.commit().execute()
    t.strictSame(await look(), [one])
    await settle(database)
    t.strictSame(await look(), [])
  })

  await t.test("look finds nothing new after folding and pruning, and misses nothing then", async (t) => {
    await build.guests(one, 20)
    const look = await follow()
    await settle(database)
    await foldEvent(database, one)
    await writer.updateTable("event_change").set({ at: 1 }).execute()
    await pruneChangeLog(database, 0)
    t.strictSame(await look(), [])
    await build.guest(one)
    t.strictSame(await look(), [one])
  })

  await t.test("look cannot tell after the numbers of the log have begun again, and finds what follows", async (t) => {
    await build.guests(one, 20)
    await settleAll(database)
    const look = await follow()
    await sql`delete from event_change`.execute(writer)
    if (engine === "mysql") {
      await writer.updateTable("change_state").set({ settled: 0, top: 0 }).execute()
    } else {
      t.strictSame(await look(), [], "there are no numbers yet")
      await sql`delete from sqlite_sequence where name = 'event_change'`.execute(writer)
      await build.guest(other)
    }
    t.equal(await look(), undefined)
    t.strictSame(await look(), [])
    await build.guest(other)
    t.strictSame(await look(), [other])
  })

  await t.test("the first look that begins after a commit finds it, in whatever order rows are committed", async (t) => {
    const random = new Random(11)
    const look = await follow()
    const begin = () => writer.startTransaction().execute()
    const open: { readonly event: string; readonly trx: Awaited<ReturnType<typeof begin>> }[] = []
    const most = engine === "sqlite" ? 1 : 2
    const due = new Set<string>()
    for (let step = 0; step < 100; step++) {
      const choice = random.below(100)
      if (choice < 30 && open.length < most) {
        const event = random.pick(events.filter((id) => !open.some((each) => each.event === id)))
        const trx = await begin()
        await trx.updateTable("event").set({ name: String(step) }).where("id", "=", event).execute()
        open.push({ event, trx })
      } else if (choice < 60 && open.length > 0) {
        const ended = random.pick(open)
        open.splice(open.indexOf(ended), 1)
        const isKept = random.below(5) > 0
        await (isKept ? ended.trx.commit() : ended.trx.rollback()).execute()
        if (isKept) due.add(ended.event)
      } else if (choice < 75) {
        await settle(database)
      } else {
        t.strictSame(await look(), [...due].sort(), `step ${step}`)
        due.clear()
      }
    }
    for (const { trx } of open) await trx.rollback().execute()
  })
})
