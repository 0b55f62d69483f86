import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import t, { type Test } from "tap"
import { demoLines } from "../support/demo-lines.ts"
import { installPacked, npm } from "../support/packed.ts"

const { folder: installed } = await installPacked()

t.test("npx event-export demo serves in an empty folder, ends on SIGTERM, and goes on where it was", async (t) => {
  const folder = emptyFolder(t)
  const first = await startDemo(t, folder)
  const cookie = await logIn(first.url)
  t.match(await (await fetch(`${first.url}/docs`, { headers: { cookie } })).text(), /acme/)
  const files = readdirSync(join(folder, "event-export-demo"))
  t.ok(files.includes("event-export.db") && files.includes("session-secret"), files.join(" "))
  const secret = join(folder, "event-export-demo/session-secret")
  t.equal(statSync(secret).mode & 0o777, 0o600)
  const text = readFileSync(secret, "utf8")
  await stop(first)

  const second = await startDemo(t, folder)
  const session = await fetch(`${second.url}/session`, { headers: { cookie } })
  t.equal(session.status, 200, "the database and the secret are the same")
  t.equal(readFileSync(secret, "utf8"), text)
  t.strictSame(readdirSync(folder), ["event-export-demo"], "there is nothing else")
  const lines = await second.lines
  t.equal(lines.length, 2)
  for (const line of lines) {
    const { PATH, HOME } = process.env
    const shell = spawn("/bin/sh", ["-c", line], { cwd: folder, env: { PATH, HOME } })
    const printed = shell.stdout.toArray()
    const [code] = await once(shell, "close")
    t.equal(code, 0, line)
    t.match(Buffer.concat(await printed).toString(), /acme-export|custom-export/, line)
  }
  await stop(second)
})

t.test("what npm installs with the package needs no compiler and runs no script", async (t) => {
  const packages: { name: string; scripts?: object }[] = JSON.parse(
    await npm(installed, ["query", "*"]),
  )
  t.ok(packages.some(({ scripts = {} }) => "test" in scripts), "scripts are found")
  const scripts = ["preinstall", "install", "postinstall"]
  const running = packages.filter((each) => scripts.some((name) => name in (each.scripts ?? {})))
  t.strictSame(running.map(({ name }) => name), [])
})

interface Demo {
  readonly npx: ChildProcess
  readonly url: string
  /** The commands for operators that it prints. */
  readonly lines: Promise<readonly string[]>
  /** Settles when all processes have closed their output. */
  readonly ended: Promise<unknown>
}

async function startDemo(t: Test, folder: string): Promise<Demo> {
  // npx runs what is installed in its prefix, in the working directory.
  const npx = spawn("npx", ["--offline", "--prefix", installed, "event-export", "demo"], {
    cwd: folder,
    env: environment(),
    stdio: ["ignore", "pipe", "pipe"],
  })
  t.teardown(() => npx.kill())
  const ended = once(npx, "close")
  const lines = demoLines(npx.stdout)
  let errors = ""
  npx.stderr.on("data", (chunk) => errors += chunk)
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: npx.stdout }).on("line", (line) => {
      const entry = line.startsWith("{") ? JSON.parse(line) : {}
      if (entry.msg === "serving") resolve(entry.url)
    })
    ended.then(() => reject(new Error(`it did not serve: ${errors}`)))
  })
  return { npx, url, lines, ended }
}

async function stop({ npx, ended }: Demo): Promise<void> {
  npx.kill("SIGTERM")
  await ended
}

async function logIn(url: string): Promise<string> {
  const response = await fetch(`${url}/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "acme-export", password: "demo" }),
  })
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? ""
}

function environment(): Record<string, string | undefined> {
  const { PATH, HOME } = process.env
  return { PATH, HOME, PORT: "0", ADMIN_PORT: "0", DEMO_LIVE: "false" }
}

function emptyFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), "event-export-empty-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
