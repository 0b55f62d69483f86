import { setImmediate } from "node:timers/promises"
import t from "tap"
import type { Database } from "../../../core/data/database.ts"
import type { Capability } from "../../../core/kernel/capability.ts"
import { startInstance } from "../../conformance/instance.ts"
import { testConfig } from "../../support/app.ts"
import { copiedUrl, freshUrl } from "../../support/database.ts"

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

t.test("startInstance that fails releases its database, whatever fails, and close does", async (t) => {
  const migrated = await copiedUrl(t, "sqlite")
  const attempts = [
    { url: await freshUrl(t, "sqlite"), message: /lacks migration 2000-kernel/ },
    { url: migrated, message: "no", error: new Error("no") },
  ]
  for (const { url, message, error } of attempts) {
    let opened: Database | undefined
    const prepare = async (database: Database) => {
      opened = database
      if (error) throw error
    }
    await t.rejects(startInstance(await testConfig(url), { log, prepare }), { message })
    await t.rejects(async () => await opened?.ping(), "it is closed")
  }
  const instance = await startInstance(await testConfig(migrated), { log })
  await instance.database.ping()
  await instance.close()
  await t.rejects(instance.database.ping(), "it is closed")
})

t.test("close waits for capabilities, which may still write in the background and use the database", async (t) => {
  const config = await testConfig(await copiedUrl(t, "sqlite"))
  const written: string[] = []
  const capability: Capability = {
    name: "last",
    summary: "Writes something last",
    open({ batch, database }) {
      const write = (items: readonly string[]) => Promise.resolve(void written.push(...items))
      const entries = batch(write, { name: "entries" })
      return {
        async close() {
          await setImmediate()
          await database.ping()
          entries.add("the last")
        },
      }
    },
  }
  const capabilities = [{ capability, settings: undefined }]
  const instance = await startInstance({ ...config, capabilities }, { log })
  await instance.close()
  t.strictSame(written, ["the last"])
})

t.test("a capability that cannot be closed keeps neither entries nor the database, and one that cannot be opened ends the others", async (t) => {
  const config = await testConfig(await copiedUrl(t, "sqlite"))
  const closed: string[] = []
  const first: Capability = {
    name: "first",
    summary: "Cannot be closed",
    open: () => ({ close: () => Promise.reject(new Error(`close ${closed.push("first")}`)) }),
  }
  const second: Capability = {
    name: "second",
    summary: "Cannot be opened",
    open() {
      throw new Error("open second")
    },
  }
  const configWith = (...all: Capability[]) => ({
    ...config,
    capabilities: all.map((capability) => ({ capability, settings: undefined })),
  })
  const instance = await startInstance(configWith(first), { log })
  await t.rejects(instance.close(), { message: "close 1" })
  await t.rejects(instance.database.ping(), "it is closed")
  await t.rejects(startInstance(configWith(first, second), { log }), { message: "open second" })
  t.equal(closed.length, 2)
})
