import { writeFileSync } from "node:fs"
import process from "node:process"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { startPresence } from "../../../../plugins/capabilities/presence/presence.ts"
import { version } from "../../../../core/kernel/version.ts"
import {
  type InstanceHealth,
  listInstances,
  pruneInstances,
  removeInstance,
  renewInstance,
} from "../../../../plugins/capabilities/presence/instances.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { withinOneSecond } from "../../../support/one-second.ts"
import { freshWorkshop, reopenDatabase } from "../../../support/service.ts"

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

  await t.test("listInstances says what each process has noted last, and when it began; those that are gone come last", async (t) => {
    const { signal } = new AbortController()
    const blank = { reload_at: null, reload_result: null, reload_reason: null }
    const row = (id: string) => ({
      ...{ id, host: `host ${id}`, pid: 7, url: null, version: "1.2.0 on Deno 2", ready: 0 },
      ...{ config_file: "/a.yaml", config_hash: "hash", config_since: 50, ...blank },
    })
    const ids = ["d", "c", "b", "a"]
    for (const id of ids) await renewInstance(database, row(id), signal)
    const shown = {
      ...{ host: "host d", pid: 7, url: null, version: "1.2.0 on Deno 2", ready: 0 },
      ...{ config_file: "/a.yaml", config_hash: "hash", config_since: 50, ...blank },
    }
    const found = await withinOneSecond(database, async (now) => {
      for (const [index, id] of ids.entries()) {
        await database.writer.updateTable("instance")
          .set({ started: index === 0 ? 1009 : 1000 + index, seen: now - (id < "c" ? 30 : 31) })
          .where("id", "=", id).execute()
      }
      const found = await listInstances(database)
      return found.map(({ seen, ...each }) => ({ ...each, ago: now - seen }))
    })
    t.strictSame(found, [
      { id: "b", ...shown, host: "host b", started: 1002, ago: 30, isGone: false },
      { id: "a", ...shown, host: "host a", started: 1003, ago: 30, isGone: false },
      { id: "c", ...shown, host: "host c", started: 1001, ago: 31, isGone: true },
      { id: "d", ...shown, started: 1009, ago: 31, isGone: true },
    ])

    const later = {
      ...{ id: "d", host: "h", pid: 8, url: "http://x", version: "2", ready: 1 },
      ...{ config_file: "/b.yaml", config_hash: "other", config_since: 60 },
      ...{ reload_at: 70, reload_result: "refused", reload_reason: null },
    }
    const renewed = await withinOneSecond(database, async (now) => {
      await renewInstance(database, later, signal)
      const found = (await listInstances(database)).find(({ id }) => id === "d")
      return found && { ...found, seen: now - found.seen }
    })
    t.strictSame(renewed, {
      ...{ id: "d", host: "h", pid: 8, url: "http://x", version: "2", ready: 1 },
      ...{ started: 1009, seen: 0, isGone: false },
      ...{ config_file: "/b.yaml", config_hash: "other", config_since: 60 },
      ...{ reload_at: 70, reload_result: "refused", reload_reason: null },
    })
    await renewInstance(database, { ...later, reload_reason: "a reason" }, signal)
    const ofD = (await listInstances(database)).find(({ id }) => id === "d")
    t.equal(ofD?.reload_reason, "a reason")

    const aborted = AbortSignal.abort(new Error("too late"))
    await t.rejects(renewInstance(database, row("e"), aborted))
    await t.rejects(removeInstance(database, "d", aborted))
    for (const [index, id] of ids.entries()) {
      await removeInstance(database, id, signal)
      const left = (await listInstances(database)).map(({ id }) => id)
      t.strictSame(left.toSorted(), ids.slice(index + 1).toSorted())
    }
  })

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
        ready: 1,
        isGone: false,
        config_hash: config.hash,
        reload_at: null,
      })
    }
    writeFileSync(file, "nonsense")
    await service.reload("a test")
    const [after] = await until((found) => found.every(({ reload_at }) => reload_at !== null))
    t.match(after, { reload_result: "refused", reload_reason: /must be a group of settings/ })
    await Promise.all(ends.map((end) => end()))
    t.strictSame(await listInstances(database), [])
  })

  await t.test("startPresence goes on when a reload has opened the database anew", async (t) => {
    workshop.write("  - use: health")
    const end = startPresence(service, { url: "http://127.0.0.1:8080", every: 20 })
    await until(({ length }) => length === 1)
    await reopenDatabase(service, file)
    await database.writer.deleteFrom("instance").execute()
    let found = await listInstances(database)
    for (let n = 0; n < 300 && found.length === 0; n++) {
      await setTimeout(10)
      found = await listInstances(database)
    }
    t.match(found, [{ config_hash: service.instance.config.hash, isGone: false }])
    await end()
    t.strictSame(await listInstances(database), [])
  })

  await t.test("listInstances shows a process that was not seen as gone, and pruneInstances forgets it after a day", async (t) => {
    const url = "http://127.0.0.1:8080"
    const ends = [1, 2].map(() => startPresence(service, { url, every: 1e9 }))
    const [one] = (await until(({ length }) => length === 2)).map(({ isGone: _, ...row }) => row)
    if (one === undefined) throw new Error("no process has noted that it is there")
    const seen = async (ago: number) => {
      await database.writer.deleteFrom("instance").where("id", "=", one.id).execute()
      await database.writer.insertInto("instance")
        .values((eb) => ({ ...one, seen: eb(database.dialect.now, "-", ago) })).execute()
    }
    await seen(60)
    t.match(await listInstances(database), [{ isGone: false }, { id: one.id, isGone: true }])
    await seen(86_401)
    await pruneInstances(database, AbortSignal.abort())
    t.equal((await listInstances(database)).length, 2)
    const left = (ago: number) =>
      withinOneSecond(database, async () => {
        await seen(ago)
        await pruneInstances(database)
        return (await listInstances(database)).length
      })
    t.equal(await left(86_400), 2)
    t.equal(await left(86_401), 1)
    await Promise.all(ends.map((end) => end()))
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
