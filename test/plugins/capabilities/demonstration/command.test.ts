import { once } from "node:events"
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import t, { type Test } from "tap"
import { localUrl } from "../../../../plugins/capabilities/demonstration/capability.ts"
import { runCommand } from "../../../support/run-command.ts"
import { TerminalWindow } from "../../../support/terminal-window.ts"

const folder = freshFolder(t)
const config = join(folder, "config.yaml")
writeFileSync(
  config,
  `server:
  host: \${HOST:-127.0.0.1}
  port: \${PORT:-0}
database:
  url: \${DATABASE_URL}
session:
  secrets: ["\${SESSION_SECRET}"]
connect: { mapping: "\${DEMO_MAPPING:-}" }
demonstration: { module: ./small.js }
plugins: [{ use: session }]
`,
)
writeFileSync(
  join(folder, "small.js"),
  `import { fileURLToPath } from "node:url"
export default {
  mapping: fileURLToPath(new URL("small.yaml", import.meta.url)),
  async fill({ db, platform }) {
    await platform.schema.createTable("club").addColumn("id", "text").execute()
    await db.insertInto("organization").values({ id: "o", slug: "o", name: "o" }).execute()
  },
  hasArrived: () => Promise.resolve(true),
  guide: (url) => "try " + url + "/session",
  participants: () => [],
}
`,
)

writeFileSync(
  join(folder, "small.yaml"),
  `source: { url: { file: platform-url }, time_zone: UTC }
select:
  organization: select id, id as slug, id as name from club
  event: select id, id as organization, id as name, id as status, id as currency, id as timezone, 1 as starts, 1 as ends from club
`,
)

/** Runs `demo` with less data than the usual. */
async function runDemo(
  args: string,
  { env = {}, isInteractive = false }: {
    readonly env?: Readonly<Record<string, string>>
    readonly isInteractive?: boolean
  } = {},
) {
  return await runCommand(`demo ${args} --config ${config}`, { env, isInteractive })
}

/** Returns what a terminal shows in the end. */
function rowsOf(written: string): readonly string[] {
  const window = new TerminalWindow(80)
  window.write(written)
  return window.rows
}

t.test("demo on a terminal shows what to try, and logs to a file that it names", async (t) => {
  const folder = freshFolder(t)
  for (const run of [1, 2]) {
    const { code, out, err, written } = await runDemo(folder, { isInteractive: true })
    t.strictSame({ code, out, err }, { code: 0, out: "", err: "" })
    t.equal(/creating demonstration data: \d+ s/.test(written), run === 1)
    t.match(written, / s: 0 polls/)
    const rows = rowsOf(written)
    t.match(rows, [/^try http:\/\/127\.0\.0\.1:\d+\/session$/])
    const text = rows.join("")
    t.match(text, `--config ${folder}/event-export.yaml status`)
    t.match(text, `as ${folder}/platform.yaml says.`)
    t.match(text, `The log is in ${folder}/demo.log. Ctrl-C ends the service.`)
    const log = readFileSync(join(folder, "demo.log"), "utf8")
    t.equal(log.split('"serving"').length - 1, run, "it is added")
  }
  t.equal(statSync(join(folder, "demo.log")).mode & 0o777, 0o600)
})

t.test("demo prints its log if it is told to, or if there is no terminal that can move its cursor", async (t) => {
  const folder = freshFolder(t)
  const cases: readonly (readonly [string, Parameters<typeof runDemo>[1]])[] = [
    [" --log -", { isInteractive: true }],
    ["", {}],
    ["", { isInteractive: true, env: { TERM: "dumb" } }],
  ]
  for (const [args, options] of cases) {
    const { code, out, written } = await runDemo(folder + args, options)
    t.equal(code, 0)
    t.match(out, /^try http/m)
    t.notMatch(out, "The log is in")
    t.match(written, "serving")
    t.notMatch(written, "0 polls")
    t.notOk(existsSync(join(folder, "demo.log")))
  }
})

t.test("demo logs to a file that is named, also without a terminal, and no more than 16 MB", async (t) => {
  const folder = freshFolder(t)
  const file = join(folder, "own.log")
  const { code, out, written } = await runDemo(`${folder} --log ${file}`)
  t.strictSame({ code, written }, { code: 0, written: "" })
  t.match(out, `The log is in ${file}.`)
  truncateSync(file, 16_000_001)
  await runDemo(`${folder} --log ${file}`)
  t.match(readFileSync(file, "utf8"), /^\{"level":30,.*"msg":"serving"/, "it has begun anew")
})

t.test("demo says why it cannot start, and leaves no line behind", async (t) => {
  const folder = freshFolder(t)
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const reasons = [
    [` --log ${folder}/none/own.log`, {}, /^Cannot use \S+own\.log: ENOENT.* Nothing was/],
    ["", { HOST: "0.0.0.0" }, /^Everyone knows the password of the demonstration, /],
    ["", { PORT: String(port) }, /^Cannot listen on http:\S+: .*PORT=0 chooses a free one\.$/],
  ] as const
  for (const [args, env, reason] of reasons) {
    const { code, err, written } = await runDemo(folder + args, { env, isInteractive: true })
    t.equal(code, 1)
    t.match(err, reason)
    t.strictSame(rowsOf(written), [])
  }
  const file = join(folder, "session-secret")
  for (const [mode, reason] of [[0o644, "every user"], [0o600, "the file is empty"]] as const) {
    writeFileSync(file, "")
    chmodSync(file, mode)
    const { code, err } = await runCommand(`demo ${folder}`)
    t.equal(code, 1)
    t.ok(err.startsWith(`Cannot use ${file}: ${reason}`), err)
  }
})

t.test("localUrl returns loopback for a server on all addresses, and any other address as it is", (t) => {
  const urls = {
    "http://0.0.0.0:8080": "http://127.0.0.1:8080",
    "http://[::]:8080": "http://[::1]:8080",
    "http://10.0.0.0:8080": "http://10.0.0.0:8080",
    "http://[fd00::]:8080": "http://[fd00::]:8080",
  }
  for (const [url, local] of Object.entries(urls)) t.equal(localUrl(url), local)
  t.end()
})

function freshFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), "event-export-demo-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
