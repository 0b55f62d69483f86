import { writeFileSync } from "node:fs"
import process from "node:process"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { startPresence } from "../../../core/kernel/presence.ts"
import { version } from "../../../core/kernel/version.ts"
import {
  type InstanceHealth,
  listInstances,
  pruneInstances,
} from "../../../core/partners/instances.ts"
import { onEveryEngine } from "../../support/database.ts"
import { freshWorkshop } from "../../support/service.ts"

await onEveryEngine(t, async (t, engine) => {
  const workshop = await freshWorkshop(t, engine)
  const { database, entries, file } = workshop
  workshop.write("  - use: health")
  const service = await workshop.start()
  const until = async (isSo: (found: readonly InstanceHealth[]) => boolean) => {
    for (;;) {
      const found = await listInstances(database)
      if (isSo(found)) return found
      await setTimeout(10)
    }
  }

  await t.test("startPresence notes each process with its configuration and its last reload, until it ends", async (t) => {
    const url = "http://127.0.0.1:8080"
    const ends = [1, 2].map(() => startPresence(service, { url, every: 20 }))
    const found = await until(({ length }) => length === 2)
    const { config } = service.instance
    for (const each of found) {
      t.match(each, {
        pid: process.pid,
        url,
        version: `${version} on Node.js ${process.versions.node}`,
        isReady: true,
        isGone: false,
        config: { hash: config.hash },
        lastReload: null,
      })
    }
    writeFileSync(file, "nonsense")
    await service.reload("a test")
    const [after] = await until((found) => found.every(({ lastReload }) => lastReload !== null))
    t.match(after, { lastReload: { result: "refused", reason: /must be a group of settings/ } })
    await Promise.all(ends.map((end) => end()))
    t.strictSame(await listInstances(database), [])
  })

  await t.test("listInstances shows a process that was not seen as gone, and pruneInstances forgets it after a day", async (t) => {
    const end = startPresence(service, { url: "http://127.0.0.1:8080", every: 1e9 })
    await until(({ length }) => length === 1)
    const seen = (ago: number) =>
      database.writer.updateTable("instance")
        .set((eb) => ({ seen: eb(database.dialect.now, "-", ago) })).execute()
    await seen(60)
    t.match(await listInstances(database), [{ isGone: true }])
    await pruneInstances(database)
    t.equal((await listInstances(database)).length, 1)
    await seen(86_401)
    await pruneInstances(database)
    t.strictSame(await listInstances(database), [])
    await end()
  })

  await t.test("startPresence says once that the database cannot be written, and lets the service go on", async (t) => {
    await database.writer.schema.dropTable("instance").execute()
    const end = startPresence(service, { url: "http://127.0.0.1:8080", every: 5 })
    const warnings = () => entries.filter(({ message }) => /cannot note/.test(String(message)))
    while (warnings().length === 0) await setTimeout(5)
    await setTimeout(50)
    await end()
    t.equal(warnings().length, 1)
  })
})
