import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { closeSync, constants, existsSync, openSync, readSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import t, { type Test } from "tap"
import { generousSettings, secret } from "../../support/app.ts"
import { Builder, password } from "../../support/builder.ts"
import { configFolder } from "../../support/config-folder.ts"
import { copiedUrl, openFor } from "../../support/database.ts"
import { commandOf, type Runtime, runtimes, withoutRuntime } from "../../support/runtimes.ts"
import { samplesOf, valueOf } from "../../support/samples.ts"
import { findStablePort } from "../../support/stable-port.ts"

/** The reason to skip tests in a process of a runtime; false if they run. */
function without(runtime: Runtime): false | string {
  return withoutRuntime(runtime) || !existsSync("/dev/full") && "only Linux has /dev/full"
}

/** Standard outputs that take nothing, or no more than a pipe holds. */
const outputs: Record<string, (t: Test) => number | "pipe"> = {
  "on a full disk": (t) => opened(t, "/dev/full", constants.O_WRONLY),
  "a pipe that nobody reads": (t) => freshPipe(t).writer,
  "a pipe that has lost its reader": () => "pipe",
}

for (const runtime of runtimes) {
  for (const [name, outputFor] of Object.entries(outputs)) {
    t.test(
      `the process on ${runtime} serves, counts what it drops, and ends, if its output is ${name}`,
      {
        skip: without(runtime),
      },
      async (t) => {
        const output = outputFor(t)
        const { child, errors, request, flood, dropped } = await serve(t, runtime, output)
        child.stdout?.destroy()
        while (await dropped() === 0) await flood()
        t.equal((await request("/livez")).status, 200)
        t.equal((await request("/session")).status, 200)
        t.match(errors(), /^[^\n]*standard output takes no more lines[^\n]*\n$/, "says it once")
        child.kill("SIGTERM")
        t.strictSame(await once(child, "exit"), [0, null])
      },
    )
  }

  t.test(`the process on ${runtime} logs again once somebody reads its output, and tells the gap`, {
    skip: without(runtime),
  }, async (t) => {
    const { reader, writer } = freshPipe(t)
    const { child, errors, request, flood, dropped } = await serve(t, runtime, writer)
    while (await dropped() === 0) await flood()
    const before = await readUntil(reader, /were dropped/)
    const lost = await dropped()
    await request("/session", { headers: { "x-request-id": "after-the-gap" } })
    const lines = (before + await readUntil(reader, /after-the-gap/)).trim().split("\n")
    const entries = lines.map((line) => JSON.parse(line))
    t.match(entries.filter(({ dropped }) => dropped !== undefined), [{ dropped: lost }])
    const kept = entries.filter(({ msg }) => msg === "request failed").length
    t.ok(kept > 20, `${kept} entries were kept in the buffer`)
    t.match(errors().split("\n"), [/takes no more lines/, /takes lines again/, ""])
    child.kill("SIGTERM")
    await readUntil(reader, /"stopping"/)
    t.strictSame(await once(child, "exit"), [0, null])
  })
}

/** Starts the service with an output, which cannot tell the port, and an account in a session. */
async function serve(t: Test, runtime: Runtime, stdout: number | "pipe") {
  const url = await copiedUrl(t, "sqlite")
  const database = await openFor(t, url)
  await new Builder(database).account("partner")
  const [port, adminPort] = [await findStablePort(), await findStablePort()]
  const { folder, write } = configFolder(t)
  const file = write(`server: { host: 127.0.0.1, port: ${port} }
admin: { host: 127.0.0.1, port: ${adminPort} }
database: { url: "${url}" }
session: { secrets: ["${secret}"] }
limits: ${JSON.stringify(generousSettings)}
plugins: [{ use: session }, { use: health }, { use: ./noisy.ts }]
`)
  writeFileSync(join(folder, "noisy.ts"), noisyPlugin)
  const [command, ...args] = commandOf(runtime)
  const child = spawn(command, [...args, "core/main.js", "serve", "--config", file], {
    stdio: ["ignore", stdout, "pipe"],
  })
  t.teardown(() => child.kill("SIGKILL"))
  let errors = ""
  child.stderr?.on("data", (chunk) => errors += chunk)
  const request = (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${port}${path}`, { ...init, signal: AbortSignal.timeout(30_000) })
  await untilAnswered(child, () => request("/livez"))
  const logIn = await request("/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "partner", password }),
  })
  const cookie = logIn.headers.getSetCookie()[0]?.split(";")[0] ?? ""
  const inSession = (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    headers.set("cookie", cookie)
    return request(path, { ...init, headers })
  }
  return {
    child,
    errors: () => errors,
    request: inSession,
    /** Sends requests with long entries in the log. All must be answered. */
    async flood() {
      for (let n = 0; n < 20; n++) {
        const { status } = await request("/noisy")
        if (status !== 500) throw new Error(`a request got ${status}`)
      }
    },
    async dropped() {
      const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
      return valueOf(samplesOf(metrics), "event_export_log_dropped_total")
    },
  }
}

/** A plugin with a route whose errors fill the log. */
const noisyPlugin = `
  import { anyone, definePlugin, handler, v } from "${pathToFileURL("core/plugin.ts")}"
  const handle = () => { throw new Error("${"x".repeat(20_000)}") }
  export default definePlugin({
    apiVersion: 3, name: "noisy", summary: "Noisy", settings: v.strictObject({}),
    mount: () => ({ prefix: "", routes: [handler("GET", "/noisy", { auth: anyone, handle })] }),
  })`

async function untilAnswered(child: ChildProcess, send: () => Promise<Response>): Promise<void> {
  while (child.exitCode === null) {
    const response = await send().catch(() => undefined)
    if (response?.ok) return
    await setTimeout(50)
  }
  throw new Error(`the process ended with ${child.exitCode}`)
}

/** Opens a file for a child process, and closes it after the test. */
function opened(t: Test, path: string, flags: number): number {
  const descriptor = openSync(path, flags)
  t.teardown(() => closeSync(descriptor))
  return descriptor
}

/** Creates a named pipe, and opens it: for reading, which does not block, and for writing. */
function freshPipe(t: Test): { readonly reader: number; readonly writer: number } {
  const path = join(configFolder(t).folder, "pipe")
  spawnSync("mkfifo", [path])
  // For both ends: else opening it would wait for the other.
  const reader = opened(t, path, constants.O_RDWR | constants.O_NONBLOCK)
  return { reader, writer: opened(t, path, constants.O_WRONLY) }
}

/** Reads lines from a pipe until one matches. */
async function readUntil(pipe: number, pattern: RegExp): Promise<string> {
  const chunk = new Uint8Array(65_536)
  const decoder = new TextDecoder()
  for (let text = "";;) {
    try {
      text += decoder.decode(chunk.subarray(0, readSync(pipe, chunk)), { stream: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error
      if (pattern.test(text) && text.endsWith("\n")) return text
      await setTimeout(10)
    }
  }
}
