import { once } from "node:events"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import t from "tap"
import { loadAllCapabilities } from "../../../../core/config/capabilities.ts"
import { settingsWith } from "../../../../core/config/settings.ts"
import { insertSession } from "../../../../core/access/sessions.ts"
import { fixedSettings } from "../../../../core/kernel/fixed-settings.ts"
import { summarizeRoutes } from "../../../../core/kernel/status.ts"
import { readPlan } from "../../../../core/routes/plan.ts"
import { startListening } from "../../../../core/kernel/listening.ts"
import {
  feltSettings,
  otherSettings,
} from "../../../../plugins/capabilities/check/felt-settings.ts"
import { usual } from "../../../../plugins/capabilities/usual.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { runCommand } from "../../../support/run-command.ts"
import { freshWorkshop } from "../../../support/service.ts"

const another = "8Jw2pQ6rXz9KfLmT4vBn3HsD7gYcE5uA"

const plugins = `  - use: connector-b
    with: { segment: connector-b, organizations: [acme] }`

/** Returns the paths of the settings that a schema has. A list is one setting. */
function pathsIn(schema: unknown, path: readonly string[] = []): string[] {
  const { type, entries, wrapped, value, pipe } = schema as {
    readonly type: string
    readonly entries?: Record<string, unknown>
    readonly wrapped?: unknown
    readonly value?: unknown
    readonly pipe?: readonly unknown[]
  }
  if (type === "strict_object" && entries) {
    return Object.entries(entries).flatMap(([name, inner]) => pathsIn(inner, [...path, name]))
  }
  if (type === "record") return pathsIn(value, [...path, "*"])
  if (wrapped) return pathsIn(wrapped, path)
  return pipe && pipe[0] !== schema ? pathsIn(pipe[0], path) : [path.join(".")]
}

t.test("of every setting it is said whether partners feel it, and of no other", async (t) => {
  const paths = pathsIn(settingsWith(await loadAllCapabilities()))
  t.ok(paths.includes("accounts.*.poll_interval") && paths.includes("export.seconds"))
  const said = [...Object.keys(feltSettings), ...Object.keys(otherSettings)]
  t.strictSame(said.sort(), [...paths.filter((path) => path !== "plugins"), "plugins.*"].sort())
})

const before = `polling: { retention: 90, intervals: { upcoming: 900 } }
export: {}
audit: {}`
const others = `log: { level: debug }
cache: { megabytes: 7, records: 8 }
audit: { retention: 30 }`
const after = `limits: { burst: 1, quota: 10, concurrent: 1, waiting: 7 }
accounts: { conn-a: { quota: 5, poll_interval: 5 } }
polling: { retention: 3, interval: 600, intervals: { upcoming: 60 }, lag: 300, wait: 0 }
export: { seconds: 5 }
${others.replace("retention: 30", "retention: 30, required: true")}`

/** What is said of each setting that differs then: of those that partners feel, and of all others. */
const feltLines: Readonly<Record<string, RegExp>> = {
  "limits.burst": /50 becomes 1 \(requests a second/,
  "limits.quota": /36000 becomes 10 \(requests an hour .*429\)/,
  "limits.concurrent": /4 becomes 1 \(.*429/,
  "limits.waiting": /100 becomes 7 \(/,
  "accounts.conn-a.quota": /none becomes 5 \(.*429/,
  "accounts.conn-a.poll_interval": /none becomes 5 \(seconds .*Poll-Interval/,
  "polling.retention": /90 becomes 3 \(days.*410/,
  "polling.interval": /60 becomes 600 \(.*Poll-Interval.*running/,
  "polling.intervals.upcoming": /900 becomes 60 \(.*Poll-Interval.*event to come/,
  "polling.lag": /30 becomes 300 \(.*Next-Since/,
  "polling.wait": /50 becomes 0 \(.*wait/,
  "export.seconds": /120 becomes 5 \(/,
  "audit.required": /false becomes true \(.*503/,
}
const otherLines: Readonly<Record<string, RegExp>> = {
  "log.level": /info becomes debug$/,
  "audit.retention": /365 becomes 30 \(.*deleted for good\)/,
  "cache.megabytes": /192 becomes 7$/,
}

t.test("check --against says of every setting that differs what partners feel, and of all others that they differ", async (t) => {
  const { file, folder, build, write, start } = await freshWorkshop(t)
  await build.account("op", "operator")
  await build.account("conn-a")
  await build.organization("acme")
  write(plugins, before)
  const old = join(folder, "old.yaml")
  copyFileSync(file, old)
  const service = await start()
  const { url, close } = await startListening(service)
  t.teardown(close)
  const changed = async (settings: string, against: string) => {
    write(plugins, settings)
    return (await runCommand(`-c ${file} check --against ${against}`)).out.split("\n").slice(1)
  }
  const said = (lines: readonly string[], expected: typeof feltLines) => {
    t.equal(lines.length, Object.keys(expected).length, lines.join("\n"))
    for (const [name, line] of Object.entries(expected)) {
      const own = lines.find((each) => each.startsWith(`~ ${name}: `)) ?? ""
      t.match(own, new RegExp(`^~ ${RegExp.escape(name)}: ${line.source}`), name)
    }
  }
  for (const against of [old, url]) {
    const nothing = `Against ${against}, a reload would change nothing that partners see.`
    t.strictSame(await changed(before, against), [nothing])
    const same = before.replace("audit: {}", others)
    const [first, second, ...unseen] = await changed(same, against)
    t.strictSame([first, second], [nothing, "Partners do not see:"])
    said(unseen, otherLines)
    const [begin, ...lines] = await changed(after, against)
    t.equal(begin, `Against ${against}, a reload would change:`)
    const end = lines.indexOf("Partners do not see:")
    said(lines.slice(0, end), feltLines)
    said(lines.slice(end + 1), otherLines)
  }
})

t.test("check --against and status ask a server from before a rotation of secrets with the later ones", async (t) => {
  const { file, build, database, write, start } = await freshWorkshop(t)
  await build.account("op", "operator")
  await build.organization("acme")
  write(plugins)
  const { url, close } = await startListening(await start())
  t.teardown(close)
  const rotate = (kept: string) => {
    write(plugins)
    const text = readFileSync(file, "utf8")
    writeFileSync(file, text.replace(/secrets: \["([^"]*)"/, `secrets: ["${another}"${kept}`))
  }
  rotate(', "$1"')
  t.match(await runCommand(`-c ${file} check --against ${url}`), {
    code: 0,
    out: new RegExp(`Against ${url}, a reload would change nothing that partners see\\.`),
  })
  t.match(await runCommand(`-c ${file} status --url ${url}`), { code: 0 })
  rotate("")
  t.match(await runCommand(`-c ${file} check --against ${url}`), {
    code: 1,
    err: /\/status returned 401\. Does it use .* one of the session secrets\?/,
  })
  t.strictSame(await database.writer.selectFrom("session").select("id").execute(), [])
})

t.test("check --against a server that does not tell its settings compares routes, and says that it compares no more", async (t) => {
  const { file, build, write } = await freshWorkshop(t)
  await build.account("op", "operator")
  await build.organization("acme")
  write(plugins)
  const { plugins: _, routes, settings } = await readPlan(file, {})
  const status = {
    config: { file, hash: "x" },
    routes: summarizeRoutes(routes),
    fixedSettings: fixedSettings({ settings, capabilities: [] }),
  }
  const server = createServer((_, response) => response.end(JSON.stringify(status)))
  await once(server.listen(0, "127.0.0.1"), "listening")
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  write(plugins, "limits: { quota: 10 }")
  const { out, err } = await runCommand(`-c ${file} check --against http://127.0.0.1:${port}`)
  t.match(out, /(would change no route\.)$/)
  t.match(err, /warning: http:\S+: it is of a version that does not tell its settings, so only/)
})

t.test("check --against says what becomes of sessions if secrets, capabilities or what a plugin is told change", async (t) => {
  const { file, folder, build, write } = await freshWorkshop(t)
  await build.organization("acme")
  const external = `import { definePlugin, signedIn, handler, v } from "event-export/plugin"
export default definePlugin({
  apiVersion: 2, name: "x", summary: "X", settings: v.strictObject({ word: v.string() }),
  mount: () => ({ prefix: "/x", routes: [
    handler("GET", "/ping", { auth: signedIn, handle: () => new Response() }),
  ] }),
})`
  writeFileSync(join(folder, "x.ts"), external)
  const text = (settings = "") => {
    write(`${plugins}\n  - use: ./x.ts\n    with: { word: one }`, settings)
    return readFileSync(file, "utf8")
  }
  const old = join(folder, "old.yaml")
  writeFileSync(old, text())
  const secrets = /secrets: \["([^"]*)"/
  const cases: readonly (readonly [change: (text: string) => string, out: RegExp])[] = [
    [
      (text) => text.replace(secrets, `secrets: ["${another}", "$1"`),
      /nothing that partners see.*\n.*\n~ session\.secrets: 1 become 2, 0 of them gone \(all sessions go on\)$/,
    ],
    [
      (text) => text.replace(secrets, `secrets: ["${another}"`),
      /~ session\.secrets: 1 become 1, 1 of them gone \(.*have to log in again\)/,
    ],
    [
      (text) => `${text}capabilities: [${usual.filter((name) => name !== "waiting")}]\n`,
      /change:\n~ capabilities: without waiting \(requests with Prefer: wait are answered at once\)/,
    ],
    [
      (text) => text.replace("word: one", "word: two"),
      /change:\n~ plugins\.\.\/x\.ts: other values \(the routes stay as they are, .*may differ\)$/,
    ],
    // What is seen in the routes is not said again.
    [
      (text) => text.replace("[acme]", "[acme, beta]"),
      /^(?!.*plugins\.).*gains organization beta/s,
    ],
    [(text) => text.replace(/ {2}- use: \.\/x.*\n.*\n/, ""), /^(?!.*plugins\.).*- GET \/x\/ping/s],
    // A database that cannot be served.
    [(text) => text.replace(/url: ".*"/, `url: "sqlite:${folder}/other.db"`), /^$/],
    [
      (text) => text.replace("host: 127.0.0.1", "host: 127.0.0.1, public_url: https://x.example"),
      /~ session\.cookie: event_export_session becomes __Host-event_export_session \(.*log in again\)/,
    ],
  ]
  for (const [change, out] of cases) {
    writeFileSync(file, change(readFileSync(old, "utf8")))
    t.match((await runCommand(`-c ${file} check --against ${old}`)).out, out)
  }
})

await onEveryEngine(t, async (t, engine) => {
  const { file, folder, url, build, database, write } = await freshWorkshop(t, engine)
  const { writer } = database
  const organization = await build.organization("acme")
  const event = await build.event(organization)
  const id = {
    busy: await build.account("busy"),
    quiet: await build.account("quiet"),
    waits: await build.account("waits"),
    gone: await build.account("gone"),
  }
  for (const name of Object.keys(id)) await build.grant(name, { organization: "acme" })
  const { now } = await writer.selectNoFrom(database.dialect.now.as("now"))
    .executeTakeFirstOrThrow()
  const old = join(folder, "old.yaml")
  write(plugins)
  copyFileSync(file, old)
  const against = async (settings: string) => {
    write(plugins, settings)
    const { out } = await runCommand(`-c ${file} check --against ${old}`)
    return out.split("\n").filter((line) => line.startsWith("    ")).map((line) => line.trim())
  }

  await t.test("check --against names accounts that did more last week than a quota allows", async (t) => {
    const hour = Math.floor(now / 3600) * 3600
    const idle = { walks: 0, records: 0, errors: 0, lag: null }
    await writer.insertInto("partner_hour").values([
      { account_id: id.busy, hour, ...idle, polls: 800, errors: 12 },
      { account_id: id.busy, hour: hour - 7200, ...idle, polls: 10 },
      { account_id: id.quiet, hour: hour - 3600, ...idle, polls: 100, walks: 100 },
      { account_id: id.waits, hour: hour - 8 * 86_400, ...idle, polls: 5000 },
    ]).execute()
    const used = (name: string, most: number, get: string) =>
      `${name} used up to ${most} an hour last week, and ${get} get 429`
    t.strictSame(await against("limits: { quota: 200 }"), [used("busy", 812, "would")])
    t.strictSame(await against("limits: { quota: 50 }"), [
      used("busy", 812, "would"),
      used("quiet", 100, "may"),
    ], "that found nothing new, which costs a tenth")
    t.strictSame(await against("limits: { quota: 812 }"), [])
    const own = "accounts: { busy: { quota: 900 }, quiet: { quota: 9 } }"
    t.strictSame(await against(`limits: { quota: 50 }\n${own}`), [used("quiet", 100, "would")])
  })

  await t.test("check --against names accounts that have not fetched what a shorter retention forgets", async (t) => {
    /** An hour earlier than so many days ago: the clock goes on during the test. */
    const fetchedAt = (days: number) => now - days * 86_400 - 3600
    const list = async (
      account_id: string,
      days: { readonly fetched: number; readonly polled: number },
    ) => {
      const at = fetchedAt(days.fetched)
      const kind = "guest deletions"
      await writer.insertInto("sync_state").values({
        account_id,
        event_id: event,
        prefix: "/connector-b/v1",
        list: kind,
        family: "connector-b",
        kind,
        last_poll: now - days.polled * 86_400,
        acknowledged: at - 86_400,
        completed_next: at,
        records: 0,
      } as never).execute()
    }
    await list(id.busy, { fetched: 1, polled: 0 })
    await list(id.quiet, { fetched: 5, polled: 5 })
    await list(id.waits, { fetched: 30, polled: 30 })
    await list(id.gone, { fetched: 100, polled: 0 })
    const day = (days: number) => new Date(fetchedAt(days) * 1000).toISOString().slice(0, 10)
    t.strictSame(await against("polling: { retention: 3 }"), [], "nothing was deleted")
    t.strictSame(await against("polling: { retention: 91 }"), [])

    const guest = await build.guest(event)
    await writer.deleteFrom("guest").where("id", "=", guest).execute()
    await writer.updateTable("deletion").set({ at: now - 4 * 86_400 }).execute()
    const loses = (days: number) =>
      `has not fetched deletions of an event since ${
        day(days)
      }: they would be deleted for good, and it would get 410`
    t.strictSame(await against("polling: { retention: 3 }"), [
      `gone ${loses(100)}`,
      `quiet ${loses(5)}`,
      `waits ${loses(30)}`,
    ])
    t.strictSame(await against("polling: { retention: 5 }"), [], "what was deleted is kept")
  })

  await t.test("check --against shows no credentials of a database", {
    skip: engine === "sqlite" && "it has none",
  }, async (t) => {
    write(plugins)
    const other = join(folder, "other.yaml")
    writeFileSync(other, readFileSync(file, "utf8").replace(new URL(url).pathname, "/another"))
    const { out } = await runCommand(`-c ${file} check --against ${other}`)
    t.match(out, /~ database\.url: \S+\/another becomes /)
    t.notMatch(out, "@")
  })

  await t.test("check --against names accounts whose sessions would end at once", async (t) => {
    await insertSession(database, id.busy, 3600)
    await insertSession(database, id.quiet, 3600)
    await writer.updateTable("session").set({ created: now - 7200, used: now - 5000 })
      .where("account_id", "=", id.quiet).execute()
    const ends = "has a session without a request for longer, which would end at once"
    t.strictSame(await against(""), [])
    write(plugins)
    const shorter = readFileSync(file, "utf8").replace("session: {", "session: { idle: 3600,")
    writeFileSync(file, shorter)
    const { out } = await runCommand(`-c ${file} check --against ${old}`)
    t.match(out, new RegExp(`~ session\\.idle: 604800 becomes 3600 .*\n {4}quiet ${ends}$`))
  })
})
