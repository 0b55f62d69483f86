import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import t from "tap"
import { differences } from "../../../support/pull/copies.ts"
import { PullCommand } from "../../../support/pull/command.ts"
import { openFilledStage } from "../../../support/pull/filled-stage.ts"
import { Proxy } from "../../../support/pull/proxy.ts"

const stage = await openFilledStage(t, "sqlite")
const { base, build, database: { writer }, event, guests, tables } = stage
const town = '=1+1, "quoted"\r\nsecond line'
await build.address(event, guests[0] ?? "", { town })
await build.consent(event, guests[1] ?? "")

for (const format of ["sqlite", "ndjson", "csv"] as const) {
  t.test(`pull --to ${format} writes a copy that only its owner can read, and keeps it up to date`, async (t) => {
    const pull = new PullCommand(t, base)
    const place = join(pull.folder, "copy")
    const run = () => pull.run(["--to", `${format}:${place}`])
    const records = Object.values(await tables()).flat().length
    const { code, output, errors } = await run()
    t.equal(code, 0, errors)
    t.match(
      output,
      new RegExp(`^${records} records: ${records} changed, 0 removed, \\d+ requests\n$`),
    )
    t.strictSame(differences({ format, place }, event, await tables()), [])
    t.strictSame(readdirSync(pull.folder).filter((name) => !name.startsWith("copy")), [])
    const files = format === "sqlite" ? [place] : readdirSync(place, { recursive: true })
      .map((name) => join(place, String(name))).filter((file) => !file.endsWith(".lock"))
    t.strictSame(files.filter((file) => statSync(file).mode & 0o077), [])
    t.match((await run()).output, new RegExp(`^${records} records: 0 changed, 0 removed, `))

    const added = await build.guest(event, { updated: Math.floor(Date.now() / 1000) })
    await writer.updateTable("guest").set({ mobile: `${format}, "1"` })
      .where("id", "=", guests[2] ?? "").execute()
    await writer.deleteFrom("guest").where("id", "=", guests.pop() ?? "").execute()
    t.match((await run()).output, new RegExp(`^${records} records: 2 changed, 1 removed, `))
    t.strictSame(differences({ format, place }, event, await tables()), [])
    await writer.deleteFrom("guest").where("id", "=", added).execute()
    t.match((await run()).output, / 0 changed, 1 removed, /)
    t.strictSame(differences({ format, place }, event, await tables()), [], "a deletion alone")
  })
}

t.test("pull ends with 3 while another run is under way, and with 0 after that has ended", async (t) => {
  const pull = new PullCommand(t, base)
  const { written, end } = pull.start(["--family", "/acme/v1", "--json", "--every", "3600"])
  await written.until(1)
  t.equal((await pull.run()).code, 3)
  t.equal(await end(), 0)
  t.equal((await pull.run()).code, 0)
})

t.test("pull --every polls again, and ends with 0 when it is told to end", async (t) => {
  const { written, end } = new PullCommand(t, base)
    .start(["--family", "/acme/v1", "--json", "--every", "1"])
  await written.until(1)
  await build.guest(event, { updated: Math.floor(Date.now() / 1000) })
  while (!written.runs.slice(1).some(({ changed }) => changed === 1)) {
    await written.until(written.runs.length + 1)
  }
  t.equal(await end(), 0)
})

t.test("pull ends with 2 for wrong options and credentials, says what is wrong, and makes no folder", async (t) => {
  const pull = new PullCommand(t, base)
  const nowhere = join(pull.folder, "nowhere/copy")
  const wrong: readonly [args: readonly string[], message: RegExp][] = [
    [["--every", "never"], /--every must be a number/],
    [["--every", "0"], /--every must be a number of at least 1/],
    [["--everything"], /Unknown option '--everything'/],
    [["--family", "acme"], /--family must be the path/],
    [["--events", "abc"], /--events must be ids of events/],
    [["--cookies", "/nowhere"], /no such file/],
    [["--to", "copy.db"], /--to must be sqlite:FILE/],
    [["--base", "export.example.org"], /--base must be a URL/],
    [["--to", `sqlite:${nowhere}`], /--to is in a folder that does not exist: .*nowhere/],
    [["--to", `csv:${nowhere}`], /--to is in a folder that does not exist: .*nowhere/],
    [["--to", `csv:${pull.folder}/files`, "--every", "never"], /--every must be/],
  ]
  for (const [args, message] of wrong) {
    const { code, errors } = await pull.run(args)
    t.equal(code, 2, args.join(" "))
    t.match(errors, message)
  }
  t.strictSame(readdirSync(pull.folder), [])
  t.equal((await pull.run()).code, 0)
  for (const wrong of [["--family", "/connector-a/v1"], ["--every", "0"]]) {
    const { runs } = await pull.run(["--json", ...wrong])
    t.match(runs, [{ exitCode: 2, error: /this copy is of|--every must be/ }])
  }
  const { code, runs } = await pull.run(["--json"], { EXPORT_PASSWORD: "" })
  t.strictSame([code, runs[0]?.exitCode], [0, 0], "the session is kept")
  t.equal((await new PullCommand(t, base).run([], { EXPORT_PASSWORD: "" })).code, 2)
})

t.test("pull finds the family of the account, and names them if there are several", async (t) => {
  const pull = new PullCommand(t, base)
  const withoutFamily = async () => {
    const { written, ended } = pull.start([])
    return { code: await ended, errors: written.errors }
  }
  t.match(await withoutFamily(), {
    code: 2,
    errors: /--family must be the path of your family: \/acme\/v1, or \/connector-a\/v1/,
  })
  t.equal((await pull.run()).code, 0)
  t.equal((await withoutFamily()).code, 0, "the copy has it")
})

t.test("pull ends with 2 if its copy is damaged, and says what to do", async (t) => {
  const pull = new PullCommand(t, base)
  writeFileSync(join(pull.folder, "copy.db"), "no database ".repeat(100))
  const { code, errors } = await pull.run()
  t.equal(code, 2)
  t.match(errors, /not a database\. Delete the copy with all its files, and start again/)
})

t.test("pull ends with 1 while the service is away, writes no list in part, and ends with 0 when it is back", async (t) => {
  const proxy = await Proxy.open(base)
  t.teardown(() => proxy.close())
  const pull = new PullCommand(t, proxy.url)
  const place = join(pull.folder, "copy")
  const args = ["--to", `ndjson:${place}`, "--limit", "10", "--patience", "0"]
  proxy.choose = () => "no response"
  t.equal((await pull.run(args)).code, 1)
  let requests = 0
  proxy.choose = () => ++requests > 7 ? "no response" : undefined
  t.equal((await pull.run(args)).code, 1)
  t.notOk(existsSync(join(place, event)), "some items have been read")
  proxy.choose = () => undefined
  t.equal((await pull.run(args)).code, 0)
  t.strictSame(differences({ format: "ndjson", place }, event, await tables()), [])
})

t.test("pull leaves tables alone that are not its own", async (t) => {
  const pull = new PullCommand(t, base)
  await pull.run()
  const copy = new DatabaseSync(join(pull.folder, "copy.db"))
  copy.exec("create table mine (event text); insert into mine values ('mine')")
  const sql = "select email, mainAddress ->> 'town' as town from guests where id = ?"
  t.strictSame({ ...copy.prepare(sql).get(guests[0] ?? "") }, { email: "guest0@example.org", town })
  t.equal((await pull.run(["--check"])).code, 0)
  t.strictSame(copy.prepare("select event from mine").all().map((row) => ({ ...row })), [
    { event: "mine" },
  ])
  copy.close()
})
