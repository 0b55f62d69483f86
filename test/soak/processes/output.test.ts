import { spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, existsSync, openSync } from "node:fs"
import process from "node:process"
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { secret } from "../../support/app.ts"
import { commandOf, type Runtime, runtimes, withoutRuntime } from "../../support/runtimes.ts"

for (const runtime of runtimes) {
  t.test(`openapi on ${runtime} writes the whole document to a pipe that is read slowly`, {
    skip: withoutRuntime(runtime),
  }, async (t) => {
    const child = start(runtime, "pipe")
    // Longer than the process needs to fill the pipe, and to end if it did not wait.
    await setTimeout(2000)
    const document = JSON.parse(await text(child.stdout as Readable))
    t.ok(Object.keys(document.paths).length > 10)
    t.equal(child.exitCode ?? (await once(child, "exit"))[0], 0)
  })

  const outputs = {
    "ends quietly if its reader has read enough": ["pipe", 0, /^$/],
    "fails with a sentence if its output is on a full disk": [
      "/dev/full",
      1,
      /^Cannot write to standard output: [^\n]*(ENOSPC|No space)[^\n]*\n$/,
    ],
  } as const
  for (const [name, [output, expected, message]] of Object.entries(outputs)) {
    t.test(`openapi on ${runtime} ${name}`, {
      skip: withoutRuntime(runtime) || !existsSync("/dev/full") && "only Linux has /dev/full",
    }, async (t) => {
      const child = start(runtime, output === "pipe" ? output : openFull(t))
      child.stdout?.once("data", () => child.stdout?.destroy())
      const [errors, [code]] = await Promise.all([
        text(child.stderr as Readable),
        once(child, "exit"),
      ])
      t.equal(code, expected)
      t.match(errors, message)
    })
  }
}

function start(runtime: Runtime, stdout: "pipe" | number) {
  const [command, ...args] = commandOf(runtime)
  return spawn(command, [...args, "core/main.js", "openapi"], {
    env: { ...process.env, SESSION_SECRET: secret },
    stdio: ["ignore", stdout, "pipe"],
  })
}

function openFull(t: Test): number {
  const descriptor = openSync("/dev/full", "w")
  t.teardown(() => closeSync(descriptor))
  return descriptor
}
