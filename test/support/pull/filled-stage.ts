import type { Test } from "tap"
import type { SyncOptions } from "../../../plugins/documents/pull/pull.d.mts"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { Builder } from "../builder.ts"
import type { Engine } from "../database.ts"
import { MemoryStore } from "./memory.ts"
import { Proxy } from "./proxy.ts"
import { openStage } from "./stage.ts"
import { readTables } from "./tables.ts"

/** Opens a stage with an event, whose records the account `acme-export` may read. */
export async function openFilledStage(t: Test, engine: Engine) {
  const { database, base } = await openStage(t, engine)
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const event = await build.event(organization)
  const guests = await build.guests(event, 50)
  for (const category of itemCategories) await build.items(category, event, 4)
  await build.account("acme-export", "service")
  await build.grant("acme-export", { organization: "acme" })
  return {
    database,
    /** The URL of the service. */
    base,
    build,
    organization,
    event,
    /** The ids of the guests at first. */
    guests,
    /** Reads the event's records from the tables. */
    tables: () => readTables(database, event),
    /** Opens a proxy to the service, and a store that reads through it. */
    async open(t: Test) {
      const proxy = await Proxy.open(base)
      t.teardown(() => proxy.close())
      const store = new MemoryStore()
      const run = (options: Partial<SyncOptions> = {}, commits?: number) =>
        store.run({ base: proxy.url, limit: 10, timeout: 60, ...options }, commits)
      return { proxy, store, run }
    },
  }
}
