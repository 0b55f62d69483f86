import { writeFileSync } from "node:fs"
import { join } from "node:path"
import t from "tap"
import { SourceFollower } from "../../../../plugins/capabilities/connect/connecting.ts"
import { readMapping } from "../../../../plugins/capabilities/connect/mapping.ts"
import { openSource } from "../../../../plugins/capabilities/connect/sources/open.ts"
import { noteState, readState } from "../../../../plugins/capabilities/connect/state.ts"
import { planOf, watchedTables } from "../../../../plugins/capabilities/connect/triggers.ts"
import {
  connectedDatabase,
  fillStatements,
  freshPlatform,
  mappingText,
} from "../../../support/connect/platform.ts"
import { onEmbedded } from "../../../support/database.ts"

await onEmbedded(t, async (t, engine) => {
  const fresh = async (t: Test) => {
    const database = await connectedDatabase(t, engine)
    const platform = await freshPlatform(t, engine)
    await platform.run(...fillStatements(3))
    const folder = t.testdir()
    const file = join(folder, "platform.yaml")
    writeFileSync(join(folder, "platform-url"), platform.url, { mode: 0o600 })
    writeFileSync(file, mappingText({ file: "platform-url" }))
    const host = { database, plan: { file: join(folder, "config.yaml") }, log: { info: () => {} } }
    /** A process that is new. */
    const start = () => {
      const connection = new SourceFollower(host as never, "platform.yaml")
      t.teardown(() => connection.close())
      return connection
    }
    const names = async () =>
      (await database.writer.selectFrom("guest").select("last_name").orderBy("last_name").execute())
        .map(({ last_name }) => last_name)
    const source = await openSource(platform.url)
    t.teardown(() => source.close())
    const steps = planOf(source.name, watchedTables(readMapping(file, {})))
    const apply = async () => {
      const drop = steps.flatMap(({ undo }) => undo).filter((each) =>
        !each.startsWith("drop table")
      )
      await source.change([...drop, ...steps.flatMap(({ apply }) => apply)])
    }
    return { database, platform, file, start, names, apply }
  }

  await t.test("step compares the whole source when it is due, and waits until then", async (t) => {
    const { database, platform, start, names } = await fresh(t)
    const connection = start()
    t.equal(await connection.step(), 0)
    t.equal((await names()).length, 3)
    await platform.run("update person set surname = 'Lovelace'")
    t.ok(await connection.step() > 1000)
    t.ok(await start().step() > 1000, "another process waits as well")
    await noteState(database, { compared_at: 1 })
    t.equal(await connection.step(), 0)
    t.strictSame(await names(), ["Lovelace", "Lovelace", "Lovelace"])
  })

  await t.test("step takes up what has changed before triggers were there, then what they tell, and notices one that is missing", async (t) => {
    const { database, platform, start, names, apply } = await fresh(t)
    await start().step()
    await platform.run("update person set surname = 'A' where id = 1")
    await apply()
    const connection = start()
    t.equal(await connection.step(), 0)
    t.equal((await names())[0], "A", "nobody has told this one")
    t.match(await readState(database), { watching: [], drift: null })
    t.equal(await connection.step(), 1000)
    await platform.run("update person set surname = 'B' where id = 2")
    t.equal(await connection.step(), 1000)
    t.equal((await names())[1], "B")
    await platform.run("drop trigger event_export_person_update")
    await start().step()
    t.match(await readState(database), { watching: ["event_export_person_update"] })
    await platform.run("update person set surname = 'C' where id = 3")
    await apply()
    await start().step()
    t.match(await readState(database), { watching: [] })
    t.equal((await names())[2], "C", "what changed without it is found once it is back")
  })

  await t.test("step compares the whole source when more keys wait than it looks up one by one", async (t) => {
    const { database, platform, start, names, apply } = await fresh(t)
    await apply()
    const connection = start()
    await connection.step()
    await platform.run(
      "update person set surname = 'Bulk'",
      `insert into event_export_change (name, value) values ${
        Array.from({ length: 3000 }, (_, i) => `('person.id', ${i + 1})`)
      }`,
    )
    t.equal(await connection.step(), 0)
    await connection.step()
    t.strictSame(await names(), ["Bulk", "Bulk", "Bulk"])
    t.match(await readState(database), { changed: 3, drift: null })
  })

  await t.test("the state says what fails between comparisons, until a comparison succeeds", async (t) => {
    const { database, platform, file, start, names, apply } = await fresh(t)
    await apply()
    const connection = start()
    await connection.step()
    await platform.run(
      "update person set surname = 'A' where id = 1",
      "alter table permission rename to permissions",
    )
    await t.rejects(connection.step(), /permission/)
    t.match(await readState(database), { failure: /permission/, failed_at: Number })
    await platform.run("alter table permissions rename to permission")
    await connection.step()
    t.match(await readState(database), { failure: null, failed_at: null })
    t.strictSame((await names())[0], "A")
    t.equal((await names()).length, 3)
    writeFileSync(file, "select: {")
    await t.rejects(connection.step())
    t.match(await readState(database), { failure: /platform\.yaml/ })
  })

  await t.test("step does nothing while another process takes over, and goes on when that has ended", async (t) => {
    const { database, start, names } = await fresh(t)
    const connection = start()
    await connection.step()
    await noteState(database, { owner: "killed", until: 2_000_000_000, compared_at: 1 })
    t.equal(await connection.step(), 1000)
    t.match(await readState(database), { compared_at: 1, failed_at: null })
    await noteState(database, { until: 1 })
    t.equal(await connection.step(), 0)
    t.equal((await names()).length, 3)
  })
})

type Test = Parameters<Parameters<typeof onEmbedded>[1]>[0]
