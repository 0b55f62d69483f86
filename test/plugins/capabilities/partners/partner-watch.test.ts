import t from "tap"
import { watchPartners } from "../../../../plugins/capabilities/partners/partner-numbers.ts"
import { Builder } from "../../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("watchPartners reads once for many calls, and again after ten seconds", async (t) => {
    let statements = 0
    const onStatement = () => void statements++
    const database = await freshDatabase(t, engine, { onStatement })
    await new Builder(database).account("ann")
    const numbers = watchPartners(database, { retention: 90 * 86_400, log: scannedLog(t, []) })
    let time = 1000
    t.intercept(performance, "now", { value: () => time })
    const before = statements
    const [first, second] = await Promise.all([numbers(), numbers()])
    t.match(first, { partners: [{ account: "ann" }], late: [] })
    t.equal(second, first)
    const once = statements - before
    time += 9_999
    t.equal(await numbers(), first)
    t.equal(statements - before, once)
    time += 1
    t.match(await numbers(), { partners: [{ account: "ann" }] })
    t.equal(statements - before, 2 * once)
  })

  await t.test("watchPartners knows nothing while the database cannot say, and does not fail", async (t) => {
    const database = await freshDatabase(t, engine)
    await new Builder(database).account("ann")
    const { schema } = database.writer
    await schema.alterTable("sync_state").renameTo("hidden_state").execute()
    const entries: Record<string, unknown>[] = []
    const numbers = watchPartners(database, {
      retention: 90 * 86_400,
      log: scannedLog(t, entries),
    })
    let time = 1000
    t.intercept(performance, "now", { value: () => time })
    const next = () => {
      time += 10_000
      return numbers()
    }
    for (const _ of [1, 2]) t.equal(await next(), undefined)
    t.equal(entries.length, 1, "it is logged once")
    await schema.alterTable("hidden_state").renameTo("sync_state").execute()
    for (const _ of [1, 2]) t.match(await next(), { partners: [{ account: "ann" }] })
    t.equal(entries.length, 2, "and once when it can be read again")
  })
})
