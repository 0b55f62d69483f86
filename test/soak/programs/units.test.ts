import { execFile } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import t, { type Test } from "tap"
import { configFolder } from "../../support/config-folder.ts"
import { librariesIn, unpackedFolder } from "../../support/debian/unpack.ts"

const run = promisify(execFile)
const units = ["event-export.service", "event-export@.service"] as const

const systemd = await findAnalyzer().catch((error: Error) => error)
const skip = systemd instanceof Error && systemd.message

interface Analyzer {
  readonly file: string
  readonly env: Record<string, string>
}

/** Finds systemd-analyze on this machine, or else unpacks it from Debian. */
async function findAnalyzer(): Promise<Analyzer> {
  const folders = (process.env["PATH"] ?? "").split(delimiter)
  const installed = folders.map((folder) => join(folder, "systemd-analyze")).find((file) =>
    existsSync(file)
  )
  if (installed) return { file: installed, env: {} }
  const folder = await unpackedFolder({
    name: "systemd",
    packages: ["systemd"],
    without: ["libc6", "libgcc-s1", "debconf", "dpkg", "perl", "mount", "util-linux"],
  })
  const libraries = `${librariesIn(folder)}:${join(folder, "usr/lib/systemd")}`
  return { file: join(folder, "usr/bin/systemd-analyze"), env: { LD_LIBRARY_PATH: libraries } }
}

/** Runs systemd-analyze on the units, in a folder where the program that they start exists. */
async function analyze(t: Test, name: string, ...args: string[]) {
  const { file, env } = systemd as Analyzer
  const { folder } = configFolder(t)
  const program = join(folder, "event-export")
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 })
  mkdirSync(join(folder, "units"))
  const unit = join(folder, "units", name)
  const text = readFileSync(`config/deploy/${name}`, "utf8")
    .replaceAll("/opt/event-export/node_modules/.bin/event-export", program)
  writeFileSync(unit, text)
  const instance = unit.replace("@.", "@9464.")
  if (instance !== unit) writeFileSync(instance, text)
  return await run(file, [...args, instance], { env: { ...process.env, ...env } })
    .catch((error) => error as { stdout: string; stderr: string })
}

for (const name of units) {
  t.test(`${name} has no setting that systemd does not know, and lets the service do little`, {
    skip,
  }, async (t) => {
    const { stdout, stderr } = await analyze(t, name, "verify", "--man=no")
    const about = `${stdout}${stderr}`.split("\n").filter((line) => /event-export/.test(line))
    t.strictSame(about, [])
    const security = await analyze(t, name, "security", "--offline=true", "--no-pager")
    const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(security.stdout)?.[1])
    t.ok(exposure <= 2, `${exposure}`)
  })
}
