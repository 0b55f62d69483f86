import t from "tap"
import { startInstance } from "../../core/kernel/instance.ts"
import { migrate } from "../../core/data/migrate.ts"
import { listAudit } from "../../core/observe/audit-log.ts"
import { type ItemCategory, itemKinds } from "../../core/records/kinds/items.ts"
import { longestCursor } from "../../core/request/listing/query.ts"
import { testConfig } from "../support/app.ts"
import { Builder } from "../support/builder.ts"
import { freshUrl, onEveryEngine, openFor } from "../support/database.ts"
import { scannedLog } from "../support/scanned-log.ts"
import { logInto } from "../support/service.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("a walk through all six categories of items does not stop the audit log", async (t) => {
    const url = await freshUrl(t, engine)
    const database = await openFor(t, url)
    await migrate(database)
    const build = new Builder(database)
    const event = await build.event(await build.organization("acme"))
    // Four bytes each, so that the cursor, which has the search, gets as long as it can.
    const name = "𝐚".repeat(200)
    for (const category of Object.keys(itemKinds) as ItemCategory[]) {
      for (let n = 0; n < 2; n++) await build.item(category, event, { name })
    }
    await build.account("partner-b")
    await build.grant("partner-b", { event })
    const instance = await startInstance(await testConfig(url), { log: scannedLog(t, []) })
    const get = await logInto(instance.fetch, "partner-b")
    const items = `/connector-b/v1/events/${event}/items?since=-1&limit=1`
    const cursors: string[] = []
    for (const path of [items, `${items}&q=${encodeURIComponent(name)}`]) {
      const [, next = ""] = /<http:\/\/localhost([^>]*)>/.exec(
        (await get(path)).headers.get("link") ?? "",
      ) ?? []
      t.equal((await get(next)).status, 200)
      cursors.push(next.replace(/.*cursor=/, ""))
    }
    t.equal((await get(`/connector-b/v1/events/${event}/guests`)).status, 200)
    await instance.close()
    const audited = (await listAudit(database, { limit: 100 })).map(({ cursor_text }) =>
      cursor_text
    )
    t.strictSame(audited, [null, null, cursors[0], null, cursors[1], null])
    const [usual = "", longest = ""] = cursors
    t.ok(usual.length > 500, "this is longer than the column was")
    t.ok(longest.length > 1500 && longest.length <= longestCursor, `${longest.length} characters`)
  })
})
