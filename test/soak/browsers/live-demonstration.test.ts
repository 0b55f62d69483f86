import { spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { createInterface } from "node:readline"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { reference } from "../../../config/demo/clock.ts"
import { secret } from "../../support/app.ts"
import { freshUrl, onEveryEngine, openFor } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("serve --demo plays a live demonstration, and ends on a signal", async (t) => {
    const databaseUrl = await freshUrl(t, engine)
    const { child, entries, printed, errors } = serveDemo(t, databaseUrl)
    const requests = (account: string, status: number) =>
      entries.filter((entry) => entry["account"] === account && entry["status"] === status)
    const pages = (account: string, route: string) =>
      requests(account, 200).filter((entry) => entry["route"] === route)
    const list = "/v1/events/:eventId"
    const isPlayed = () =>
      pages("partner-a", `/connector-b${list}/changes`).length > 0 &&
      pages("partner-b", `/connector-b${list}/guests`).length > 0 &&
      pages("borealis-export", `/borealis${list}/changes`).length > 0
    while (!isPlayed()) {
      t.equal(child.exitCode, null, errors())
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
    t.equal(errors(), "")
    t.match(printed(), /It is live: .*partner-b never/s)
    const bad = entries.filter(({ level }) => Number(level) > 30)
    t.strictSame(bad, [], "there are no warnings")
    t.notOk(entries.some(({ msg }) => /demonstration/.test(String(msg))))
  })
})

/** Starts `serve --migrate --demo` with a live demonstration. */
function serveDemo(t: Test, databaseUrl: string) {
  const child = spawn(process.execPath, ["core/main.js", "serve", "--migrate", "--demo"], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      SESSION_SECRET: secret,
      PORT: "0",
      ADMIN_PORT: "0",
      DEMO_LIVE: "true",
    },
    stdio: ["ignore", "pipe", "pipe"],
  })
  t.teardown(async () => {
    if (child.exitCode !== null) return
    child.kill("SIGTERM")
    await once(child, "exit")
  })
  const entries: Record<string, unknown>[] = []
  const printed: string[] = []
  let errors = ""
  child.stderr.on("data", (text) => errors += text)
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.startsWith("{")) entries.push(JSON.parse(line))
    else printed.push(line)
  })
  return { child, entries, printed: () => printed.join("\n"), errors: () => errors }
}
