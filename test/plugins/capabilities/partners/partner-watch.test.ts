import t from "tap"
import { watchPartners } from "../../../../plugins/capabilities/partners/partner-numbers.ts"
import { Builder } from "../../../support/builder.ts"
import { freshDatabase, onEmbedded } from "../../../support/database.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

await onEmbedded(t, async (t, engine) => {
  let statements = 0
  const database = await freshDatabase(t, engine, { onStatement: () => void statements++ })
  await new Builder(database).account("ann")
  const entries: Record<string, unknown>[] = []
  const log = scannedLog(t, entries)
  const numbers = watchPartners(database, { retention: 90 * 86_400, log })
  let time = 1000
  t.intercept(performance, "now", { value: () => time })
  const partners = [{ account: "ann" }]

  await t.test("watchPartners reads once for many calls, and again after ten seconds", async (t) => {
    const [first, second] = await Promise.all([numbers(), numbers()])
    t.match(first, { partners, late: [] })
    t.equal(second, first)
    const before = statements
    time += 9_999
    t.equal(await numbers(), first)
    t.equal(statements, before)
    time += 1
    t.match(await numbers(), { partners })
    t.ok(statements > before)
  })

  await t.test("watchPartners knows nothing while the database cannot say, and does not fail", async (t) => {
    const { schema } = database.writer
    const next = () => {
      time += 10_000
      return numbers()
    }
    await schema.alterTable("sync_state").renameTo("hidden_state").execute()
    for (const _ of [1, 2]) t.equal(await next(), undefined)
    t.equal(entries.length, 1, "it is logged once")
    await schema.alterTable("hidden_state").renameTo("sync_state").execute()
    for (const _ of [1, 2]) t.match(await next(), { partners })
    t.equal(entries.length, 2, "and once when it can be read again")
  })
})
