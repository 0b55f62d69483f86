import { writeFileSync } from "node:fs"
import { join } from "node:path"
import t from "tap"
import { inspect, writeMapping } from "../../../plugins/capabilities/connect/inspect.ts"
import { readMapping } from "../../../plugins/capabilities/connect/mapping.ts"
import { readSchema } from "../../../plugins/capabilities/connect/schema.ts"
import { openSource } from "../../../plugins/capabilities/connect/sources/open.ts"
import { takeOver, takeUpTold } from "../../../plugins/capabilities/connect/take-over.ts"
import { findMissing } from "../../../plugins/capabilities/connect/told.ts"
import { planOf, watchedTables } from "../../../plugins/capabilities/connect/triggers.ts"
import { playHistories } from "../../support/connect/histories.ts"
import { connectedDatabase, fillStatements, openPlatform } from "../../support/connect/platform.ts"
import { startPostgres } from "../support/postgres-server.ts"

const postgres = await startPostgres()
t.teardown(() => postgres.stop())

t.test("inspect, takeOver, triggers and their undo work on Postgres", async (t) => {
  const database = await connectedDatabase(t, "sqlite")
  const platform = await openPlatform(postgres.url)
  t.teardown(() => platform.close())
  await platform.run(...fillStatements(12))
  const source = await openSource(postgres.url)
  t.teardown(() => source.close())

  const file = join(t.testdir(), "platform.yaml")
  const secret = join(t.testdir({}), "platform-url")
  writeFileSync(secret, postgres.url, { mode: 0o600 })
  writeFileSync(file, writeMapping(await inspect(source), { file: secret }))
  const mapping = readMapping(file, {})
  const options = { database, source, mapping, owner: "a" }
  t.match((await takeOver(options))?.difference, { rows: 18, added: 18, refusedCount: 0 })
  t.match(
    await database.writer.selectFrom("guest").selectAll().where("first_name", "=", "Ada3")
      .execute(),
    [{ last_name: "O'Byron 🦄", sms_opt_in: 1, company_name: "Byron & Co" }],
  )
  t.match(
    await database.writer.selectFrom("event").select("starts").where("currency", "=", "GBP")
      .execute(),
    [{ starts: Date.UTC(2026, 9, 24, 17, 30) / 1000 }],
  )

  const before = await source.snapshot((reader) => readSchema("postgres", reader))
  const steps = planOf("postgres", watchedTables(mapping))
  await source.change(steps.flatMap(({ apply }) => apply))
  t.strictSame(await findMissing(source, mapping), [])
  await platform.run("update person set surname = 'Lovelace' where id = 1")
  await takeUpTold(options)
  const names = await database.writer.selectFrom("guest").select("last_name").distinct().execute()
  t.same(new Set(names.map(({ last_name }) => last_name)), new Set(["Lovelace", "O'Byron 🦄"]))
  await platform.run(
    "drop table event_export_change",
    "update person set surname = 'Byron' where id = 1",
  )
  t.equal(await findMissing(source, mapping), null, "and the platform's statement has not failed")
  await source.change(steps.toReversed().flatMap(({ undo }) => undo))
  t.strictSame(await source.snapshot((reader) => readSchema("postgres", reader)), before)
})

t.test("after any history and any kills, partners are served what the SELECT returns", async (t) => {
  const platforms: { close(): Promise<void> }[] = []
  t.teardown(() => Promise.all(platforms.map((platform) => platform.close())))
  await playHistories(t, {
    runs: 25,
    async open() {
      await platforms.pop()?.close()
      const platform = await openPlatform(postgres.url)
      platforms.push(platform)
      return platform
    },
  })
})
