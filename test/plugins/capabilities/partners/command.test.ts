import t from "tap"
import { secret } from "../../../support/app.ts"
import { Builder } from "../../../support/builder.ts"
import { freshUrl, onEmbedded, openFor } from "../../../support/database.ts"
import { runCommand } from "../../../support/run-command.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

await onEmbedded(t, async (t, engine) => {
  const url = await freshUrl(t, engine)
  const env = { DATABASE_URL: url, SESSION_SECRET: secret }
  const run = (args: string) => runCommand(args, { env })
  await run("migrate")
  const database = await openFor(t, url)
  const build = new Builder(database)
  const now = Math.floor(Date.now() / 1000)
  const event_id = await build.event(await build.organization("acme"))
  const account_id = await build.account("well")
  await build.grant("well", { event: event_id })
  const walk = { last_poll: now, walk_started: now, walk_completed: now, completed_next: now }
  await database.writer.insertInto("sync_state").values(
    emptyRow({ account_id, event_id, poll_interval: 60, ...walk }),
  ).execute()

  await t.test("partners prints a table, the worst first", async (t) => {
    await build.account("new")
    const { code, out } = await run("partners")
    t.equal(code, 0)
    const [head = "", first = "", second = ""] = out.split("\n")
    t.match(head, /^NAME +STATE +SINCE +LAST POLL +LISTS +BEHIND BY +DELETIONS +WHY$/)
    t.match(first, /^new +never polled .* It has read no list\.$/)
    t.match(second, /^well +in sync +- .* 1 +- +- +It has everything that changed until/)
  })

  await t.test("partners NAME prints sentences, and says that there is no such partner", async (t) => {
    t.match(await run("partners well"), {
      code: 0,
      out: /^well is in sync\.[^]*What to do: nothing\.$/,
    })
    t.match(await run("partners nobody"), { code: 1, err: /^There is no partner nobody/ })
  })

  await t.test("partners --json prints everything", async (t) => {
    const one = JSON.parse((await run("partners well --json")).out)
    t.match(one, { health: { account: "well" }, lists: [{ list: "guests" }], errors: [] })
    const all = JSON.parse((await run("partners --json")).out)
    t.match(all, [{ account: "new" }, { account: "well", state: "in sync", lists: 1 }])
  })

  await t.test("partners --check fails if a partner is not in sync", async (t) => {
    t.match(await run("partners --check"), { code: 1, err: "Not in sync: new." })
    t.match(await run("partners new --check"), { code: 1 })
    t.match(await run("partners well --check"), { code: 0, err: "" })
  })
})
