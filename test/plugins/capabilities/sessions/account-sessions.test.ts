import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { hostname, tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import t from "tap"
import { writeAddresses } from "../../../../plugins/capabilities/partners/last-request.ts"
import { revokeSessions } from "../../../../plugins/capabilities/accounts/change-account.ts"
import { listSessions } from "../../../../plugins/capabilities/accounts/session-list.ts"
import { insertSession } from "../../../../core/access/sessions.ts"
import { startInstance } from "../../../conformance/instance.ts"
import { listAudit } from "../../../../plugins/capabilities/audit/audit-log.ts"
import { secret, testConfig } from "../../../support/app.ts"
import { Builder } from "../../../support/builder.ts"
import { copiedUrl, openFor } from "../../../support/database.ts"
import { runCommand } from "../../../support/run-command.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

const url = await copiedUrl(t, "sqlite")
const database = await openFor(t, url)
const build = new Builder(database)
const ann = await build.account("ann")
await build.account("bob")
const run = (args: string, input = "") =>
  runCommand(args, { env: { DATABASE_URL: url, SESSION_SECRET: secret }, input })
const folder = mkdtempSync(join(tmpdir(), "event-export-"))
t.teardown(() => rmSync(folder, { recursive: true }))
const jar = join(folder, "jar")

await t.test("account session opens a session for a program", async (t) => {
  const instance = await startInstance(await testConfig(url), { log: scannedLog(t, []) })
  t.teardown(() => instance.close())
  const askWith = async (headers: Record<string, string>) => {
    const response = await instance.fetch(new Request("http://localhost/session", { headers }))
    return { status: response.status, session: await response.json() }
  }
  const open = (args: string) => run(`account session ann ${args}`)
  const fieldsOf = () => readFileSync(jar, "utf8").trim().split("\n").at(-1)?.split("\t") ?? []

  await t.test("whose cookie file works, and only its owner may read", async (t) => {
    const before = Math.floor(Date.now() / 1000)
    t.match(await open(`--cookie-jar ${jar} --lifetime 30d`), { text: /ann is logged in/ })
    t.equal(statSync(jar).mode & 0o777, 0o600)
    const [host, subdomains, path, secure, expires, name, value = ""] = fieldsOf()
    t.strictSame([host, subdomains, path, secure], ["127.0.0.1", "FALSE", "/", "FALSE"])
    const { session } = await askWith({ cookie: `${name}=${value}` })
    t.match(session, { username: "ann", expires: Number(expires) })
    t.ok(Number(expires) >= before + 30 * 86_400)
    t.notMatch((await open(`--cookie-jar ${jar}`)).text, fieldsOf().at(-1))
  })

  await t.test("whose token is printed, and nothing else", async (t) => {
    const { code, text } = await open("--token --lifetime 1h")
    t.equal(code, 0)
    t.match(text, /^Fe26\.2\*\S+$/)
    const { session } = await askWith({ authorization: `Bearer ${text.trim()}` })
    t.match(session, { username: "ann" })
  })

  await t.test("which account revoke ends, too", async (t) => {
    const [name, value] = fieldsOf().slice(-2)
    await revokeSessions(database, "ann")
    t.equal((await askWith({ cookie: `${name}=${value}` })).status, 401)
  })

  await t.test("unless others may read the file, or something is not understood", async (t) => {
    const before = readFileSync(jar, "utf8")
    chmodSync(jar, 0o644)
    t.match(await open(`--cookie-jar ${jar}`), { code: 1, text: /Others may read/ })
    t.equal(readFileSync(jar, "utf8"), before)
    chmodSync(jar, 0o600)
    writeFileSync(jar, "")
    t.match(await open(`--cookie-jar ${jar} --lifetime 60s`), { code: 0 })
    for (
      const [args, text] of [
        [`--cookie-jar ${folder}`, /not a file/],
        ...["1w", "59s", "367d", "8785h", "1.5h"].map((wrong) =>
          [`--cookie-jar ${jar} --lifetime ${wrong}`, /duration|minute|year/] as const
        ),
        [`--cookie-jar ${jar} --overlap 1h`, /--overlap needs --replace/],
        ["", /Give --cookie-jar with a file, or --token/],
        [`--token --cookie-jar ${jar}`, /Give --cookie-jar with a file, or --token/],
      ] as const
    ) t.match(await open(args), { code: 1, text }, args)
  })
})

await t.test("account sessions lists sessions with their state, of all accounts or one", async (t) => {
  await database.writer.deleteFrom("session").execute()
  const id = await insertSession(database, ann, 3600)
  const expired = await insertSession(database, ann, -60)
  const line = (id: string, state: string) =>
    new RegExp(String.raw`^${id.slice(0, 8)} +ann +20\S+Z +never +20\S+Z +${state}$`, "m")
  for (const args of ["account sessions", "account sessions ann"]) {
    const { out } = await run(args)
    t.match(out, line(id, "live"))
    t.match(out, line(expired, "expired"))
  }
  t.notMatch((await run("account sessions --live")).out, expired.slice(0, 8))
  t.notMatch((await run("account sessions bob")).out, "ann")
  t.match(await run("account sessions nobody"), { code: 1, err: /There is no account nobody/ })
  const { out } = await run("account sessions ann --json")
  t.match(out.split("\n").map((line) => JSON.parse(line)), [
    { id, username: "ann", state: "live", used: null },
    { id: expired },
  ])
})

await t.test("account end-session ends the session that it names, and no other", async (t) => {
  const [one, other] = [
    await insertSession(database, ann, 3600),
    await insertSession(database, ann, 3600),
  ]
  t.match(await run(`account end-session ${one.slice(0, 13)}`), {
    code: 0,
    out: /of ann has ended/,
  })
  const states = new Map(
    (await listSessions(database, { username: "ann" })).map(({ id, state }) => [id, state]),
  )
  t.strictSame([states.get(one), states.get(other)], ["revoked", "live"])
  t.match(await run(`account end-session ${one}`), { code: 1, err: /has ended already/ })
})

await t.test("account session --replace lets the older sessions end after the overlap", async (t) => {
  await database.writer.deleteFrom("session").execute()
  const old = await insertSession(database, ann, 86_400)
  t.match(await run(`account session ann --cookie-jar ${jar} --replace --overlap 1h`), {
    code: 0,
    out: /Other sessions that end in 1h: 1\./,
  })
  const found = await listSessions(database, { username: "ann" })
  t.match(found.find(({ id }) => id === old), { state: "live", replaced: true })
  t.equal(found.length, 2)
  t.match(await run("account sessions ann"), { out: /live, replaced$/m })
  t.match(await run(`account session ann --cookie-jar ${jar} --replace`), {
    out: /Other sessions that end now: 2\./,
  })
  const states = (await listSessions(database, { username: "ann" })).map(({ state }) => state)
    .sort()
  t.strictSame(states, ["live", "replaced", "replaced"])
})

await t.test("every command that changes accounts, grants or sessions says so in the audit log", async (t) => {
  await build.organization("acme")
  const password = "a good long password"
  const [session = ""] = (await listSessions(database, { username: "ann" })).map(({ id }) => id)
  const until = "organization acme, until 2030-02-01T00:00:00.000Z, from 192.0.2.0/24"
  const changes: [command: string, action: string, detail?: string][] = [
    ["account add eve --role partner", "account-add"],
    ["account passwd eve", "account-password"],
    [`account session eve --cookie-jar ${jar}`, "session-open"],
    [`account end-session ${session}`, "session-end"],
    ["account revoke eve", "session-end", "ended 1 sessions"],
    ["account disable eve --keep-sessions", "account-disable", "kept the sessions"],
    ["account disable eve --undo", "account-enable"],
    ["access grant eve --organization acme --until 2030-01-31 --from 192.0.2.0/24", "grant", until],
    ["access withdraw eve --organization acme", "withdraw", "organization acme"],
  ]
  for (const [command, action, detail] of changes) {
    t.match(await run(command, password), { code: 0 }, command)
    const [last] = await listAudit(database, { limit: 1 })
    const account = command.includes(session) ? "ann" : "eve"
    const by = { actor: userInfo().username, address: hostname(), request_id: "", status: 0 }
    t.match(last, { ...by, account, action, ...detail && { detail } }, command)
    t.match((await run("audit --limit 1")).out, `by ${by.actor}`)
  }
  const before = (await listAudit(database, { limit: 1000 })).length
  for (
    const failing of [
      "account add eve --role partner",
      "account revoke nobody",
      "access withdraw eve --organization acme",
      "access grant eve --organization nothing",
    ]
  ) t.match(await run(failing, password), { code: 1 }, failing)
  t.equal((await listAudit(database, { limit: 1000 })).length, before, "what failed is no change")
  t.notMatch(JSON.stringify(await listAudit(database, { limit: 1000 })), password)
})

await t.test("access explain shows what decides, with the place in the configuration", async (t) => {
  const { id } = await database.writer.selectFrom("organization").select("id")
    .executeTakeFirstOrThrow()
  const event = await build.event(id)
  await run("access grant ann --organization acme")
  const explain = async (args = "") => (await run(`access explain ann ${event} ${args}`)).out
  const line = (path: string, rest: string) =>
    new RegExp(String.raw`^/${path}/v1 +all \d+ routes +${rest}`, "m")
  await database.writer.deleteFrom("session").execute()
  const before = await explain()
  t.match(before, /^From an address that its grants allow: no request of it is known\.$/m)
  t.match(before, line("connector-b", "401 unauthenticated +200 with a session +session "))
  await insertSession(database, ann, 3600)
  const place = String.raw`config/event-export\.yaml:\d+:\d+`
  const after = await explain()
  t.match(after, line("connector-b", "200 +grant +the grant for organization acme lets it read$"))
  t.match(after, line("acme", String.raw`403 not_service_user +configuration .* \(${place}\)$`))
  const request = { account_id: ann, at: 1, address: "192.0.2.7" }
  await writeAddresses(database, [request], new AbortController().signal)
  const last = /^From 192\.0\.2\.7, like its last request\. --from asks for another address\.$/m
  t.match(await explain(), last)
  t.match(await explain("--from 192.0.2.8"), /^From 192\.0\.2\.8\.$/m)
  const rows = (await explain("--family connector-b --json")).split("\n").map((text) =>
    JSON.parse(text)
  )
  t.ok(rows.length > 5)
  t.match(rows, rows.map(() => ({ plugin: "connector-b", status: 200, address: "192.0.2.7" })))
  for (
    const wrong of [`nobody ${event}`, "ann x", `ann ${event} --from x`, `ann ${event} --family x`]
  ) t.match(await run(`access explain ${wrong}`), { code: 1 }, wrong)
})

await t.test("audit filters by request, status, address, action, actor and end, and refuses nonsense", async (t) => {
  const filters: readonly [args: string, rows: number][] = [
    ["--action grant", 2],
    [`--actor ${userInfo().username} --account eve`, 8],
    ["--until 2020-01-31", 0],
    ["--request x", 0],
    ["--address y", 0],
    ["--status 404", 0],
    ["--status 4xx", 0],
  ]
  for (const [args, rows] of filters) {
    t.equal((await run(`audit ${args}`)).out.split("\n").length - 1, rows, args)
  }
  for (const wrong of ["--status 44", "--status 6xx", "--limit 0", "--until soon"]) {
    t.match(await run(`audit ${wrong}`), { code: 1 }, wrong)
  }
})
