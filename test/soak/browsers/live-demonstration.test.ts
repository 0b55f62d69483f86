import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { reference } from "../../../config/demo/clock.ts"
import { secret } from "../../support/app.ts"
import { startProcess } from "../support/service-process.ts"
import { freshUrl, onEveryEngine, openFor } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("serve --demo plays a live demonstration, and ends on a signal", async (t) => {
    const databaseUrl = await freshUrl(t, engine)
    const environment = {
      DATABASE_URL: databaseUrl,
      SESSION_SECRET: secret,
      PORT: "0",
      DEMO_LIVE: "true",
    }
    const flags = ["--migrate", "--demo"]
    const { child, entries } = await startProcess(t, "node", environment, flags)
    const isPlayed = (account: string, route: string) =>
      entries.some((entry) =>
        entry["account"] === account && entry["status"] === 200 &&
        entry["route"] === route.replace("…", "v1/events/:eventId")
      )
    while (
      !isPlayed("partner-a", "/connector-b/…/changes") ||
      !isPlayed("partner-b", "/connector-b/…/guests") ||
      !isPlayed("borealis-export", "/borealis/…/changes")
    ) {
      if (child.exitCode !== null) throw new Error("it has ended")
      await setTimeout(20)
    }
    const database = await openFor(t, databaseUrl)
    const isChanged = async () =>
      await database.writer.selectFrom("guest").select("id").where("updated", ">", reference)
        .executeTakeFirst() !== undefined
    while (!await isChanged()) await setTimeout(20)

    const exit = once(child, "exit")
    child.kill("SIGTERM")
    t.strictSame(await exit, [0, null])
    const bad = entries.filter(({ level }) => Number(level) > 30)
    t.strictSame(bad, [], "there are no warnings")
  })
})
