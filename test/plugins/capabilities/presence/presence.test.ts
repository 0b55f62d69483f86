import { writeFileSync } from "node:fs"
import process from "node:process"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { version } from "../../../../core/kernel/version.ts"
import {
  type InstanceHealth,
  listInstances,
  pruneInstances,
  renewInstance,
} from "../../../../plugins/capabilities/presence/instances.ts"
import { startPresence } from "../../../../plugins/capabilities/presence/presence.ts"
import { freshDatabase, onEmbedded } from "../../../support/database.ts"
import { withinOneSecond } from "../../../support/one-second.ts"
import { freshWorkshop } from "../../../support/service.ts"

const { signal } = new AbortController()
const url = "http://127.0.0.1:8080"
const first = {
  ...{ host: "a", pid: 7, url: null, version: "1.2.0 on Deno 2", ready: 0 },
  ...{ config_file: "/a.yaml", config_hash: "hash", config_since: 50 },
  ...{ reload_at: null, reload_result: null, reload_reason: null },
}
const later = {
  ...{ host: "b", pid: 8, url: "http://x", version: "2", ready: 1 },
  ...{ config_file: "/b.yaml", config_hash: "other", config_since: 60 },
  ...{ reload_at: 70, reload_result: "refused", reload_reason: "a reason" },
}

await onEmbedded(t, async (t, engine) => {
  await t.test("instances", async (t) => {
    const database = await freshDatabase(t, engine)
    const seen = async (id: string, at: number, started = 1) => {
      await database.writer.updateTable("instance").set({ seen: at, started }).where("id", "=", id)
        .execute()
    }
    const ids = async () => (await listInstances(database)).map(({ id }) => id)
    for (const id of ["a", "b", "c", "d"]) {
      await renewInstance(database, { id, ...first }, signal)
    }

    await t.test("listInstances returns processes in the order of their beginning, those that are gone last", async (t) => {
      const found = await withinOneSecond(database, async (now) => {
        for (const [started, id] of ["d", "c", "b", "a"].entries()) {
          await seen(id, now - (id < "c" ? 30 : 31), started)
        }
        return await listInstances(database)
      })
      t.strictSame(found.map(({ id, isGone }) => [id, isGone]), [
        ["b", false],
        ["a", false],
        ["d", true],
        ["c", true],
      ])
    })

    await t.test("renewInstance takes over all but when the process began", async (t) => {
      const found = await withinOneSecond(database, async (now) => {
        await seen("d", 5, 1009)
        await renewInstance(database, { id: "d", ...later }, signal)
        const found = (await listInstances(database)).find(({ id }) => id === "d")
        return found && { ...found, seen: now - found.seen }
      })
      t.strictSame(found, { id: "d", ...later, started: 1009, seen: 0, isGone: false })
    })

    await t.test("pruneInstances forgets a process that was not seen for a day", async (t) => {
      const left = (ago: number, ...signals: AbortSignal[]) =>
        withinOneSecond(database, async (now) => {
          await renewInstance(database, { id: "c", ...first }, signal)
          await seen("c", now - ago)
          await pruneInstances(database, ...signals)
          return (await ids()).includes("c")
        })
      t.equal(await left(86_400), true)
      t.equal(await left(86_401, AbortSignal.abort()), true)
      t.equal(await left(86_401), false)
    })
  })

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
    const ends = [1, 2].map(() => startPresence(service, { url, every: 20 }))
    const found = await until(({ length }) => length === 2)
    const { config } = service.instance
    for (const each of found) {
      t.match(each, {
        ...{ pid: process.pid, url, ready: 1, isGone: false },
        version: `${version} on Node.js ${process.versions.node}`,
        ...{ config_hash: config.hash, reload_at: null },
      })
    }
    writeFileSync(file, "nonsense")
    await service.reload("a test")
    const [after] = await until((found) => found.every(({ reload_at }) => reload_at !== null))
    t.match(after, { reload_result: "refused", reload_reason: /must be a group of settings/ })
    await Promise.all(ends.map((end) => end()))
    t.strictSame(await listInstances(database), [])
  })

  await t.test("a process that ends while it is noted is not noted afterwards", async (t) => {
    await Promise.all([1, 2].map(() => startPresence(service, { url, every: 1e9 })()))
    // What is still on its way would come before this.
    await service.instance.readiness()
    await setTimeout(20)
    t.strictSame(await listInstances(database), [])
  })

  await t.test("startPresence says once that the database cannot be written, and goes on", async (t) => {
    const { schema } = database.writer
    await schema.alterTable("instance").renameTo("hidden_instance").execute()
    let attempts = 0
    const counted = {
      get instance() {
        attempts++
        return service.instance
      },
      log: service.log,
    }
    const end = startPresence(counted, { url, every: 5 })
    const [before] = [attempts]
    while (attempts < before + 6) await setTimeout(5)
    await schema.alterTable("hidden_instance").renameTo("instance").execute()
    await until(({ length }) => length === 1)
    await end()
    t.equal(entries.filter(({ message }) => /cannot note/.test(String(message))).length, 1)
  })
})
