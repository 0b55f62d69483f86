import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { setTimeout } from "node:timers/promises"
import type { Test } from "tap"

/** Puts a program `systemd-notify` into a folder, which notes its arguments. */
export function fakeNotify(t: Test, commands = "") {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, "messages")
  writeFileSync(file, "")
  const program = join(folder, "systemd-notify")
  // One line per message, and what else of the environment it got.
  writeFileSync(
    program,
    `#!/bin/sh\n${commands}\n(IFS='|'; echo "$NOTIFY_SOCKET: $*\${DATABASE_URL+ $DATABASE_URL}") >>"${file}"\n`,
  )
  chmodSync(program, 0o755)
  const messages = () => readFileSync(file, "utf8").split("\n").slice(0, -1)
  return {
    environment: { NOTIFY_SOCKET: "/run/notify", PATH: `${folder}:${process.env["PATH"]}` },
    /** Waits until there are `count` messages, and returns all. */
    async until(count: number): Promise<string[]> {
      while (messages().length < count) await setTimeout(10)
      return messages()
    },
  }
}
