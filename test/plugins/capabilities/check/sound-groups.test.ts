import { writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import t, { type Test } from "tap"
import { insertSession } from "../../../../core/access/sessions.ts"
import { ConfigError } from "../../../../core/config/problem.ts"
import { draftConfig } from "../../../../core/config/read.ts"
import { startListening } from "../../../../core/kernel/listening.ts"
import { readSoundGroups } from "../../../../plugins/capabilities/check/sound-groups.ts"
import { secret } from "../../../support/app.ts"
import { isLive } from "../../../support/live-session.ts"
import { runCommand } from "../../../support/run-command.ts"
import { freshWorkshop } from "../../../support/service.ts"

const textOf = (url: string) =>
  `# A configuration.
server:
  host: 127.0.0.1
  port: 0
database:
  url: "${url}"
session:
  secrets: ["${secret}"]
limits:
  burst: 50
polling: { retention: 90 }
log: { level: info }
capabilities: [audit, check, partners, sessions, disclosures, explain, accounts, resync]
plugins:
- use: session
- use: status
- use: connector-b
  with: { segment: connector-b, organizations: [acme] }
`

async function workshop(t: Test) {
  const { folder, url, database, build, file, start } = await freshWorkshop(t)
  const good = textOf(url)
  const account = await build.account("conn-a")
  await build.account("op", "operator")
  const write = (text: string) => writeFileSync(file, text)
  const run = (args: string) => runCommand(`-c ${file} ${args}`)
  /** Opens a session, and returns whether it lives. */
  const open = async () => {
    const { epoch } = await database.writer.selectFrom("account").select("epoch")
      .where("id", "=", account).executeTakeFirstOrThrow()
    const session = await insertSession(database, account, 3600)
    return () => isLive(database, { session, epoch, account })
  }
  return { folder, url, database, good, write, run, open, start, build }
}

/** Edits in the middle of which a session must be ended, and the groups that are broken then. */
const edits: Readonly<Record<string, readonly [edit: (text: string) => string, broken: string]>> = {
  "an unknown setting": [(text) => text.replace("host:", "drian: 5\n  host:"), "server"],
  "an unknown group": [(text) => text.replace("limits:", "limts:"), "limts"],
  "a wrong type": [(text) => text.replace("burst: 50", "burst: many"), "limits"],
  "a missing group": [(text) => text.replace(/server:\n.*\n.*\n/, ""), "server"],
  "a broken session": [(text) => text.replace(secret, "short"), "session"],
  "an environment variable that is not set": [
    (text) => text.replace("port: 0", "port: ${NOT_SET}"),
    "server",
  ],
  "an unclosed quote": [(text) => text.replace("host: 127", 'host: "127'), "server"],
  "an unclosed brace before the end": [
    (text) => text.replace("retention: 90 }", "retention: 90"),
    "polling",
  ],
  "a group twice": [(text) => `${text}limits: { burst: 5 }\n`, "limits"],
  "two faults": [
    (text) => text.replace("burst: 50", "brust: 50").replace("level: info", 'level: "info'),
    "limits, log",
  ],
  "a list of plugins that is none": [
    (text) => text.replace(/plugins:[^]*/, "plugins: x\n"),
    "plugins",
  ],
}

t.test("account revoke ends sessions while the file has a mistake that is not about the database, and it is recorded", async (t) => {
  const { good, database, write, run, open } = await workshop(t)
  for (const [name, [edit, broken]] of Object.entries(edits)) {
    write(edit(good))
    const lives = await open()
    t.ok(await lives(), name)
    const { code, out, err } = await run("account revoke conn-a")
    t.equal(code, 0, `${name}: ${err}`)
    t.equal(out, "The sessions of conn-a have ended: 1, tokens included.", name)
    t.match(
      err,
      new RegExp(`^note: .*config.yaml has mistakes in ${broken}, which "event-export check"`),
      name,
    )
    t.equal(err.split("\n").length, 1, name)
    t.notOk(await lives(), name)
  }
  const { count } = await database.writer.selectFrom("audit_log")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("action", "=", "session-end").executeTakeFirstOrThrow()
  t.equal(Number(count), Object.keys(edits).length, "each is in the audit log")
})

t.test("commands without a need for a broken group work, and others say what is wrong", async (t) => {
  const { good, write, run, start } = await workshop(t)
  write(good)
  const service = await start()
  const { url, close } = await startListening(service)
  t.teardown(close)
  const working = [
    "account list",
    "access list",
    "audit",
    "migrate",
    "account sessions",
    "partners",
    "disclosures --overdue",
    `status --url ${url}`,
  ]
  write(good.replace("host: 127.0.0.1", "hots: 127.0.0.1"))
  for (const command of working) {
    t.match(
      await run(command),
      { code: 0, err: /^note: [^\n]* mistakes in server, [^\n]*$/ },
      command,
    )
  }
  for (const command of ["status", "account session conn-a --cookie-jar x"]) {
    t.match(await run(command), { code: 2, out: "", err: /unknown setting hots/ }, command)
  }
  write(good.replace("retention: 90", "retention: none"))
  t.match(await run("partners"), { code: 2, out: "", err: /:11:\d+: retention must be/ })
  t.match(await run("resync"), { code: 2, out: "" }, "it needs the lag on the embedded database")
  for (const command of ["serve", "routes", "check", "openapi"]) {
    t.match(await run(command), { code: 2, out: "", err: /^[^\n]*retention must be/ }, command)
  }
})

/** Edits after which it is not certain which database is meant, or what records a change. */
const doubtful: Readonly<Record<string, (text: string) => string>> = {
  "a mistake in database": (text) => text.replace("  url:", "  conections: 5\n  url:"),
  "a mistake in capabilities": (text) => text.replace("[audit,", "[audti,"),
  "misspelt capabilities": (text) => text.replace("capabilities:", "cpabilities:"),
  "indented capabilities": (text) => text.replace("capabilities:", " capabilities:"),
  "two databases": (text) => `${text}database: { url: "sqlite:other.db" }\n`,
  "a conflict of a merge": (text) =>
    text.replace("limits:", "<<<<<<< HEAD\nlimits:").replace(
      "polling:",
      "=======\n>>>>>>> x\npolling:",
    ),
  "an unclosed quote in database": (text) => text.replace('.db"', ".db"),
  "no database": (text) => text.replace(/database:\n.*\n/, ""),
  "a database that is cut off": (text) => text.replace(/url: .*\n/, "url:\n"),
  "two documents": (text) => text.replace("limits:", "---\nlimits:"),
  "braces around everything": (text) => `{\n${text}`,
  "a list": () => "- a\n- b\n",
  "nothing": () => "",
}

t.test("no command uses a database if it is not certain which is meant", async (t) => {
  const { good, write, run, open } = await workshop(t)
  const lives = await open()
  for (const [name, edit] of Object.entries(doubtful)) {
    write(edit(good))
    const { code, out, err } = await run("account revoke conn-a")
    t.equal(code, 2, `${name}: ${err}`)
    t.equal(out, "", name)
    t.match(err, /^note: This may be about the database.*\n[^\n]*config.yaml:\d+:\d+: /, name)
    t.ok(await lives(), name)
  }
})

t.test("readSoundGroups finds the database that is meant, or none, whatever is wrong elsewhere", async (t) => {
  const { folder } = await workshop(t)
  const good = textOf("sqlite:meant.db")
  const [from, to] = [good.indexOf("database:"), good.indexOf("session:")]
  const places = [...good].flatMap((_, index) => index <= from || index >= to ? [index] : [])
  const file = join(folder, "edited.yaml")
  let sound = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          at: fc.constantFrom(...places),
          cut: fc.nat(12),
          put: fc.constantFrom(
            ...["", '"', "'", "[", "{", "}", "]", "x", "\n", "\n  ", ": ", "- ", "\t", "? "],
            ...["|\n", ">", "#", "&a ", "*a", "!x "],
            ...["database:", "\ndatabase:\n", "\n---\n"],
          ),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      async (changes) => {
        let text = good
        for (const { at, cut, put } of changes.sort((a, b) => b.at - a.at)) {
          const end = at < from ? Math.min(at + cut, from) : at + cut
          text = text.slice(0, at) + put + text.slice(end)
        }
        writeFileSync(file, text)
        const draft = await draftConfig(file, {})
        try {
          draft.accept()
        } catch (error) {
          if (!(error instanceof ConfigError)) throw error
          const read = await readSoundGroups(file, {}, error).catch((thrown: unknown) => {
            if (thrown !== error) throw thrown
          })
          if (!read) return true
          sound++
          return read.config.database.url === `sqlite:${folder}/meant.db`
        }
        return true
      },
    ),
    { numRuns: 50 },
  )
  t.ok(sound > 0, `${sound} were sound`)
})
