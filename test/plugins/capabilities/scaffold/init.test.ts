import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import t, { type Test } from "tap"
import { Service } from "../../../../core/kernel/service.ts"
import { readPlan } from "../../../../core/routes/plan.ts"
import { runCommand } from "../../../support/run-command.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

const repository = resolve(".")

t.test("init writes a configuration that migrates, passes check and is served", async (t) => {
  const folder = join(temporaryFolder(t), "service")
  const { code, out } = await runCommand(`init ${folder}`)
  t.equal(code, 0)
  t.match(
    out,
    new RegExp(`^Wrote ${folder}/event-export.yaml and ${folder}/session-secret\\.\nNext:\n  cd `),
  )
  t.strictSame(readdirSync(folder), ["event-export.yaml", "session-secret"])
  t.equal(statSync(join(folder, "session-secret")).mode & 0o777, 0o600)
  const file = join(folder, "event-export.yaml")
  for (const command of ["account list", "partners", "resync"]) {
    t.match(await runCommand(`-c ${file} ${command}`), {
      code: 1,
      err: /^no such table: \w+\. Run "event-export migrate" first\.$/,
    })
  }
  t.match(await runCommand(`-c ${file} migrate`), { code: 0 })
  t.match(await runCommand(`-c ${file} check --strict`), { code: 0, err: "" })
  t.ok(readdirSync(folder).includes("event-export.db"), "the database is beside it")
  const service = await Service.start(file, { environment: {}, log: () => scannedLog(t, []) })
  t.teardown(() => service.close())
  t.equal((await service.fetch(new Request("http://localhost/docs"))).status, 200)
  const session = await service.fetch(new Request("http://localhost/session"))
  t.equal(session.status, 401, "plugins with settings that are no families are served")
})

t.test("init has the settings of config/event-export.yaml, without the demonstration, and examples of families", async (t) => {
  const folder = temporaryFolder(t)
  await runCommand(`init ${folder}`)
  const file = join(folder, "event-export.yaml")
  const text = readFileSync(file, "utf8")
  const groups = (text: string) => [...text.matchAll(/^#? ?(\w+):/gm)].map(([, name]) => name)
  const own = groups(readFileSync("config/event-export.yaml", "utf8"))
  t.ok(own.length > 10)
  t.strictSame(new Set(own).difference(new Set(groups(text))), new Set(["demonstration"]))
  t.notMatch(text, /demonstration|make run|DEMO_/)
  const [before, examples = ""] = text.split("`event-export access grant`.\n")
  writeFileSync(file, `${before}\n${examples.replaceAll(/^ {2}#/gm, "  ")}`)
  const { plugins } = await readPlan(file, {})
  const used = plugins.map(({ use }) => use)
  t.ok(used.includes("custom-export") && used.includes("connector-b"))
})

t.test("init overwrites nothing", async (t) => {
  for (const name of ["event-export.yaml", "session-secret"]) {
    const folder = temporaryFolder(t)
    writeFileSync(join(folder, name), "as it was")
    t.match(await runCommand(`init ${folder}`), {
      code: 1,
      err: `Cannot write ${join(folder, name)}: it already exists. Nothing was written.`,
    })
    t.strictSame(readdirSync(folder), [name])
    t.equal(readFileSync(join(folder, name), "utf8"), "as it was")
  }
})

t.test("commands use event-export.yaml of the working directory, unless another is named", {
  skip: process.env["PACKED"] ? "make pack-test names one" : false,
}, async (t) => {
  const folder = temporaryFolder(t)
  process.chdir(folder)
  t.teardown(() => process.chdir(repository))
  await runCommand("init")
  t.match(await runCommand("migrate"), { code: 0 })
  t.match(await runCommand("check"), { out: /^event-export.yaml is good/ })
  await runCommand("init other")
  await runCommand("migrate", { env: { CONFIG: "other/event-export.yaml" } })
  t.match(await runCommand("check", { env: { CONFIG: "other/event-export.yaml" } }), {
    out: /^other\/event-export.yaml is good/,
  })
  t.match(await runCommand("-c event-export.yaml check", { env: { CONFIG: "elsewhere" } }), {
    out: /^event-export.yaml is good/,
  })
})

function temporaryFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), "event-export-init-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
