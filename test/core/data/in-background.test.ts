import { once } from "node:events"
import { sql } from "kysely"
import t from "tap"
import { openDatabase } from "../../../core/data/open.ts"
import { freshUrl, onEveryEngine } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("close waits for background work, and then closes the connections", async (t) => {
    const url = await freshUrl(t, engine)
    const database = await openDatabase(url, { connections: 1, timeLimit: 10 })
    const { background } = database
    const stop = new AbortController()
    const working = database.inBackground(async () => {
      await once(stop.signal, "abort")
      for (let turn = 0; turn < 20; turn++) {
        await background.selectNoFrom(sql`1`.as("one")).execute()
      }
      return "done"
    })
    const closing = database.close()
    stop.abort()
    t.equal(await working, "done")
    await closing
    await t.rejects(background.selectNoFrom(sql`1`.as("one")).execute())
    const failing = database.inBackground(() => Promise.reject(new RangeError("mine")))
    await t.rejects(failing, new RangeError("mine"))
  })
})
