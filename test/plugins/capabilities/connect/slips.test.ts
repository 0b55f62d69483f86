import { rename } from "node:fs/promises"
import { sql } from "kysely"
import t from "tap"
import { idOf } from "../../../../plugins/capabilities/connect/ids.ts"
import { openSource } from "../../../../plugins/capabilities/connect/sources/open.ts"
import { noteState, readState } from "../../../../plugins/capabilities/connect/state.ts"
import { assertOutcome, takeOver } from "../../../../plugins/capabilities/connect/take-over.ts"
import { hasTold } from "../../../../plugins/capabilities/connect/told.ts"
import { planOf, watchedTables } from "../../../../plugins/capabilities/connect/triggers.ts"
import {
  connectedDatabase,
  fillStatements,
  freshPlatform,
  mappingOf,
  selects,
} from "../../../support/connect/platform.ts"
import { onEmbedded } from "../../../support/database.ts"

/** What may happen to the tables of a platform with 12 guests, and what a takeover then says. */
const slips = [
  {
    name: "an empty table of guests",
    statements: ["delete from attendee"],
    held: [{ kind: "guest", gone: 12, known: 12 }],
  },
  {
    name: "an empty table of events",
    statements: ["delete from gala"],
    held: [{ kind: "event", gone: 2 }],
  },
  {
    name: "tables without any rows",
    statements: ["charity", "gala", "person", "attendee", "permission", "place", "thing"].map(
      (table) => `delete from ${table}`,
    ),
    held: [{ kind: "organization", gone: 1 }, { kind: "event", gone: 2 }, {
      kind: "guest",
      gone: 12,
    }],
  },
  { name: "a table that is missing", statements: ["drop table person"], fails: /person/ },
  {
    name: "a column that is gone",
    statements: ["alter table person drop column mail"],
    fails: /^The SELECT of guest fails: .*mail/,
  },
]

await onEmbedded(t, async (t, engine) => {
  const fresh = async (t: Test, count: number) => {
    const database = await connectedDatabase(t, engine)
    const platform = await freshPlatform(t, engine)
    await platform.run(...fillStatements(count))
    const source = await openSource(platform.url)
    t.teardown(() => source.close())
    const run = async (options: Partial<Parameters<typeof takeOver>[0]> = {}) => {
      const mapping = mappingOf(platform.url)
      const outcome = await takeOver({ database, source, mapping, owner: "a", ...options })
      assertOutcome(outcome)
      return outcome
    }
    const served = async () =>
      await database.writer.selectFrom("guest").select(["id", "last_name", "updated"]).orderBy("id")
        .execute()
    await run()
    return { database, platform, source, run, served }
  }

  for (const { name, statements, held, fails } of slips) {
    await t.test(`takeOver deletes nothing because of ${name}`, async (t) => {
      const { database, platform, run, served } = await fresh(t, 12)
      const before = await served()
      await platform.run(...statements)
      if (fails) {
        await t.rejects(run(), fails)
        t.match(await readState(database), { failure: fails })
      } else {
        const outcome = await run()
        t.match(outcome, { removed: 0 })
        for (const each of held ?? []) {
          t.match(outcome.held.find(({ kind }) => kind === each.kind), each)
        }
      }
      t.strictSame(await served(), before)
      t.equal((await database.writer.selectFrom("event").select("id").execute()).length, 2)
    })
  }

  const isFile = engine === "sqlite"
  await t.test("takeOver deletes nothing while the source is away, and goes on when it is back", {
    skip: !isFile && "a file is moved away",
  }, async (t) => {
    const { database, platform, source, run, served } = await fresh(t, 3)
    const path = platform.url.slice("sqlite:".length)
    await source.close()
    await rename(path, `${path}-away`)
    await t.rejects(run(), /does not exist/)
    t.match(await readState(database), { failure: /does not exist/, owner: "" })
    t.equal((await served()).length, 3)
    await rename(`${path}-away`, path)
    t.match(await run(), { removed: 0, difference: { added: 0, changed: 0 } })
    t.match(await readState(database), { failure: null, failed_at: null })
  })

  await t.test("takeOver deletes nothing if the source fails in the middle of a SELECT", async (t) => {
    const { platform, run, served } = await fresh(t, 1200)
    const guest = `${selects.guest} and json_extract(case when attendee.id > 1100
      then '{' else '{}' end, '$.a') is null`
    await t.rejects(run({ mapping: mappingOf(platform.url, { guest }) }), /JSON/)
    t.equal((await served()).length, 1200)
  })

  await t.test("takeOver fails if the service lacks a table, and refuses no row for it", async (t) => {
    const { database, platform, run, served } = await fresh(t, 3)
    const change = (statement: string) => sql.raw(statement).execute(database.background)
    await platform.run("update person set surname = 'Lovelace' where id < 3")
    await change("alter table guest rename to former_guest")
    await t.rejects(run(), /The service cannot write: .*guest/)
    t.match(await readState(database), { failure: /cannot write/, refused: 0 })
    await change("alter table former_guest rename to guest")
    t.match(await run(), { difference: { changed: 2, refusedCount: 0 } })
    t.equal((await served()).length, 3)
  })

  await t.test("takeOver holds what many events lose together, until all of it is meant", async (t) => {
    const { database, platform, run } = await fresh(t, 3)
    const events = Array.from({ length: 30 }, (_, n) => n + 10)
    await platform.run(
      ...events.flatMap((id) => [
        `insert into gala select ${id}, charity_id, title, opens_at, closes_at, state, money, 0 from gala where id = 1`,
        `insert into attendee values (${id}, ${id}, 1, 0, null, null)`,
      ]),
    )
    await run()
    await platform.run("delete from attendee where id >= 10", "delete from gala where id >= 10")
    const { held, removed } = await run()
    t.equal(held.length, 30, "each has lost one only")
    t.equal(removed, 0)
    t.match(await run({ accepted: ["10"] }), { removed: 2 })
    t.match(await run({ accepted: ["all"] }), { held: [], removed: 58 })
    t.equal((await database.writer.selectFrom("event").select("id").execute()).length, 2)
  })

  await t.test("a mapping that is edited moves no id, and changes no record that is the same", async (t) => {
    const { platform, run, served } = await fresh(t, 3)
    const before = await served()
    const guest = `with all_of_them as (${selects.guest}) select * from all_of_them`
    const mapping = mappingOf(platform.url, { guest }, "b")
    await t.rejects(run({ mapping }), /add 0 records, change 0, delete 0 and refuse 0/)
    t.match(await run({ mapping, acceptsMapping: true }), { difference: { added: 0, changed: 0 } })
    t.strictSame(await served(), before)
    t.equal(before[0]?.id, ["1", "2", "3"].map((key) => idOf("guest", key)).toSorted()[0])
    t.equal(idOf("guest", "1"), "f47db3ed-8063-5696-b85b-24e17d6f065a", "ids never change")
  })

  await t.test("takeOver says how many records differ although no trigger had told so", async (t) => {
    const { database, platform, run, source } = await fresh(t, 3)
    t.equal((await readState(database)).drift, null)
    const steps = planOf(source.name, watchedTables(mappingOf(platform.url)))
    for (const { apply } of steps) await source.change(apply)
    await noteState(database, { watching: "[]" })
    await platform.run("update person set surname = 'Told' where id = 1")
    t.match(await run(), { difference: { changed: 1 } })
    t.equal((await readState(database)).drift, 0)
    t.notOk(await hasTold(source), "what a comparison has seen need not be looked up")
    await platform.run(
      "drop trigger event_export_person_update",
      "update person set surname = 'Untold' where id in (2, 3)",
      "drop trigger event_export_attendee_delete",
      "delete from attendee where id = 1",
    )
    t.match(await run(), { difference: { changed: 2 }, removed: 1 })
    t.equal((await readState(database)).drift, 3)
  })
})

type Test = Parameters<Parameters<typeof onEmbedded>[1]>[0]
