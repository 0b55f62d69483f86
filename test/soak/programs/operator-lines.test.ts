import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import t, { type Test } from "tap"
import { demoLines } from "../support/demo-lines.ts"

t.test("demo prints lines that work in another terminal, as they are", async (t) => {
  const folder = freshFolder(t)
  const PATH = freshFolder(t)
  symlinkSync(process.execPath, join(PATH, "node"))
  const { lines } = await startDemo(t, folder, { PATH })
  t.equal(lines.length, 2)
  const [partners = "", status = ""] = lines
  t.match(
    partners,
    /^node core\/main\.js --config '.*it'\\''s a demo-.*\/event-export\.yaml' partners$/,
  )
  t.match(paste(partners, PATH), {
    code: 0,
    out: /^NAME .*^acme-export +never polled/ms,
    err: "",
  })
  t.match(paste(status, PATH), {
    code: 0,
    out: /^configuration +\S+event-export\.yaml, /,
    err: "",
  })
  const command = (name: string) => paste(status.replace(/ status$/, ` ${name}`), PATH)
  t.match(command("check --strict"), { code: 0, err: "" })
  t.match(command("account revoke partner-a"), { code: 0 })
  const file = join(folder, "event-export.yaml")
  t.equal(statSync(file).mode & 0o777, 0o600)
  const secret = readFileSync(join(folder, "session-secret"), "utf8").trim()
  t.notMatch(readFileSync(file, "utf8"), secret, "it names the file of the secret")
})

t.test("demo leaves a configuration of others as it is, and prints no line then", async (t) => {
  const folder = freshFolder(t)
  const file = join(folder, "event-export.yaml")
  writeFileSync(file, "server: {}\n")
  const { lines } = await startDemo(t, folder)
  t.strictSame(lines, [])
  t.equal(readFileSync(file, "utf8"), "server: {}\n")
})

/** Starts it as `make run` does, and returns the lines for operators that it prints. */
async function startDemo(t: Test, folder: string, environment: Record<string, string> = {}) {
  const { PATH = "", HOME } = process.env
  const child = spawn(process.execPath, ["core/main.js", "demo", folder], {
    env: { PATH, HOME, PORT: "0", ADMIN_PORT: "0", DEMO_LIVE: "false", ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  })
  t.teardown(async () => {
    child.kill("SIGTERM")
    await once(child, "exit")
  })
  return { lines: await demoLines(child.stdout) }
}

/** Runs a line in a shell without the variables of the demonstration. */
function paste(line: string, PATH: string) {
  const env = { PATH, HOME: process.env["HOME"] }
  const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", line], { env, encoding: "utf8" })
  return { code: status, out: stdout, err: stderr }
}

function freshFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), "it's a demo-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
