import { Buffer } from "node:buffer"
import { spawnSync } from "node:child_process"
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { DatabaseSync } from "node:sqlite"
import t from "tap"
import packageFile from "../../../package.json" with { type: "json" }
import { program } from "../../../plugins/documents/pull/program.ts"
import { Builder } from "../../support/builder.ts"
import { differences } from "../../support/pull/copies.ts"
import { Partner } from "../../support/pull/partner.ts"
import { Proxy } from "../../support/pull/proxy.ts"
import { openStage } from "../../support/pull/stage.ts"
import { readTables } from "../../support/pull/tables.ts"
import { commandOf, withoutDeno } from "../../support/runtimes.ts"

t.setTimeout(20 * 60_000)

const { database, base } = await openStage(t, "sqlite")
const build = new Builder(database)
const organization = await build.organization("acme")
const event = await build.event(organization)
const guests = await build.guests(event, 60)
await build.address(event, guests[0] ?? "", { town: '=1+1, "quoted"\r\nsecond line' })
await build.consent(event, guests[1] ?? "")
await build.item("auctionItems", event)
await build.item("tickets", event, { categories: '["a","b"]' })
await build.account("acme-export", "service")
await build.grant("acme-export", { organization: "acme" })
const truth = await readTables(database, event)

function partner(
  format: Partner["format"],
  options: {
    base?: string | undefined
    program?: string[]
    place?: string
    env?: Record<string, string>
  } = {},
) {
  const made = new Partner(format, { base, ...options })
  t.teardown(() => made.remove())
  return made
}

for (const format of ["sqlite", "ndjson", "csv"] as const) {
  t.test(`pull --to ${format} writes a copy that only its owner can read, and one line`, async (t) => {
    const { run, place } = bound(partner(format))
    const { code, output, errors } = await run()
    t.equal(code, 0, errors)
    t.match(output, /^62 records: 62 changed, 0 removed, \d+ requests\n$/)
    t.strictSame(differences({ format, place }, event, truth), [])
    const files = format === "sqlite" ? [place] : readdirSync(place, { recursive: true })
      .map((name) => join(place, String(name))).filter((file) => !file.endsWith(".lock"))
    t.strictSame(files.filter((file) => statSync(file).mode & 0o077), [])
    t.match((await run()).output, /^62 records: 0 changed, 0 removed, /)
  })
}

for (
  const [runtime, command] of [
    ["node", [process.execPath]],
    ["deno", commandOf("deno", ["--allow-net", "--allow-env", "--allow-read", "--allow-write"])],
  ] as const
) {
  t.test(`pull.mjs as it is served runs on ${runtime}`, {
    skip: runtime === "deno" && withoutDeno,
  }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "event-export-"))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, "pull.mjs")
    writeFileSync(file, program({ base, user: "acme-export", families: ["/acme/v1"] }))
    const { run, place } = bound(partner("sqlite", { program: [...command, file] }))
    const { code, errors } = await run()
    t.equal(code, 0, errors)
    t.strictSame(differences({ format: "sqlite", place }, event, truth), [])
  })
}

t.test("pull ends with 3 while another run is under way, and with 0 after that was killed", async (t) => {
  const { run, self } = bound(partner("sqlite"))
  const first = self.start(["--every", "60"])
  await once(first.stdout ?? process.stdin, "data")
  t.equal((await run()).code, 3)
  first.kill("SIGKILL")
  await once(first, "exit")
  t.equal((await run()).code, 0)
})

t.test("pull --every goes on until it is told to end, and ends with 0", async (t) => {
  const { self, run } = bound(partner("sqlite"))
  const child = self.start(["--every", "1"])
  await once(child.stdout ?? process.stdin, "data")
  await build.guest(event, { updated: Math.floor(Date.now() / 1000) })
  await once(child.stdout ?? process.stdin, "data")
  child.kill("SIGTERM")
  const [code] = await once(child, "exit")
  t.equal(code, 0)
  t.match((await run()).output, / 0 changed/)
})

t.test("pull ends with 2 for wrong options and credentials, and says what is wrong", async (t) => {
  const { run } = bound(partner("sqlite"))
  for (
    const [args, message] of [
      [["--every", "never"], /--every must be a number/],
      [["--everything"], /Unknown option '--everything'/],
      [["--family", "acme"], /--family must be the path/],
      [["--events", "abc"], /--events must be ids of events/],
      [["--cookies", "/nowhere"], /no such file/],
    ] as const
  ) {
    const { code, errors } = await run([...args])
    t.equal(code, 2, errors)
    t.match(errors, message)
  }
  const { status, stderr } = spawnSync(process.execPath, [
    "plugins/documents/pull/pull.ts",
    "--to",
    "copy.db",
  ])
  t.equal(status, 2)
  t.match(String(stderr), /--to must be sqlite:FILE/)
  t.equal((await run()).code, 0)
  const other = await run(["--family", "/connector-a/v1"])
  t.equal(other.code, 2, "another family would make a wrong copy")
})

t.test("pull makes no folder but its own, and none before its options are right", async (t) => {
  const { run, place } = bound(partner("csv"))
  t.equal((await run(["--every", "never"])).code, 2)
  t.notOk(existsSync(place))
  for (const format of ["sqlite", "csv"] as const) {
    const { run } = bound(partner(format, { place: join(place, "nowhere/copy") }))
    const { code, errors } = await run()
    t.equal(code, 2)
    t.match(errors, /--to is in a folder that does not exist: .*nowhere/)
  }
  t.notOk(existsSync(place))
})

t.test("pull --json writes a line about each run, also about those that fail", async (t) => {
  const { run } = bound(partner("sqlite"))
  const summary = async (args: string[] = []) => JSON.parse((await run(["--json", ...args])).output)
  const records = Object.values(await readTables(database, event)).flat().length
  const first = await summary()
  t.match(first, { exitCode: 0, records, changed: records, removed: 0 })
  t.ok(first.requests > 3)
  t.match(await summary(), { exitCode: 0, records, changed: 0 })
  t.match(await summary(["--every", "0"]), { exitCode: 2, error: /--every must be a number/ })
  t.match(await summary(["--family", "/connector-a/v1"]), { exitCode: 2, error: /this copy is of/ })
})

t.test("pull finds the family of the account, and names them if there are several", async (t) => {
  const withoutFamily = [process.execPath, "plugins/documents/pull/pull.ts", "--base", base]
  const { run, place } = bound(partner("sqlite", { base: undefined, program: withoutFamily }))
  process.env["EXPORT_USER"] = "acme-export"
  t.teardown(() => delete process.env["EXPORT_USER"])
  const { code, errors } = await run()
  t.equal(code, 2)
  t.match(errors, /--family must be the path of your family: \/acme\/v1, or \/connector-a\/v1/)
  t.equal((await run(["--family", "/acme/v1"])).code, 0)
  t.equal((await run()).code, 0, "the copy has it")
  t.strictSame(
    differences({ format: "sqlite", place }, event, await readTables(database, event)),
    [],
  )
})

t.test("pull --version says where it came from", (t) => {
  const folder = t.testdir({ "pull.mjs": program({ base, user: "", families: [] }) })
  const { stdout } = spawnSync(process.execPath, [join(folder, "pull.mjs"), "--version"])
  t.equal(String(stdout).trim(), packageFile.version)
  t.end()
})

t.test("pull sends its requests through a proxy that the environment names", async (t) => {
  const targets: string[] = []
  const server = createServer((incoming, response) => {
    targets.push(incoming.url ?? "")
    const { method, headers } = incoming
    const outgoing = request(incoming.url ?? "", { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(outgoing)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const env = { http_proxy: `http://127.0.0.1:${port}`, no_proxy: "", NO_PROXY: "" }
  const { code, errors, output } = await partner("sqlite", { env }).run(["--json"])
  t.equal(code, 0, errors)
  t.equal(targets.length, JSON.parse(output).requests)
  t.ok(targets.every((target) => target.startsWith(base)))
  const direct = { ...env, no_proxy: "127.0.0.1" }
  t.equal((await partner("sqlite", { env: direct }).run()).code, 0)
  t.equal(targets.length, JSON.parse(output).requests, "not if it is not to be used for this host")
})

t.test("pull ends with 2 on a Node.js without SQLite, and says which it needs", {
  skip: "deno" in process.versions && "needs Node.js",
}, async (t) => {
  const program = [process.execPath, "--no-experimental-sqlite", "plugins/documents/pull/pull.ts"]
  const { code, errors } = await partner("sqlite", { base, program }).run()
  t.equal(code, 2, "repeating this never helps")
  t.match(errors, /needs Node\.js 22\.13 or newer, and this is v/)
})

t.test("pull ends with 2 if its copy is damaged, and says what to do", async (t) => {
  const { run, place } = bound(partner("sqlite"))
  writeFileSync(place, "no database ".repeat(100))
  const { code, errors } = await run()
  t.equal(code, 2)
  t.match(errors, /not a database\. Delete the copy with all its files, and start again/)
})

t.test("pull ends with 1 while the service is away, and with 0 when it is back", async (t) => {
  const proxy = await Proxy.open(base)
  t.teardown(() => proxy.close())
  const { run } = bound(partner("ndjson", { base: proxy.url }))
  proxy.choose = () => "no response"
  t.equal((await run(["--patience", "0"])).code, 1)
  proxy.choose = () => undefined
  t.equal((await run()).code, 0)
})

for (const format of ["sqlite", "ndjson"] as const) {
  t.test(`pull --to ${format} on a full disk ends with 1, keeps the copy, and catches up`, async (t) => {
    const { place, run } = bound(partner(format))
    for (const blocks of [8, 40, 120]) {
      // A limit on the size of files fails writes as a full disk does. The test runner's options would write more.
      const script =
        `unset NODE_OPTIONS; trap '' XFSZ; ulimit -f ${blocks}; exec "$0" plugins/documents/pull/pull.ts "$@"`
      const limited = new Partner(format, {
        base,
        place,
        program: ["bash", "-c", script, process.execPath],
      })
      const { code } = await limited.run()
      if (blocks === 8) t.equal(code, 1)
      limited.remove()
    }
    t.equal((await run()).code, 0)
    t.strictSame(differences({ format, place }, event, await readTables(database, event)), [])
  })
}

t.test("pull --cookies sends the session of a cookie file", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const proxy = await Proxy.open(base)
  t.teardown(() => proxy.close())
  const first = bound(partner("sqlite", { base: proxy.url }))
  await first.run()
  const [name, value] = String(proxy.seen.at(-1)?.headers.cookie).split(/=(.*)/)
  const file = join(folder, "cookies.txt")
  const jar = `# Netscape\n#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\t${name}\t${value}\n`
  writeFileSync(file, jar, { mode: 0o600 })
  const before = proxy.seen.length
  t.equal((await bound(partner("sqlite", { base: proxy.url })).run(["--cookies", file])).code, 0)
  t.notOk(proxy.seen.slice(before).some(({ path }) => path === "/session"))
})

t.test("pull --help names every option and exit code", (t) => {
  const { stdout } = spawnSync(process.execPath, ["plugins/documents/pull/pull.ts", "--help"])
  const text = Buffer.from(stdout).toString()
  const source = readFileSync("plugins/documents/pull/pull.ts", "utf8")
  const options = [...source.matchAll(/\b(\w+): (?:text|flag)\b/g)].map(([, name]) => name)
  t.ok(options.length > 12)
  for (const name of options) t.match(text, ` --${name} `)
  for (const code of [0, 1, 2, 3, 4, 5]) t.match(text, new RegExp(`^  ${code}  `, "m"))
  t.end()
})

t.test("pull leaves tables alone that are not its own", async (t) => {
  const { run, place } = bound(partner("sqlite"))
  await run()
  const copy = new DatabaseSync(place)
  copy.exec("create table mine (event text); insert into mine values ('mine')")
  const sql = "select email, mainAddress ->> 'town' as town from guests where id = ?"
  const guest = copy.prepare(sql).get(guests[0] ?? "")
  t.strictSame({ ...guest }, { email: "guest0@example.org", town: '=1+1, "quoted"\r\nsecond line' })
  copy.close()
  t.equal((await run()).code, 0)
})

/** Lets a test take the parts of a partner. */
function bound(self: Partner) {
  return { self, place: self.place, run: (args: readonly string[] = []) => self.run(args) }
}
