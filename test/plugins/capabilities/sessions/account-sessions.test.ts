import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { hostname, tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import t from "tap"
import { listSessions } from "../../../../core/access/session-list.ts"
import { insertSession } from "../../../../core/access/sessions.ts"
import { migrate } from "../../../../core/data/migrate.ts"
import { listAudit } from "../../../../plugins/capabilities/audit/audit-log.ts"
import { secret } from "../../../support/app.ts"
import { Builder } from "../../../support/builder.ts"
import { copiedUrl, openFor } from "../../../support/database.ts"
import { runCommand } from "../../../support/run-command.ts"

const url = await copiedUrl(t, "sqlite")
const database = await openFor(t, url)
await migrate(database)
const build = new Builder(database)
const ann = await build.account("ann")
await build.account("bob")
const run = (args: string, input = "") =>
  runCommand(args, { env: { DATABASE_URL: url, SESSION_SECRET: secret }, input })
const folder = mkdtempSync(join(tmpdir(), "event-export-"))
t.teardown(() => rmSync(folder, { recursive: true }))
const jar = join(folder, "jar")

await t.test("account sessions lists sessions with their state, of all accounts or one", async (t) => {
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
  const json = (await run("account sessions ann --json")).out.split("\n").map((line) =>
    JSON.parse(line)
  )
  t.match(json, [{ id, username: "ann", state: "live", used: null }, { id: expired }])
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
  const states = new Map((await listSessions(database, "ann")).map(({ id, state }) => [id, state]))
  t.equal(states.get(one), "revoked")
  t.equal(states.get(other), "live")
  t.match(await run(`account end-session ${one}`), { code: 1, err: /has ended already/ })
})

await t.test("account session --replace lets the older sessions end after the overlap", async (t) => {
  await database.writer.deleteFrom("session").execute()
  const old = await insertSession(database, ann, 86_400)
  t.match(await run(`account session ann --cookie-jar ${jar} --replace --overlap 1h`), {
    code: 0,
    out: /Other sessions that end in 1h: 1\./,
  })
  t.match(readFileSync(jar, "utf8"), /event_export_session/)
  const found = await listSessions(database, "ann")
  t.match(found.find(({ id }) => id === old), { state: "live", replaced: true })
  t.equal(found.length, 2)
  t.match(await run("account sessions ann"), { out: /live, replaced$/m })
  t.match(await run(`account session ann --cookie-jar ${jar} --replace`), {
    out: /Other sessions that end now: 2\./,
  })
  const states = (await listSessions(database, "ann")).map(({ state }) => state).sort()
  t.strictSame(states, ["live", "replaced", "replaced"])
  t.match(await run(`account session ann --cookie-jar ${jar} --overlap 1h`), {
    code: 1,
    err: /--overlap needs --replace/,
  })
})

await t.test("every command that changes accounts, grants or sessions says so in the audit log", async (t) => {
  await build.organization("acme")
  const password = "a good long password"
  const [session = ""] = (await listSessions(database, "ann")).map(({ id }) => id)
  const changes: [command: string, entry: object][] = [
    ["account add eve --role partner", { action: "account-add", account: "eve" }],
    ["account passwd eve", { action: "account-password", account: "eve" }],
    [`account session eve --cookie-jar ${jar}`, { action: "session-open", account: "eve" }],
    [`account end-session ${session}`, { action: "session-end", account: "ann" }],
    ["account revoke eve", { action: "session-end", detail: "ended 1 sessions" }],
    ["account disable eve --keep-sessions", {
      action: "account-disable",
      detail: "kept the sessions",
    }],
    ["account disable eve --undo", { action: "account-enable", account: "eve" }],
    ["access grant eve --organization acme --until 2030-01-31 --from 192.0.2.0/24", {
      action: "grant",
      account: "eve",
      detail: "organization acme, until 2030-02-01T00:00:00.000Z, from 192.0.2.0/24",
    }],
    ["access withdraw eve --organization acme", {
      action: "withdraw",
      account: "eve",
      detail: "organization acme",
    }],
  ]
  for (const [command, entry] of changes) {
    t.match(await run(command, password), { code: 0 }, command)
    const [last] = await listAudit(database, { limit: 1 })
    const by = { actor: userInfo().username, address: hostname(), request_id: "", status: 0 }
    t.match(last, { ...by, ...entry }, command)
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
  const { code, out } = await run(`access explain ann ${event.toUpperCase()}`)
  t.equal(code, 0)
  const place = String.raw`config/event-export\.yaml:\d+:\d+`
  t.match(out, /^ann \(partner\) and the event: .*, of organization acme$/m)
  t.match(out, /^From an address that its grants allow: no request of it is known\.$/m)
  t.match(
    out,
    /^\/connector-b\/v1 +all \d+ routes +401 unauthenticated +200 with a session +session /m,
  )
  await insertSession(database, ann, 3600)
  const line = (path: string, rest: string) =>
    new RegExp(String.raw`^/${path}/v1 +all \d+ routes +${rest}$`, "m")
  const again = (await run(`access explain ann ${event}`)).out
  t.match(again, line("connector-b", "200 +grant +the grant for organization acme lets it read"))
  t.match(again, line("acme", String.raw`403 not_service_user +configuration .* \(${place}\)`))
  t.ok(again.split("\n").length < 12, again)
  await database.writer.insertInto("last_request")
    .values({ account_id: ann, at: 1, address: "192.0.2.7" }).execute()
  t.match(
    (await run(`access explain ann ${event}`)).out,
    /^From 192\.0\.2\.7, like its last request\. --from asks for another address\.$/m,
  )
  const same = (await run(`access explain ann ${event} --from 192.0.2.7`)).out
  t.match(same, /^From 192\.0\.2\.7, like its last request\./m)
  const other = (await run(`access explain ann ${event} --from 192.0.2.8`)).out
  t.match(other, /^From 192\.0\.2\.8\.$/m)
  const json = await run(`access explain ann ${event} --family connector-b --json`)
  const rows = json.out.split("\n").map((text) => JSON.parse(text))
  t.ok(rows.length > 5)
  t.ok(rows.every(({ plugin, status }) => plugin === "connector-b" && status === 200))
  t.ok(rows.every(({ address }) => address === "192.0.2.7"))
  for (
    const wrong of [`nobody ${event}`, "ann x", `ann ${event} --from x`, `ann ${event} --family x`]
  ) {
    t.match(await run(`access explain ${wrong}`), { code: 1 }, wrong)
  }
})

await t.test("audit filters by request, status, address, action, actor and end, and refuses nonsense", async (t) => {
  const rows = (out: string) => out.split("\n").length - 1
  t.equal(rows((await run("audit --action grant")).out), 2)
  t.equal(rows((await run(`audit --actor ${userInfo().username} --account eve`)).out), 8)
  t.equal(rows((await run("audit --until 2020-01-31")).out), 0)
  t.equal(rows((await run("audit --request x --address y --status 404")).out), 0)
  t.equal(rows((await run("audit --status 4xx")).out), 0)
  for (const wrong of ["--status 44", "--status 6xx", "--limit 0", "--until soon"]) {
    t.match(await run(`audit ${wrong}`), { code: 1 }, wrong)
  }
})
