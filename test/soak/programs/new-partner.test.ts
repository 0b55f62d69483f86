import { spawnSync } from "node:child_process"
import { statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import t from "tap"
import { processApp } from "../support/service-process.ts"
import { blocksOf } from "../../support/documents.ts"
import { differences } from "../../support/pull/copies.ts"
import { Partner } from "../../support/pull/partner.ts"
import { readTables } from "../../support/pull/tables.ts"

const missing = ["bash", "curl"].find((command) => spawnSync(command, ["--version"]).error)

await t.test("the first lines take any password, and ask again after a wrong one", {
  skip: missing ? `${missing} is not on this machine` : false,
}, async (t) => {
  const { build, url } = await processApp(t, "node")
  const odd = String.raw`a"b\c\n'$(id) %s&`
  await build.account("odd", "partner", odd)
  const page = await (await fetch(`${url}/docs/start.md`)).text()
  const blocks = blocksOf(page.replaceAll("your-name", "odd"), "sh")
  const lines = blocks.find((block) => block.includes("-c cookies.new")) ?? ""
  const folder = t.testdir()
  const runLines = (lines: string, password: string) => {
    const env = { ...process.env, EXPORT_PASSWORD: password }
    const stdio = ["ignore", "pipe", "pipe"] as const
    return spawnSync("bash", ["-c", lines], {
      cwd: folder,
      env,
      stdio: [...stdio],
      encoding: "utf8",
    })
  }
  const after = `${lines}printf %s "\${EXPORT_PASSWORD-}"`
  t.match(
    runLines(after, odd),
    { status: 0, stdout: odd, stderr: "" },
    "the variable has the password as it is",
  )
  t.equal(statSync(join(folder, "cookies.txt")).mode & 0o077, 0, "nobody else can read the cookie")
  const session = runLines(`curl -sS -b cookies.txt ${url}/session`, odd)
  t.match(JSON.parse(session.stdout), { username: "odd" })

  const { stdout } = runLines(after, "wrong")
  t.match(JSON.parse(stdout), { code: "invalid_credentials" }, "and the variable is empty")
  const kept = runLines(`curl -sS -b cookies.txt ${url}/session`, odd)
  t.match(JSON.parse(kept.stdout), { username: "odd" }, "the former session remains")

  const { EXPORT_PASSWORD: _, ...env } = process.env
  const typed = spawnSync("bash", { cwd: folder, env, input: `${lines}${odd}\n`, encoding: "utf8" })
  t.match(typed, { status: 0, stdout: "Password: ", stderr: "" }, "the lines are no password")
})

await t.test("pull.mjs needs no more than what the service filled in", async (t) => {
  const { build, database, logIn } = await processApp(t, "node")
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 700)
  await build.account("acme-export", "service")
  await build.grant("acme-export", { organization: "acme" })
  const program = join(t.testdir(), "pull.mjs")
  writeFileSync(program, await (await (await logIn("acme-export"))("/docs/pull.mjs")).text())
  const copy = new Partner("sqlite", { program: [process.execPath, program] })
  t.teardown(() => copy.remove())
  const { code, errors } = await copy.run()
  t.strictSame([code, errors], [0, ""])
  t.strictSame(differences(copy, event, await readTables(database, event)), [])
})
