import { spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { createInterface } from "node:readline"
import t, { type Test } from "tap"
import { secret } from "../../support/app.ts"
import { freshUrl, onEveryEngine, openFor } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("two servers with --migrate --demo fill an empty database together", async (t) => {
    const url = await freshUrl(t, engine)
    const servers = [serve(t, url), serve(t, url)]
    for (const { serving } of servers) t.equal(await serving, "")
    const database = await openFor(t, url)
    t.equal((await database.writer.selectFrom("event").select("id").execute()).length, 4)
  })
})

/** Starts a server. `serving` is its error, or "" once it serves. */
function serve(t: Test, url: string) {
  const child = spawn(process.execPath, ["core/main.js", "serve", "--migrate", "--demo"], {
    env: {
      ...process.env,
      DATABASE_URL: url,
      SESSION_SECRET: secret,
      PORT: "0",
      ADMIN_PORT: "0",
    },
    stdio: ["ignore", "pipe", "pipe"],
  })
  t.teardown(async () => {
    if (child.exitCode !== null) return
    child.kill("SIGTERM")
    await once(child, "exit")
  })
  let errors = ""
  child.stderr.on("data", (text) => errors += text)
  const serving = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.includes('"serving"')) resolve("")
    })
    child.once("close", () => resolve(errors || "ended"))
  })
  return { serving }
}
