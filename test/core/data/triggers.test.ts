import fc from "fast-check"
import { type Insertable, type Kysely, sql } from "kysely"
import t from "tap"
import type { Database } from "../../../core/data/database.ts"
import type { Schema } from "../../../core/data/schema.ts"
import { loggedTables } from "../../../core/data/triggers.ts"
import { categories, type Category } from "../../../core/records/kinds/categories.ts"
import { Builder, past, withHistory } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

const columns = "first_name, last_name, email, mobile, external_id, sms_opt_in, created, updated"

/** Inserts guests like one who is there, with other ids, or replaces this one. */
const insertLike = (like: string, ids: readonly string[], { verb = "insert", version = "" } = {}) =>
  `${verb} into guest (event_id, id, ${columns}${version && ", export_version"})
    select event_id, added.added_id, ${columns}${version && `, ${version}`} from guest, (
      ${ids.map((id) => `select ${id} as added_id`).join(" union all ")}
    ) as added where event_id = {gala} and id = ${like}`

const addAddress = (kind: string) =>
  `insert into address (event_id, guest_id, kind, name, line1, town, postcode, country,
    recipient_name) values ({gala}, {bob}, '${kind}', '', '', '', '', 'GB', '')`

/**
 * By kind of change: what writers do in a transaction, and the rows of the log then, deletions with a minus. There is
 * Ada, who has a consent and an address, and Bob, who has neither, at a gala; and Ada at a ball.
 */
const writes: Readonly<
  Record<string, readonly [statements: string | string[], rows: string[], onMysql?: string[]]>
> = {
  "an insert": [insertLike("{bob}", ["{newcomer}"]), ["gala guests newcomer"]],
  "an insert of several rows, some with a version": [
    [
      insertLike("{bob}", ["'1111'", "'2222'"]),
      insertLike("{bob}", ["'3333'", "'4444'"], { version: "7" }),
      insertLike("{bob}", ["'5555'"], { version: "export_version" }),
    ],
    ["1111", "2222", "3333", "4444", "5555"].map((id) => `gala guests ${id}`),
  ],
  "an insert of what a select returns": [
    `insert into pledge (event_id, id, name, status, revenue_stream_type, categories)
      select event_id, id, first_name, '', '', '[]' from guest`,
    ["ball pledges ada", "gala pledges ada", "gala pledges bob"],
  ],
  "an insert that changes the row that is there": [
    `${insertLike("{bob}", ["{bob}"])} {or update}`,
    ["gala guests bob"],
    // The insertion is logged before it fails.
    ["gala guests bob", "gala guests bob"],
  ],
  "an insert that would change a row": [
    `${insertLike("{bob}", ["{newcomer}"])} {or update}`,
    ["gala guests newcomer"],
  ],
  "a replacement": [
    insertLike("{bob}", ["{bob}"], { verb: "replace" }),
    ["gala guests bob"],
    // In this order: that the last row is a deletion does not mean that the record is gone.
    ["gala guests bob", "-gala guests bob"],
  ],
  "an update of one row": ["update guest set mobile = '2' where id = {bob}", ["gala guests bob"]],
  "an update of several rows": [
    "update guest set mobile = '2'",
    ["ball guests ada", "gala guests ada", "gala guests bob"],
  ],
  "an update that changes no value": [
    "update guest set mobile = mobile, updated = updated where id = {bob}",
    ["gala guests bob"],
  ],
  "an update with a version": [
    "update guest set mobile = '2', export_version = 7 where id = {bob}",
    ["gala guests bob"],
  ],
  "an update of the version alone": [
    "update guest set export_version = 7 where id = {bob}",
    ["gala guests bob"],
  ],
  "an update of no row": ["update guest set mobile = '2' where id = {gala}", []],
  "a deletion of a guest with a consent and an address": [
    "delete from guest where event_id = {gala}",
    ["-gala guests ada", "-gala guests bob"],
  ],
  "a deletion of a record that is inserted again": [
    ["delete from guest where id = {bob}", insertLike("{ada}", ["{bob}"])],
    ["-gala guests bob", "gala guests bob"],
  ],
  "a new consent": [
    `insert into consent (event_id, guest_id, asked, status, channels)
      values ({gala}, {bob}, 1, 'active', 'email')`,
    ["gala guests bob"],
  ],
  "a changed consent": ["update consent set status = 'inactive'", ["gala guests ada"]],
  "a consent that stays as it is": ["update consent set asked = 1", ["gala guests ada"]],
  "a deleted consent": ["delete from consent", ["gala guests ada"]],
  "a consent that moves to another guest": [
    "update consent set guest_id = {bob}",
    ["gala guests ada", "gala guests bob"],
  ],
  "a consent that moves to another event": [
    "update consent set event_id = {ball}",
    ["gala guests ada", "ball guests ada"],
  ],
  "new addresses": [
    [addAddress("main"), addAddress("gift_aid")],
    ["gala guests bob", "gala guests bob"],
  ],
  "a changed address": ["update address set town = 'Leeds'", ["gala guests ada"]],
  "a deleted address": ["delete from address", ["gala guests ada"]],
  "an address that moves to another guest": [
    "update address set guest_id = {bob}",
    ["gala guests ada", "gala guests bob"],
  ],
  "a new event": [
    `insert into event
        (id, organization_id, name, status, currency, timezone, starts, ends, created, updated)
      select {newcomer}, organization_id, name, status, currency, timezone, starts, ends, created,
        updated from event where id = {gala}`,
    ["newcomer events null"],
  ],
  "a changed event": ["update event set name = 'Gala' where id = {gala}", ["gala events null"]],
  "a change before a savepoint, and one behind it that is undone": [
    [
      "update guest set mobile = '2' where id = {bob}",
      "savepoint here",
      "delete from guest",
      "rollback to savepoint here",
    ],
    ["gala guests bob"],
  ],
}

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const build = new Builder(database, { isAlone: true })
  const { writer: db, dialect } = database
  const organization = await build.organization("acme")
  const event = await build.event(organization)

  /** Every version that a record of the tests has had. */
  const known = new Set<number>()
  /** By a record's event and id, its version. Notes that it is known. */
  const versionsOf = async (table: string) => {
    const rows = await db.selectFrom(table as "guest").select(["event_id", "id", "export_version"])
      .execute()
    for (const { export_version } of rows) known.add(export_version)
    return new Map(rows.map((row) => [`${row.event_id} ${row.id}`, row.export_version]))
  }
  /** Makes a change. Returns the records of a table with another version, all of which are new. */
  const changedBy = async (work: () => Promise<unknown>, table = "guest"): Promise<string[]> => {
    const before = await versionsOf(table)
    const former = new Set(known)
    await work()
    const changed = [...await versionsOf(table)]
      .filter(([record, version]) => version !== before.get(record))
    for (const [record, version] of changed) {
      if (former.has(version)) throw new Error(`${record} has version ${version}, which is not new`)
      if (!Number.isSafeInteger(version)) throw new Error(`${version} is rounded`)
    }
    if (new Set(changed.map(([, version]) => version)).size < changed.length) {
      throw new Error("two records have the same version")
    }
    return changed.map(([record]) => record)
  }

  const orUpdate = engine === "mysql" ? "duplicate key update" : "conflict do update set"
  for (const [name, [statements, rows, onMysql = rows]] of Object.entries(writes)) {
    await t.test(`the log names the records of ${name}, which alone get new versions and times`, async (t) => {
      for (const table of ["guest", "pledge"] as const) await db.deleteFrom(table).execute()
      const [gala, ball] = [await build.event(organization), await build.event(organization)]
      const [ada, bob] = [crypto.randomUUID(), crypto.randomUUID()]
      const names = { gala, ball, ada, bob, newcomer: crypto.randomUUID() }
      await fill(database, names)
      await db.deleteFrom("deletion").execute()
      const { last } = await db.selectFrom("event_change")
        .select((eb) => eb.fn.max("seq").as("last")).executeTakeFirstOrThrow()

      const changed = await changedBy(() =>
        db.transaction().execute(async (db) => {
          for (const statement of [statements].flat()) {
            const text = statement.replace("{or update}", `on ${orUpdate} mobile = '2'`)
              .replaceAll(/\{(\w+)\}/g, (_, name) => `'${names[name as keyof typeof names]}'`)
            await sql.raw(text).execute(db)
          }
        })
      )

      const nameOf = (id: string | null) =>
        Object.entries(names).find(([, each]) => each === id)?.[0] ?? String(id).slice(0, 4)
      const logged = await db.selectFrom("event_change").selectAll().where("seq", ">", last)
        .orderBy("seq").execute()
      const found = logged.map(({ event_id, category, record_id, deleted }) =>
        `${deleted === 1 ? "-" : ""}${nameOf(event_id)} ${category} ${nameOf(record_id)}`
      )
      const expected = engine === "mysql" ? onMysql : rows
      // Rows of one statement may change in any order.
      if (/several|select|address$/.test(name)) t.strictSame(found.toSorted(), expected.toSorted())
      else t.strictSame(found, expected)

      const guests = await db.selectFrom("guest").selectAll().execute()
      const told = guests.filter(({ event_id, id }) =>
        logged.some((row) => row.event_id === event_id && row.record_id === id)
      )
      const ofGuests = told.filter(() => !/select/.test(name))
      t.strictSame(
        new Set(changed),
        new Set(ofGuests.map(({ event_id, id }) => `${event_id} ${id}`)),
        "versions",
      )
      // A writer of the embedded database may insert records of the past.
      if (!/insert|replacement/.test(name)) {
        t.strictSame(guests.filter(({ updated }) => updated > past), told, "times")
      }
      const events = await db.selectFrom("event").select("id").where("updated", ">", past)
        .where("id", "in", [gala, ball]).execute()
      t.strictSame(
        events.map(({ id }) => `${nameOf(id)} events null`),
        found.filter((row) => / events /.test(row) && !row.startsWith("newcomer")),
      )
      const deletions = await db.selectFrom("deletion").selectAll().execute()
      t.strictSame(
        new Set(
          deletions.map(({ event_id, category, record_id }) =>
            `-${nameOf(event_id)} ${category} ${nameOf(record_id)}`
          ),
        ),
        new Set(found.filter((row) => row.startsWith("-"))),
        "deletions",
      )
    })
  }

  for (const [table, category] of Object.entries(loggedTables)) {
    await t.test(`every insert, update and deletion of ${category} is logged, with a new version, and the deletion is kept`, async (t) => {
      const id = crypto.randomUUID()
      const here = [`${event} ${id}`]
      const add = () =>
        category === "guests" ? build.guest(event, { id }) : build.item(category, event, { id })
      const records = table as "guest"
      const update = () =>
        db.updateTable(records).set({ external_id: "2" }).where("id", "=", id).execute()
      const remove = () =>
        db.deleteFrom(records).where("event_id", "=", event).where("id", "=", id).execute()
      t.strictSame(await changedBy(add, table), here)
      t.strictSame(await changedBy(update, table), here)
      t.strictSame(await deletionsOf(database, id), [])
      await remove()
      await db.updateTable("deletion").set({ at: past }).where("record_id", "=", id).execute()
      t.strictSame(await changedBy(add, table), here, "also if it is made again as it was")
      await remove()
      const rows = await db.selectFrom("event_change").select(["category", "deleted"])
        .where("record_id", "=", id).orderBy("seq").execute()
      t.strictSame(
        rows.map(({ category, deleted }) => [category, deleted]),
        [0, 0, 1, 0, 1].map((deleted) => [category, deleted]),
      )
      const [deletion, ...others] = await deletionsOf(database, id)
      t.match(deletion, { event_id: event, category })
      t.ok(Number(deletion?.at) > past + 1000, "the last one counts")
      t.strictSame(others, [])
    })
  }

  await t.test("guest.updated takes a writer's value if it is later, and never falls", async (t) => {
    const guest = await build.guest(event)
    const future = Math.floor(Date.now() / 1000) + 1000
    for (const updated of [future, past + 10]) {
      await db.updateTable("guest").set({ updated }).where("id", "=", guest).execute()
      const row = await db.selectFrom("guest").select("updated").where("id", "=", guest)
        .executeTakeFirst()
      t.equal(row?.updated, future)
    }
  })

  await t.test("organization.updated and account.updated rise with a change", async (t) => {
    await build.account("ann")
    for (const table of ["organization", "account"] as const) {
      const stampOf = async () => {
        const rows = db.selectFrom(table).select(["updated", dialect.now.as("now")])
        return await rows.executeTakeFirstOrThrow()
      }
      await withHistory(
        database,
        (db) => db.updateTable(table).set({ updated: past + 1 }).execute(),
      )
      const { now } = await stampOf()
      await db.updateTable(table).set({ created: past + 2 }).execute()
      t.ok((await stampOf()).updated >= now, table)
    }
  })

  await t.test(
    "guest.updated is the real time, whatever the clock of the session and the start of the statement",
    {
      skip: engine === "sqlite" && "it has one clock",
    },
    async (t) => {
      const guest = await build.guest(event)
      await db.connection().execute(async (db) => {
        await sql`set timestamp = 1000000000`.execute(db)
        await db.updateTable("guest").set({ mobile: "2" }).where("id", "=", guest).execute()
        await sql`set timestamp = default`.execute(db)
      })
      const { updated } = await db.selectFrom("guest").select("updated").where("id", "=", guest)
        .executeTakeFirstOrThrow()
      t.ok(updated > past + 1000)
    },
  )

  await t.test("a change of a record's id is rejected", async (t) => {
    const guest = await build.guest(event)
    const change = db.updateTable("guest").set({ id: crypto.randomUUID() }).where("id", "=", guest)
      .execute()
    await t.rejects(change, { message: /guest: event_id and id never change/ })
  })

  await t.test("a record that is deleted twice has one deletion, the last, and two vacant positions", async (t) => {
    const id = crypto.randomUUID()
    for (const later of [0, 7]) {
      await build.guest(event, { id, created: past - later, updated: past + later })
      await db.deleteFrom("guest").where("id", "=", id).execute()
    }
    const [deletion, ...others] = await deletionsOf(database, id)
    t.match(
      deletion,
      { created: past - 7, updated: past + 7 },
      "the longest time that it was there",
    )
    t.strictSame(others, [])
    const vacant = await db.selectFrom("vacant_position").select(["category", "updated"])
      .where("record_id", "=", id).orderBy("seq").execute()
    t.strictSame(vacant.map(({ category, updated }) => [category, updated]), [
      ["guests", past],
      ["guests", past + 7],
    ])
  })

  await t.test("a change that is rolled back is not logged, and changes no version", async (t) => {
    const guest = await build.guest(event)
    const before = await db.selectFrom("event_change").select("seq").execute()
    const change = () =>
      db.transaction().execute(async (db) => {
        await db.updateTable("guest").set({ mobile: "2" }).where("id", "=", guest).execute()
        await db.deleteFrom("guest").where("id", "=", guest).execute()
        throw new Error("rolled back")
      })
    t.strictSame(await changedBy(() => t.rejects(change())), [])
    t.strictSame(await db.selectFrom("event_change").select("seq").execute(), before)
    t.strictSame(await deletionsOf(database, guest), [])
  })

  await t.test("no two contents of a guest have the same version, whatever is done with it", async (t) => {
    const id = await build.guest(event)
    const row = await guestOf(db, id)
    const of = sql<boolean>`event_id = ${event} and id = ${id}`
    const contents = new Map<number, string>()
    const operation = fc.oneof(
      fc.constantFrom("same", "replace", "delete", "consent", "no consent"),
      fc.record({
        name: fc.constantFrom("Ada", "Grace"),
        version: fc.option(fc.integer({ min: 0, max: 3 })),
      }),
    )
    const apply = async (done: string | { name: string; version: number | null }) => {
      if (done === "same") {
        await sql`update guest set updated = updated where ${of}`.execute(db)
      } else if (done === "replace") {
        await db.replaceInto("guest").values(row).execute()
      } else if (done === "delete") {
        await db.deleteFrom("guest").where(of).execute()
      } else if (done === "consent") {
        const guest = await db.selectFrom("guest").select("id").where(of).executeTakeFirst()
        if (!guest) return
        await sql`replace into consent (event_id, guest_id, asked, status, channels)
          values (${event}, ${id}, 1, 'active', 'email')`.execute(db)
      } else if (done === "no consent") {
        await db.deleteFrom("consent").where("event_id", "=", event).where("guest_id", "=", id)
          .execute()
      } else if (typeof done === "object") {
        const { name, version } = done
        const values = { first_name: name, ...version !== null && { export_version: version } }
        await db.updateTable("guest").set(values).where(of).execute()
      }
    }
    const named = (name: "Ada" | "Grace", version: number | null) => ({ name, version })
    const each = [
      "consent",
      named("Grace", 1),
      "no consent",
      "delete",
      "replace",
      named("Ada", null),
    ]
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 6, maxLength: 12 }), async (operations) => {
        for (const done of operations) {
          await apply(done)
          const { rows: [found] } = await sql<{ export_version: number } & Record<string, unknown>>`
            select guest.*, guest.export_version, asked from guest
            left join consent on consent.event_id = guest.event_id and guest_id = id
            where guest.event_id = ${event} and id = ${id}`.execute(db)
          if (!found) continue
          const { export_version, ...content } = found
          const text = JSON.stringify(content)
          const former = contents.get(export_version) ?? text
          if (former !== text) throw new Error(`version ${export_version} is ${former} and ${text}`)
          contents.set(export_version, text)
        }
      }),
      // What chance chooses may be done with a guest that is gone.
      { numRuns: engine === "mysql" ? 6 : 16, examples: [[[...each, ...each]]] },
    )
    t.ok(contents.size > 5, `${contents.size} versions`)
  })

  await t.test("insert into guest without columns works as before", {
    skip: engine === "sqlite" && "columns are never invisible there",
  }, async (t) => {
    const id = crypto.randomUUID()
    await build.guest(event)
    const { rows: [some] } = await sql<Record<string, unknown>>`select * from guest limit 1`
      .execute(db)
    t.notOk("export_version" in (some ?? {}))
    const values = Object.values({ ...some, event_id: event, id })
    const add = () => sql`insert into guest values (${sql.join(values)})`.execute(db)
    t.strictSame(await changedBy(add), [`${event} ${id}`])
  })

  await t.test("writers of one event do not wait for each other", {
    skip: engine === "sqlite" && "it has one writer",
  }, async (t) => {
    const [a, b] = [await build.guest(event), await build.guest(event)]
    const change = (db: Kysely<Schema>, id: string) =>
      db.updateTable("guest").set({ mobile: "1" }).where("event_id", "=", event)
        .where("id", "=", id).execute()
    await db.transaction().execute(async (first) => {
      await change(first, a)
      await db.transaction().execute(async (second) => {
        await change(second, b)
        await second.deleteFrom("guest").where("event_id", "=", event).where("id", "=", b).execute()
      })
    })
    t.pass("the second committed while the first was open")
  })
})

t.test("the logged tables are those of the categories", (t) => {
  const inverted = Object.entries(categories as Record<Category, string>)
    .map(([category, table]) => [table, category])
  t.strictSame(loggedTables, Object.fromEntries(inverted))
  t.end()
})

async function deletionsOf({ writer }: Database, record: string) {
  return await writer.selectFrom("deletion").selectAll().where("record_id", "=", record).execute()
}

/** Inserts Ada, with what belongs to her, and Bob: parts first, without key checks, so that guests have times of the past. */
async function fill(
  { writer, dialect }: Database,
  { gala, ball, ada, bob }: Readonly<Record<"gala" | "ball" | "ada" | "bob", string>>,
): Promise<void> {
  await writer.connection().execute(async (db) => {
    const [off, on] = dialect.name === "mysql"
      ? [sql`set foreign_key_checks = 0`, sql`set foreign_key_checks = 1`]
      : [sql`pragma foreign_keys = off`, sql`pragma foreign_keys = on`]
    const build = new Builder({ writer: db } as unknown as Database)
    await off.execute(db)
    await build.consent(gala, ada)
    await build.address(gala, ada)
    await dialect.keepHistory?.begin.execute(db)
    for (const [event, id] of [[gala, ada], [ball, ada], [gala, bob]] as const) {
      await build.guest(event, { id })
    }
    await dialect.keepHistory?.end.execute(db)
    await on.execute(db)
  })
}

async function guestOf(db: Kysely<Schema>, id: string): Promise<Insertable<Schema["guest"]>> {
  const { export_version: _, ...row } = await db.selectFrom("guest").selectAll()
    .where("id", "=", id).executeTakeFirstOrThrow()
  return row
}
