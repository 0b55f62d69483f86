import { Buffer } from "node:buffer"
import { Readable } from "node:stream"
import { sql } from "kysely"
import mysql from "mysql2/promise"
import t, { type Test } from "tap"
import { requireResync } from "../../../plugins/capabilities/resync/require-resync.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { trackedTables, triggersOf } from "../../../core/data/triggers.ts"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { onEveryEngine } from "../../support/database.ts"
import { readExport } from "../../support/export-reader.ts"
import { freshClocked } from "../../support/polling/service.ts"

/** When pages are right again: at once; after a look at the triggers; or only after `resync`. */
type Noticed = "at once" | "by a look" | "never"

t.setTimeout(20 * 60_000)

await onEveryEngine(t, async (t, engine) => {
  const [keepsMuch, keepsNothing] = [10_000_000, 0].map((bytes) => ({
    pages: bytes,
    records: bytes,
  }))
  const caches = [keepsMuch, keepsNothing] as never
  const { url, world, instances, changes, build, organization, cookies } = await freshClocked(
    t,
    engine,
    { caches },
  )
  const { database, clock } = world
  const { writer, dialect } = database
  const run = (statement: string) => sql.raw(statement).execute(writer)
  const runAll = async (...statements: string[]) => {
    for (const statement of statements) await run(statement)
  }

  const look = async () => {
    for (const { changes } of instances) await changes.lookAtTriggers()
  }
  /** Reads all records of an event from an instance, by pages and as exports. */
  const read = async ({ app }: (typeof instances)[number], event: string, since = -1) => {
    const fetch = async (path: string) => {
      const response = await app.fetch(
        new Request(`http://localhost/acme/v1/events/${event}/${path}?since=${since}`, {
          headers: { cookie: cookies["acme-export"] ?? "" },
        }),
      )
      return { status: response.status, text: await response.text() }
    }
    const exported = async (list: string) => readExport((await fetch(`${list}/export`)).text).rows
    return {
      guests: await fetch("guests"),
      items: await fetch("items"),
      exports: [await exported("guests"), await exported("items")],
    }
  }
  /** Returns whether an instance that keeps pages and records sends what one without does. */
  const isRight = async (event: string, since = -1): Promise<boolean> => {
    const [found, truth] = await Promise.all(instances.map((each) => read(each, event, since)))
    return JSON.stringify(found) === JSON.stringify(truth)
  }
  /** Makes an event with records of all kinds, and lets the instances read it until they know it. */
  const stage = async () => {
    const event = await build.event(organization)
    const guests = await build.guests(event, 4)
    for (const guest of guests) {
      await build.consent(event, guest)
      await build.address(event, guest)
    }
    for (const category of itemCategories) await build.items(category, event, 2)
    await look()
    for (const since of [-1, 1, 2]) await isRight(event, since)
    return { event, guests }
  }

  const resync = async () => {
    await database.migrator.transaction().execute((db) => requireResync({ db, dialect }))
    await changes.look()
  }
  /** Plays a change, and checks when it is noticed, and that all is right after `resync`. */
  const play = async (
    t: Test,
    expected: Noticed,
    change: (staged: { event: string; guests: string[] }) => Promise<unknown>,
  ) => {
    for (const isLookedAt of expected === "by a look" ? [true, false] : [true]) {
      const staged = await stage()
      clock.now += 100
      await changes.look()
      await change(staged)
      if (isLookedAt) {
        t.equal(await isRight(staged.event), expected === "at once", "before a look")
        await look()
        t.equal(await isRight(staged.event), expected !== "never", "after a look")
      }
      if (!isLookedAt || expected === "never") {
        await resync()
        t.ok(await isRight(staged.event, clock.now - 50), "polls after resync, before a look")
        t.ok(await isRight(staged.event), "lists after resync")
      }
      await look()
      if (instances.some(({ changes }) => changes.isBlind)) await migrate(database)
      await look()
      t.ok(await isRight(staged.event), "in the end")
    }
  }
  const definitionOf = (name: string) => {
    const trigger = triggersOf(database).find((each) => each.name === name)
    return `create trigger ${name} ${trigger?.definition}`
  }
  /** Replaces a consent by a file. */
  const load = async (event: string, guest: string) => {
    await run("set global local_infile = 1")
    const connection = await mysql.createConnection({ uri: url, flags: ["+LOCAL_FILES"] })
    await connection.query(`set @clock = ${clock.now}`)
    await connection.query({
      sql: `load data local infile 'consents' replace into table consent
        fields terminated by ',' (event_id, guest_id, asked, status, channels)`,
      infileStreamFactory: () => Readable.from([Buffer.from(`${event},${guest},1,inactive,\n`)]),
    })
    await connection.end()
  }
  const renamed = "update guest set first_name = concat(first_name, 'x')"
  const trigger = engine === "mysql" ? "guest_update" : "guest_after_update"

  await t.test("a change is noticed at once if a trigger sees it", async (t) => {
    const other = await build.event(organization)
    const moved = await build.guest(other)
    const all: Record<string, (event: string, guest: string) => Promise<unknown>> = {
      "a version that a writer sets": (event, guest) =>
        run(`update guest set export_version = 7, first_name = concat(first_name, 'x')
          where event_id = '${event}' and id = '${guest}'`),
      "an insertion with a version": (event) => build.guest(event, { export_version: 7 }),
      "a guest who is deleted with all that cascades, and inserted again": async (event, guest) => {
        await run(`delete from guest where event_id = '${event}' and id = '${guest}'`)
        await build.guest(event, { id: guest })
      },
      "replace of a guest": (event, guest) =>
        run(`replace into guest
          (event_id, id, first_name, last_name, email, mobile, external_id, sms_opt_in)
          values ('${event}', '${guest}', 'Grace', '', '', '', '', 0)`),
      "replace of a consent": (event, guest) =>
        run(`replace into consent (event_id, guest_id, asked, status, channels)
          values ('${event}', '${guest}', 1, 'inactive', '')`),
      "a consent that moves to another event": (event, guest) =>
        run(`update consent set event_id = '${other}', guest_id = '${moved}'
          where event_id = '${event}' and guest_id = '${guest}'`),
      "all consents deleted": () => run("delete from consent"),
    }
    if (engine === "mysql") all["load data"] = load
    for (const [name, change] of Object.entries(all)) {
      const { event, guests: [guest = ""] } = await stage()
      await change(event, guest)
      t.ok(await isRight(event), name)
    }
  })

  await t.test("a trigger that was missing from one look to the next is noticed by nothing but resync", (t) =>
    play(t, "never", () => runAll(`drop trigger ${trigger}`, renamed, definitionOf(trigger))))

  if (engine === "sqlite") return

  await t.test("truncate is noticed by a look while the table is empty", (t) =>
    play(t, "by a look", () => run("truncate table pledge")))

  await t.test("truncate of any table begins another epoch", async (t) => {
    const epochOf = async () =>
      (await writer.selectFrom("change_state").select("epoch").executeTakeFirstOrThrow()).epoch
    await writer.connection().execute(async (db) => {
      await sql`set foreign_key_checks = 0`.execute(db)
      for (const table of trackedTables) {
        await stage()
        const before = await epochOf()
        await sql`truncate table ${sql.table(table)}`.execute(db)
        await look()
        t.not(await epochOf(), before, table)
      }
      await sql`set foreign_key_checks = 1`.execute(db)
    })
  })

  await t.test("truncate stays noticed when the table is filled again for others", async (t) => {
    const other = await build.event(organization)
    const guest = await build.guest(other)
    await play(t, "at once", async () => {
      await run("truncate table consent")
      await look()
      await build.consent(other, guest)
    })
  })

  await t.test("a table that another one has replaced is noticed by a look", (t) =>
    play(t, "by a look", async () => {
      await run("create table consent_new like consent")
      await run("rename table consent to consent_old, consent_new to consent")
      await run("drop table consent_old")
    }))

  await t.test("a column that is made anew with another default is noticed by a look", (t) =>
    play(t, "by a look", () =>
      runAll(
        "alter table guest drop column company_name",
        "alter table guest add column company_name varchar(200) default 'Ltd'",
      )))
})
