import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import t from "tap"
import { revokeSessions } from "../../../../core/access/accounts.ts"
import { secret } from "../../../support/app.ts"
import { processApp } from "../../../soak/support/service-process.ts"
import { withoutProcesses } from "../../../support/quick.ts"
import { runCommand } from "../../../support/run-command.ts"

t.test("account session writes a cookie file that works and that only its owner may read", {
  skip: withoutProcesses,
}, async (t) => {
  const { url, build, database, databaseUrl } = await processApp(t, "node")
  await build.account("ann")
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const jar = join(folder, "jar")
  const env = { DATABASE_URL: databaseUrl, SESSION_SECRET: secret, PORT: new URL(url).port }
  const run = (args: string) => runCommand(`account session ann ${args}`, { env })
  const cookieOf = () => readFileSync(jar, "utf8").trim().split("\n").at(-1)?.split("\t") ?? []

  await t.test("account session writes the file with its mode, format and lifetime", async (t) => {
    t.match(await run(`--cookie-jar ${jar} --lifetime 30d`), { code: 0, text: /ann is logged in/ })
    t.equal(statSync(jar).mode & 0o777, 0o600)
    const [host, subdomains, path, secure, expires, name, value] = cookieOf()
    t.strictSame(
      [host, subdomains, path, secure, name],
      ["#HttpOnly_127.0.0.1", "FALSE", "/", "FALSE", "event_export_session"],
    )
    const thirtyDays = Date.now() / 1000 + 30 * 86_400
    t.ok(Math.abs(Number(expires) - thirtyDays) < 60)
    const response = await fetch(`${url}/session`, { headers: { cookie: `${name}=${value}` } })
    const session = await response.json()
    t.match(session, { username: "ann" })
    t.ok(Math.abs(session.expires - thirtyDays) < 60)
    t.notMatch((await run(`--cookie-jar ${jar}`)).text, value ?? "", "the cookie is never printed")
  })

  await t.test("account session --token prints a token, and nothing else", async (t) => {
    const { code, text } = await run("--token --lifetime 1h")
    t.equal(code, 0)
    t.match(text, /^Fe26\.2\*\S+$/)
    const headers = { authorization: `Bearer ${text.trim()}` }
    t.match(await (await fetch(`${url}/session`, { headers })).json(), { username: "ann" })
    for (const args of ["", `--token --cookie-jar ${jar}`]) {
      t.match(await run(args), { code: 1, text: /Give --cookie-jar with a file, or --token/ })
    }
  })

  await t.test("account revoke ends the session of account session, too", async (t) => {
    const [, , , , , name, value] = cookieOf()
    await revokeSessions(database, "ann")
    const response = await fetch(`${url}/session`, { headers: { cookie: `${name}=${value}` } })
    t.equal(response.status, 401)
  })

  await t.test("account session does not write to a file that others may read", async (t) => {
    const before = readFileSync(jar, "utf8")
    chmodSync(jar, 0o644)
    t.match(await run(`--cookie-jar ${jar}`), { code: 1, text: /Others may read/ })
    t.equal(readFileSync(jar, "utf8"), before)
    chmodSync(jar, 0o600)
    writeFileSync(jar, "")
    t.match(await run(`--cookie-jar ${jar}`), { code: 0 })
    t.match(await run(`--cookie-jar ${folder}`), { code: 1, text: /not a file/ })
  })

  await t.test("an invalid lifetime is refused", async (t) => {
    for (const lifetime of ["30", "1w", "0d", "367d", "30s"]) {
      t.match(await run(`--cookie-jar ${jar} --lifetime ${lifetime}`), {
        code: 1,
        text: /not a duration/,
      })
    }
  })
})
