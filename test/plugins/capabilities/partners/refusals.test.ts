import { setTimeout } from "node:timers/promises"
import t from "tap"
import { revokeSessions, setDisabled } from "../../../../core/access/accounts.ts"
import { listAudit } from "../../../../plugins/capabilities/audit/audit-log.ts"
import { password } from "../../../support/builder.ts"
import { freshApp } from "../../../support/app.ts"
import { onEveryEngine } from "../../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  const statements: string[] = []
  const app = await freshApp(t, engine, {
    onStatement: (sql) => void statements.push(sql),
  })
  const { database, build } = app
  const id = await build.account("ann")
  const event = await build.event(await build.organization("acme"))
  const rowOf = async (wanted: (row: { refused_code: string | null }) => boolean) => {
    for (;;) {
      const row = await database.writer.selectFrom("account_activity").selectAll()
        .where("account_id", "=", id).executeTakeFirst()
      if (row && wanted(row)) return row
      await setTimeout(20)
    }
  }
  const path = `/connector-b/v1/events/${event}/guests`

  await t.test("a 401 with the cookie of an ended session is attributed to its account", async (t) => {
    const get = await app.logIn("ann")
    await revokeSessions(database, "ann")
    const response = await get(path, { headers: { "x-request-id": "locked-out" } })
    t.equal(response.status, 401)
    t.match(app.entries.at(-1), { id: "locked-out", account: "ann", accountId: id })
    t.notHas(app.entries.at(-1), { role: String })
    const { id: session } = await database.writer.selectFrom("session").select("id")
      .executeTakeFirstOrThrow()
    t.match(await rowOf(({ refused_code }) => refused_code !== null), {
      refused: Number,
      refused_code: "unauthenticated",
      refused_request: "locked-out",
      refused_session: session,
      refused_address: "unknown",
    })
    t.equal((await get(path)).status, 401)
    while ((await listAudit(database, { limit: 10 })).length < 2) await setTimeout(50)
    const audited = await listAudit(database, { limit: 10 })
    t.strictSame(
      audited.map(({ action, status }) => [action, status]),
      [["log-in", 204], ["list", 401]],
      "a flood cannot fill the log",
    )
  })

  await t.test("a 401 without a cookie, and with an altered one, is nobody's", async (t) => {
    const get = await app.logIn("ann")
    t.equal((await app.request(path)).status, 401)
    t.notHas(app.entries.at(-1), { account: String })
    t.notHas(app.entries.at(-1), { accountId: String })
    const cookie = "event_export_session=Fe26.2*1*altered"
    t.equal((await app.request(path, { headers: { cookie } })).status, 401)
    t.notHas(app.entries.at(-1), { accountId: String })
    t.equal((await get("/session")).status, 200)
  })

  await t.test("a flood of an ended cookie costs a write a second at most, and no statement each", async (t) => {
    const [get, live] = [await app.logIn("ann"), await app.logIn("ann")]
    t.equal((await get("/session", { method: "DELETE" })).status, 204)
    // A refusal of the test before would count.
    await setTimeout(1100)
    const begin = Date.now()
    statements.length = 0
    for (let n = 0; n < 500; n++) t.equal((await get(path)).status, 401)
    t.equal((await live("/session")).status, 200, "another session of the account goes on")
    const writes = () =>
      statements.filter((sql) => /insert into .account_activity.*refused_code/.test(sql)).length
    while (writes() === 0) await setTimeout(20)
    await setTimeout(600)
    const seconds = Math.ceil((Date.now() - begin) / 1000) + 1
    t.ok(writes() <= seconds, `${writes()} in ${seconds} s`)
    t.ok(statements.length < 10 * seconds, `${statements.length} statements`)
  })

  await t.test("a refused log-in of an account is attributed to it, one of no account to nobody", async (t) => {
    const attempt = (username: string, request: string, word = "wrong") =>
      app.request("/session", {
        method: "POST",
        headers: { "content-type": "application/json", "x-request-id": request },
        body: JSON.stringify({ username, password: word }),
      })
    t.equal((await attempt("nobody", "unknown-name")).status, 401)
    t.equal((await attempt("ann", "wrong-password")).status, 401)
    t.match(await rowOf(({ refused_code }) => refused_code === "invalid_credentials"), {
      refused_request: "wrong-password",
      refused_session: null,
    })
    const rows = await database.writer.selectFrom("account_activity").select("account_id").execute()
    t.strictSame(rows.map(({ account_id }) => account_id), [id])
    // One refusal per second is recorded, and after a wait an attempt is let through: so it may take several.
    const isRecorded = new AbortController()
    const found = rowOf(({ refused_code }) => refused_code === "too_many_log_ins")
    void found.then(() => isRecorded.abort())
    while (!isRecorded.signal.aborted) {
      await attempt("ann", "too-many")
      await setTimeout(50)
    }
    t.match(await found, { refused_request: "too-many" })

    const gone = await build.account("gone")
    await setDisabled(database, "gone", true)
    t.equal((await attempt("gone", "disabled", password)).status, 401)
    t.match(app.entries.at(-1), { id: "disabled", account: "gone" })
    const known = () =>
      database.writer.selectFrom("account_activity").select("refused_request")
        .where("account_id", "=", gone).executeTakeFirst()
    while (!await known()) await setTimeout(20)
    t.match(await known(), { refused_request: "disabled" }, "it is known that its program knocks")
  })
})
