import fc from "fast-check"
import { type Insertable, type Kysely, sql, type Transaction } from "kysely"
import t from "tap"
import type { Database } from "../../../core/data/database.ts"
import type { Schema } from "../../../core/data/schema.ts"
import { loggedTables } from "../../../core/data/triggers.ts"
import { categories, type Category } from "../../../core/records/categories.ts"
import { Builder, past, withHistory } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

/** What a writer finds: Ada, who has a consent and an address, and Bob, who has neither, at a gala; Ada at a ball. */
interface Given extends Readonly<Record<"gala" | "ball" | "ada" | "bob" | "newcomer", string>> {
  readonly db: Transaction<Schema>
  readonly dialect: Database["dialect"]
  readonly build: Builder
}

/** By kind of change: what writers do in a transaction, and the rows of the log then, deletions with a minus. */
const writes: Readonly<
  Record<
    string,
    readonly [write: (given: Given) => Promise<unknown>, rows: string[], onMysql?: string[]]
  >
> = {
  "an insert": [({ build, gala, newcomer }) => build.guest(gala, { id: newcomer }), [
    "gala guests newcomer",
  ]],
  "an insert of several rows, some with a version": [
    async ({ db, gala, bob }) => {
      const { id: _, ...row } = await guestOf(db, bob)
      const insert = (ids: readonly string[], version: { export_version?: number }) => {
        const rows = ids.map((digit) => ({ ...row, id: digit.repeat(36), event_id: gala }))
        return db.insertInto("guest").values(rows.map((row) => ({ ...row, ...version }))).execute()
      }
      await insert(["1", "2"], {})
      await insert(["3", "4"], { export_version: 7 })
    },
    ["gala guests 1111", "gala guests 2222", "gala guests 3333", "gala guests 4444"],
  ],
  "an insert of what a select returns": [
    ({ db }) =>
      sql`insert into pledge (event_id, id, name, status, revenue_stream_type, categories)
        select event_id, id, first_name, '', '', '[]' from guest`.execute(db),
    ["ball pledges ada", "gala pledges ada", "gala pledges bob"],
  ],
  "an insert that changes the row that is there": [
    ({ db, dialect, bob }) => upsert(db, dialect, bob),
    ["gala guests bob"],
    // The insertion is logged before it fails.
    ["gala guests bob", "gala guests bob"],
  ],
  "an insert that would change a row": [
    ({ db, dialect, bob, newcomer }) => upsert(db, dialect, bob, newcomer),
    ["gala guests newcomer"],
  ],
  "a replacement": [
    async ({ db, bob }) => {
      await db.replaceInto("guest").values(await guestOf(db, bob)).execute()
    },
    ["gala guests bob"],
    // In this order: that the last row is a deletion does not mean that the record is gone.
    ["gala guests bob", "-gala guests bob"],
  ],
  "an update of one row": [
    ({ db, bob }) => db.updateTable("guest").set({ mobile: "2" }).where("id", "=", bob).execute(),
    ["gala guests bob"],
  ],
  "an update of several rows": [
    ({ db }) => db.updateTable("guest").set({ mobile: "2" }).execute(),
    ["ball guests ada", "gala guests ada", "gala guests bob"],
  ],
  "an update that changes no value": [
    ({ db, bob }) =>
      db.updateTable("guest").set((eb) => ({ mobile: eb.ref("mobile") })).where("id", "=", bob)
        .execute(),
    ["gala guests bob"],
  ],
  "an update with a version": [
    ({ db, bob }) =>
      db.updateTable("guest").set({ mobile: "2", export_version: 7 }).where("id", "=", bob)
        .execute(),
    ["gala guests bob"],
  ],
  "an update of the version alone": [
    ({ db, bob }) =>
      db.updateTable("guest").set({ export_version: 7 }).where("id", "=", bob).execute(),
    ["gala guests bob"],
  ],
  "an update of no row": [
    ({ db, gala }) => db.updateTable("guest").set({ mobile: "2" }).where("id", "=", gala).execute(),
    [],
  ],
  "a deletion of a guest with a consent and an address": [
    ({ db, gala }) => db.deleteFrom("guest").where("event_id", "=", gala).execute(),
    ["-gala guests ada", "-gala guests bob"],
  ],
  "a deletion of a record that is inserted again": [
    async ({ db, bob }) => {
      const row = await guestOf(db, bob)
      await db.deleteFrom("guest").where("id", "=", bob).execute()
      await db.insertInto("guest").values(row).execute()
    },
    ["-gala guests bob", "gala guests bob"],
  ],
  "a new consent": [({ build, gala, bob }) => build.consent(gala, bob), ["gala guests bob"]],
  "a changed consent": [
    ({ db }) => db.updateTable("consent").set({ status: "inactive" }).execute(),
    ["gala guests ada"],
  ],
  "a consent that stays as it is": [
    ({ db }) => db.updateTable("consent").set({ asked: 1 }).execute(),
    ["gala guests ada"],
  ],
  "a deleted consent": [({ db }) => db.deleteFrom("consent").execute(), ["gala guests ada"]],
  "a consent that moves to another guest": [
    ({ db, bob }) => db.updateTable("consent").set({ guest_id: bob }).execute(),
    ["gala guests ada", "gala guests bob"],
  ],
  "a consent that moves to another event": [
    ({ db, ball }) => db.updateTable("consent").set({ event_id: ball }).execute(),
    ["gala guests ada", "ball guests ada"],
  ],
  "new addresses": [
    async ({ build, gala, bob }) => {
      await build.address(gala, bob)
      await build.address(gala, bob, { kind: "gift_aid" })
    },
    ["gala guests bob", "gala guests bob"],
  ],
  "a changed address": [
    ({ db }) => db.updateTable("address").set({ town: "Leeds" }).execute(),
    ["gala guests ada"],
  ],
  "a deleted address": [({ db }) => db.deleteFrom("address").execute(), ["gala guests ada"]],
  "an address that moves to another guest": [
    ({ db, bob }) => db.updateTable("address").set({ guest_id: bob }).execute(),
    ["gala guests ada", "gala guests bob"],
  ],
  "a new event": [
    async ({ db, build, gala, newcomer }) => {
      const { organization_id } = await db.selectFrom("event").select("organization_id")
        .where("id", "=", gala).executeTakeFirstOrThrow()
      await build.event(organization_id, { id: newcomer })
    },
    ["newcomer events null"],
  ],
  "a changed event": [
    ({ db, gala }) =>
      db.updateTable("event").set({ name: "Gala" }).where("id", "=", gala).execute(),
    ["gala events null"],
  ],
  "a change before a savepoint, and one behind it that is undone": [
    async ({ db, bob }) => {
      await db.updateTable("guest").set({ mobile: "2" }).where("id", "=", bob).execute()
      await sql`savepoint here`.execute(db)
      await db.deleteFrom("guest").execute()
      await sql`rollback to savepoint here`.execute(db)
    },
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

  for (const [name, [write, rows, onMysql = rows]] of Object.entries(writes)) {
    await t.test(`the log names the records of ${name}, which alone get new versions and times`, async (t) => {
      for (const table of ["guest", "pledge"] as const) await db.deleteFrom(table).execute()
      const [gala, ball] = [await build.event(organization), await build.event(organization)]
      const [ada, bob] = [crypto.randomUUID(), crypto.randomUUID()]
      const names = { gala, ball, ada, bob, newcomer: crypto.randomUUID() }
      for (const event of [gala, ball]) await build.guest(event, { id: ada })
      await build.guest(gala, { id: bob })
      await build.consent(gala, ada)
      await build.address(gala, ada)
      await setBack(database, gala, ada)
      await db.deleteFrom("deletion").execute()
      const { last } = await db.selectFrom("event_change")
        .select((eb) => eb.fn.max("seq").as("last")).executeTakeFirstOrThrow()

      const changed = await changedBy(() =>
        db.transaction().execute(async (db) => {
          const build = new Builder({ writer: db } as unknown as Database)
          await write({ db, dialect, build, ...names })
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
      t.ok(Number(deletion?.at) > past + 1000)
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

  await t.test("deleting a guest also deletes its consent and addresses, and no others", async (t) => {
    const [guest, other] = [await build.guest(event), await build.guest(event)]
    for (const each of [guest, other]) {
      await build.consent(event, each)
      for (const kind of ["main", "gift_aid", "tax_receipt"] as const) {
        await build.address(event, each, { kind })
      }
    }
    await db.deleteFrom("guest").where("id", "=", guest).execute()
    for (const [table, rows] of [["consent", 1], ["address", 3]] as const) {
      const left = await db.selectFrom(table).select("guest_id").where("event_id", "=", event)
        .execute()
      t.strictSame(left.map(({ guest_id }) => guest_id), Array(rows).fill(other))
    }
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

  await t.test("the marks of changes are different, and fit into 52 bits", async (t) => {
    const rows = await db.selectFrom("event_change").select("mark").execute()
    const marks = rows.map(({ mark }) => mark)
    t.ok(marks.length > 100)
    t.equal(new Set(marks).size, marks.length)
    t.ok(marks.every((mark) => Number.isSafeInteger(mark) && mark >= 0 && mark < 2 ** 52))
    t.ok(marks.some((mark) => mark > 2 ** 51), "the highest bits are used")
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
      { numRuns: 15 },
    )
    t.ok(contents.size > 10, `${contents.size} versions`)
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

/** Gives a guest the time of the past, which triggers never do: inserts it again, without key checks. */
async function setBack(
  { writer, dialect }: Database,
  event: string,
  guest: string,
): Promise<void> {
  await writer.connection().execute(async (db) => {
    const query = db.selectFrom("guest").selectAll().where("event_id", "=", event)
      .where("id", "=", guest)
    const { export_version: _, ...row } = await query.executeTakeFirstOrThrow()
    const [off, on] = dialect.name === "mysql"
      ? [sql`set foreign_key_checks = 0`, sql`set foreign_key_checks = 1`]
      : [sql`pragma foreign_keys = off`, sql`pragma foreign_keys = on`]
    await off.execute(db)
    await db.deleteFrom("guest").where("event_id", "=", event).where("id", "=", guest).execute()
    await dialect.keepHistory?.begin.execute(db)
    await db.insertInto("guest").values({ ...row, updated: past }).execute()
    await dialect.keepHistory?.end.execute(db)
    await on.execute(db)
  })
}

async function guestOf(db: Kysely<Schema>, id: string): Promise<Insertable<Schema["guest"]>> {
  const { export_version: _, ...row } = await db.selectFrom("guest").selectAll()
    .where("id", "=", id).executeTakeFirstOrThrow()
  return row
}

/** Inserts a guest, or changes the one with the id. */
async function upsert(
  db: Kysely<Schema>,
  dialect: Database["dialect"],
  like: string,
  id = like,
): Promise<void> {
  const row = { ...await guestOf(db, like), id }
  await dialect.orUpdate(db.insertInto("guest").values(row), ["event_id", "id"], { mobile: "2" })
    .execute()
}
