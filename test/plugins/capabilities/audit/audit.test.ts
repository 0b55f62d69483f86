import { writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { revokeSessions } from "../../../../plugins/capabilities/accounts/change-account.ts"
import {
  appendAudit,
  listAudit,
  pruneAudit,
  recordChange,
} from "../../../../plugins/capabilities/audit/audit-log.ts"
import { startInstance } from "../../../conformance/instance.ts"
import { testConfig } from "../../../support/app.ts"
import { Builder, password } from "../../../support/builder.ts"
import {
  copiedUrl,
  freshDatabase,
  onEmbedded,
  onEveryEngine,
  openFor,
} from "../../../support/database.ts"
import { scannedLog } from "../../../support/scanned-log.ts"
import { freshWorkshop, logInto } from "../../../support/service.ts"

const { signal } = new AbortController()

await onEmbedded(t, async (t, engine) => {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  for (let n = 0; n < 3; n++) await build.guest(event, { first_name: "Jane", last_name: "Doe" })
  await build.account("ann")
  await build.grant("ann", { event })
  const entries: Record<string, unknown>[] = []
  const record = (fields: object, message: string) => void entries.push({ ...fields, message })
  const instance = await startInstance(await testConfig(url), {
    log: { debug: record, info: record, warn: record, error: record },
  })
  const fetch = (path: string, init?: RequestInit) =>
    instance.fetch(new Request(`http://localhost${path}`, init), { address: "192.0.2.1" })
  const logIn = (word: string, username = "ann") =>
    fetch("/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username, password: word }),
    })
  await logIn("a wrong password")
  await logIn("a wrong password", "jane.doe@example.org")
  const headers = { cookie: (await logIn(password)).headers.get("set-cookie") ?? "" }
  const path = `/connector-b/v1/events/${event}`
  await fetch(`${path}/guests?since=5&offset=1&q=jane%20doe`, { headers })
  await fetch(`${path}/items?since=-1`, { headers })
  await fetch(`${path}/guests?since=jane@example.org&q=%E4`, { headers })
  await fetch(`/connector-b/v1/events/${crypto.randomUUID()}/guests`, { headers })
  await fetch("/session", { headers })
  await fetch("/session", { method: "DELETE", headers })
  await fetch(`${path}/guests`)
  await instance.close()

  await t.test("every listing of an account and every log-in is there, with what was sent", async (t) => {
    const found = (await listAudit(database, { limit: 100 })).map((entry) => [
      ...[entry.action, entry.account],
      entry.event_id === event ? "event" : entry.event_id === null ? null : "another",
      ...[entry.since, entry.first, entry.search_length, entry.sent, entry.status, entry.code],
    ])
    t.strictSame(found, [
      ["log-in", "ann", null, null, null, null, null, 401, "invalid_credentials"],
      ["log-in", null, null, null, null, null, null, 401, "invalid_credentials"],
      ["log-in", "ann", null, null, null, null, null, 204, null],
      ["list", "ann", "event", 5, 1, 8, 2, 200, null],
      ["list", "ann", "event", -1, null, null, 0, 200, null],
      ["list", "ann", "event", null, null, 1, null, 400, "invalid_parameter"],
      ["list", "ann", "another", null, null, null, null, 404, "event_not_found"],
      ["log-out", "ann", null, null, null, null, null, 204, null],
    ])
  })

  await t.test("neither has what people typed", async (t) => {
    const all = JSON.stringify([entries, await listAudit(database, { limit: 100 })])
    t.notMatch(all, /jane|doe@|wrong password|correct horse/i)
  })

  await t.test("listAudit picks by account, event, time, request, status, address and action", async (t) => {
    const [{ at, request_id } = { at: 0, request_id: "" }] = await listAudit(database, { limit: 1 })
    const count = async (query: object) =>
      (await listAudit(database, { limit: 100, ...query })).length
    const cases = [
      ...[[{ account: "ann" }, 7], [{ event }, 3], [{ limit: 2 }, 2]],
      ...[[{ request: request_id }, 1], [{ request: "another" }, 0]],
      ...[[{ status: 404 }, 1], [{ status: 4 }, 4], [{ status: 2, action: "list" }, 2]],
      ...[[{ address: "192.0.2.1" }, 8], [{ address: "192.0.2.2" }, 0]],
      ...[[{ action: "log-in" }, 3], [{ since: at + 1 }, 0]],
    ] as const
    for (const [query, expected] of cases) {
      t.equal(await count(query), expected, JSON.stringify(query))
    }
    t.ok(await count({ since: at }) >= 1, "that second included")
    t.equal(await count({ until: at }) + await count({ since: at }), 8)
  })

  await t.test("listAudit continues before the first entry of the list, and skips none", async (t) => {
    const all = await listAudit(database, { limit: 100 })
    const found: typeof all = []
    while (found.length <= all.length) {
      const [before] = found
      const page = await listAudit(database, { limit: 3, ...before && { before } })
      if (page.length === 0) break
      found.unshift(...page)
    }
    t.strictSame(found, all)
  })

  await t.test("pruneAudit deletes what is older than the days that are kept, however much it is", async (t) => {
    const [row] = await listAudit(database, { limit: 1 })
    if (!row) throw new Error("there is no entry")
    const { seq: _, ...entry } = row
    const day = 86_400
    const now = Math.floor(Date.now() / 1000)
    const ages = [30 * day - 3600, ...Array<number>(1200).fill(30 * day + 60)]
    await database.writer.deleteFrom("audit_log").execute()
    const rows = ages.map((age) => ({ ...entry, at: now - age }))
    while (rows.length > 0) await appendAudit(database, rows.splice(-500), signal)
    t.equal(await pruneAudit(database, 30), 1200)
    t.match(await listAudit(database, { limit: 10 }), [{ at: now - 30 * day + 3600 }])
  })

  await t.test("a session that has ended is in the audit log once a minute, and a stranger never", async (t) => {
    const usual = await startInstance(await testConfig(url), { log: scannedLog(t, []) })
    const get = await logInto(usual.fetch, "ann")
    const other = await logInto(usual.fetch, "ann")
    await revokeSessions(database, "ann")
    await database.writer.deleteFrom("audit_log").execute()
    for (const poll of [get, get, other, get]) {
      t.equal((await poll(`${path}/guests?since=5`)).status, 401)
    }
    const stranger = new Request(`http://localhost${path}/guests`)
    t.equal((await usual.fetch(stranger, { address: "192.0.2.1" })).status, 401)
    await usual.close()
    const entry = { action: "list", account: "ann", event_id: event, since: 5, sent: null }
    t.match(await listAudit(database, { limit: 10, action: "list" }), [
      { ...entry, status: 401, code: "unauthenticated" },
      { ...entry, status: 401, code: "unauthenticated" },
    ])
    t.equal((await listAudit(database, { limit: 10, action: "list" })).length, 2)
  })

  await t.test("requests above a limit are not in the audit log", async (t) => {
    await database.writer.deleteFrom("audit_log").execute()
    const config = await testConfig(url)
    const limits = { ...config.limits, quota: 1 }
    const limited = await startInstance({ ...config, limits }, { log: scannedLog(t, []) })
    const get = await logInto(limited.fetch, "ann")
    const statuses: number[] = []
    for (let n = 0; n < 3; n++) statuses.push((await get(`${path}/guests`)).status)
    t.strictSame(statuses, [200, 429, 429])
    await limited.close()
    const audited = await listAudit(database, { limit: 100 })
    t.ok(audited.length > 0)
    t.notOk(audited.some(({ status }) => status === 429))
  })
})

t.test("reloads are in the audit log, applied and refused, with the hash and the trigger", async (t) => {
  const { file, database, write, start } = await freshWorkshop(t)
  write("  - use: health")
  const service = await start()
  write("  - use: docs")
  t.match(await service.reload("SIGHUP"), { result: "applied" })
  const { hash } = service.instance.config
  writeFileSync(file, "nonsense")
  t.match(await service.reload("a change of the file"), { result: "refused" })
  const entries = () => listAudit(database, { action: "reload", limit: 10 })
  while ((await entries()).length < 2) await setTimeout(20)
  const by = { actor: "service", address: hostname(), account: null, request_id: "", status: 0 }
  t.match(await entries(), [
    { ...by, code: null, detail: `SIGHUP: configuration ${hash} applied` },
    { ...by, code: "refused", detail: /^a change of the file: .*; \w+ stays in force$/s },
  ])
})

// MySQL refuses to compare columns of ASCII with other characters.
await onEveryEngine(t, async (t, engine) => {
  await t.test("listAudit picks by the actor of a change, as far as that is ASCII", async (t) => {
    const database = await freshDatabase(t, engine)
    const by = { actor: "jörg", address: "büro" }
    const change = { ...by, action: "reload", account: null, detail: "für alle" } as const
    await recordChange(database, change)
    t.match(await listAudit(database, { limit: 9, actor: "j?rg" }), [
      { action: "reload", address: "b?ro", detail: "für alle", account: null, status: 0 },
    ])
    t.strictSame(await listAudit(database, { limit: 9, actor: "jörg" }), [])
  })
})
