import { execFile } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { tmpdir } from "node:os"
import process from "node:process"
import { promisify } from "node:util"
import t, { type Test } from "tap"
import { librariesIn, unpackedFolder } from "../../support/debian/unpack.ts"
import { withoutProcesses } from "../../support/quick.ts"

const run = promisify(execFile)
const units = ["event-export.service", "event-export@.service"] as const
const unitText = (name: string) => readFileSync(`config/deploy/${name}`, "utf8")

const systemd = withoutProcesses ? undefined : await findAnalyzer().catch((error: Error) => error)
const skip = withoutProcesses || (systemd instanceof Error && systemd.message)

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
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const program = join(folder, "event-export")
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 })
  mkdirSync(join(folder, "units"))
  const unit = join(folder, "units", name)
  const text = unitText(name).replaceAll(
    "/opt/event-export/node_modules/.bin/event-export",
    program,
  )
  writeFileSync(unit, text)
  const instance = unit.replace("@.", "@9464.")
  if (instance !== unit) writeFileSync(instance, text)
  return await run(file, [...args, instance], { env: { ...process.env, ...env } })
    .catch((error) => error as { stdout: string; stderr: string })
}

for (const name of units) {
  t.test(`${name} has no setting that systemd does not know`, { skip }, async (t) => {
    const { stdout, stderr } = await analyze(t, name, "verify", "--man=no")
    const about = `${stdout}${stderr}`.split("\n").filter((line) => /event-export/.test(line))
    t.strictSame(about, [])
  })

  t.test(`${name} lets the service do little: systemd-analyze security`, { skip }, async (t) => {
    const { stdout } = await analyze(t, name, "security", "--offline=true", "--no-pager")
    const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])
    t.ok(exposure <= 2, `${exposure}`)
  })

  t.test(`${name} has only settings of systemd 252, and the right ones`, (t) => {
    const text = unitText(name)
    const value = (setting: string) => new RegExp(`^${setting}=(.*)$`, "m").exec(text)?.[1]
    t.equal(value("Type"), "notify")
    t.equal(value("NotifyAccess"), "all", "a child process sends the messages")
    t.equal(value("RestartPreventExitStatus"), "2")
    t.notMatch(text, /notify-reload|RestartSteps|RestartMaxDelaySec/)
    t.notMatch(text, /^MemoryDenyWriteExecute/m, "V8 could not start")
    t.end()
  })
}

t.test("event-export@.service differs from event-export.service in what makes several processes", (t) => {
  const linesOf = (name: string) =>
    unitText(name).split("\n").filter((line) => !line.startsWith("#"))
  const [one, several] = units.map(linesOf) as [string[], string[]]
  t.strictSame(several.filter((line) => !one.includes(line)), [
    "Description=event-export, guests and items of events for partners, process %i",
    "Environment=REUSE_PORT=true ADMIN_PORT=%i",
  ])
  t.strictSame(one.filter((line) => !several.includes(line)), [
    "Description=event-export, guests and items of events for partners",
  ])
  t.end()
})
