// Runs the tests against the package as `npm pack` makes it. It is unpacked into node_modules of the clone, so that
// it shares the packages that tests import. Arguments and environment are those of run.ts.
import "../../support/clean-environment.ts"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import { packedTarball } from "../support/packed.ts"

const folder = resolve("node_modules/event-export")
const tarball = await packedTarball()
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
try {
  execFileSync("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"])
  console.log(`testing the package on Node.js ${process.version}`)
  const runner = spawn(process.execPath, [
    join(import.meta.dirname, "../../runner/run.ts"),
    ...process.argv.slice(2),
  ], {
    stdio: "inherit",
    env: {
      ...process.env,
      PACKED: folder,
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, "packed-hooks.mjs"))}`,
      // The package has no configuration of its own but the demonstration's.
      CONFIG: "config/event-export.yaml",
    },
  })
  // The runner ends its own processes.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => runner.kill(signal))
  const [code] = await once(runner, "exit")
  process.exitCode = code ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
