import { execFile } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import t, { type Test } from "tap"
import { configFolder } from "../../support/config-folder.ts"
import { findProgram, type Program } from "../support/program.ts"

const run = promisify(execFile)
const units = ["event-export.service", "event-export@.service"] as const

const without = ["libc6", "libgcc-s1", "debconf", "dpkg", "perl", "mount", "util-linux"]
const systemd = await findProgram("systemd-analyze", {
  name: "systemd",
  packages: ["systemd"],
  without,
}).catch((error: Error) => error)
const skip = systemd instanceof Error && systemd.message

/** Runs systemd-analyze on the units, in a folder where the program that they start exists. */
async function analyze(t: Test, name: string, ...args: string[]) {
  const { file, env } = systemd as Program
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
