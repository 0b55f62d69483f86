import { setTimeout } from "node:timers/promises"
import t from "tap"
import {
  revokeSessions,
  setDisabled,
} from "../../../../plugins/capabilities/accounts/change-account.ts"
import { listAudit } from "../../../../plugins/capabilities/audit/audit-log.ts"
import { recordRefusals } from "../../../../plugins/capabilities/partners/refusal-trail.ts"
import { freshApp } from "../../../support/app.ts"
import { Builder, password } from "../../../support/builder.ts"
import { freshDatabase, onEmbedded } from "../../../support/database.ts"
import { type Described, exchangeOf } from "../../../support/exchange.ts"
import { recorded } from "../../../support/recorded.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

await onEmbedded(t, async (t, engine) => {
  await t.test("recordRefusals", async (t) => {
    const database = await freshDatabase(t, engine)
    const { writer } = database
    const id = await new Builder(database).account("ann")
    const logIn = { action: "log-in", username: "ann", code: "invalid_credentials" } as const
    const ended = { account: id, session: "s", epoch: 0 }
    const wrong = logIn
    const cookie = { ended, code: "unauthenticated" }
    /** What was sent, and the request and the session of the refusal that is written; none if nothing is. */
    const cases: readonly (readonly [
      name: string,
      sent: readonly Described[],
      written?: readonly [string, string | null],
    ])[] = [
      ["the last request with the cookie of a session that has ended", [cookie], ["r0", "s"]],
      ["a log-in with a wrong password", [wrong], ["r0", null]],
      ["a log-in that has to wait", [{ ...wrong, code: "too_many_log_ins" }], ["r0", null]],
      ["the later one of both", [wrong, cookie], ["r1", "s"]],
      ["nothing about other errors, nobody, names that nobody has, and what is no log-in", [
        { ...wrong, code: "unavailable" },
        { action: "log-in", code: "invalid_credentials" },
        { ...wrong, username: "nobody" },
        { ...wrong, action: "list" },
        { action: "log-in", username: "ann" },
        { ended },
      ]],
    ]
    const openTrail = () =>
      recorded({ log: scannedLog(t, []), every: 60_000 }, (recorders) => ({
        record: recordRefusals(database, recorders),
      }))
    const refused = (described: Described) => exchangeOf({ status: 401, ...described })
    for (const [name, sent, written] of cases) {
      await t.test(`recordRefusals writes ${name}`, async (t) => {
        await writer.deleteFrom("account_activity").execute()
        const trail = openTrail()
        for (const [n, each] of sent.entries()) trail.record(refused({ id: `r${n}`, ...each }))
        await trail.close()
        const rows = await writer.selectFrom("account_activity").selectAll().execute()
        if (!written) return t.strictSame(rows, [])
        const [refused_request, refused_session] = written
        const request = { refused_request, refused_session, refused_address: "192.0.2.1" }
        t.match(rows, [{ account_id: id, refused: Number, ...request }])
      })
    }

    await t.test("a flood of an ended cookie costs a write a second at most", async (t) => {
      let time = 1000
      t.intercept(performance, "now", { value: () => time })
      const trail = openTrail()
      const request = refused({ ended, code: "unauthenticated" })
      for (let n = 0; n < 500; n++) trail.record(request)
      t.equal(trail.numbers.waiting, 1)
      time += 1001
      // The cache looks at the clock once a millisecond.
      await setTimeout(5)
      trail.record(request)
      t.equal(trail.numbers.waiting, 2)
      await trail.close()
    })
  })

  const app = await freshApp(t, engine)
  const { database, build } = app
  const id = await build.account("ann")
  const event = await build.event(await build.organization("acme"))
  const path = `/connector-b/v1/events/${event}/guests`
  const refusalOf = async (account: string) => {
    for (;;) {
      const row = await database.writer.selectFrom("account_activity").selectAll()
        .where("account_id", "=", account).executeTakeFirst()
      if (row && row.refused !== null) return row
      await setTimeout(10)
    }
  }

  await t.test("a 401 with the cookie of an ended session is attributed to its account", async (t) => {
    const get = await app.logIn("ann")
    await revokeSessions(database, "ann")
    const response = await get(path, { headers: { "x-request-id": "locked-out" } })
    t.equal(response.status, 401)
    t.match(app.entries.at(-1), { id: "locked-out", account: "ann", accountId: id })
    t.notHas(app.entries.at(-1), { role: String })
    const { id: session } = await database.writer.selectFrom("session").select("id")
      .executeTakeFirstOrThrow()
    t.match(await refusalOf(id), {
      ...{ refused: Number, refused_code: "unauthenticated", refused_request: "locked-out" },
      ...{ refused_session: session, refused_address: "unknown" },
    })
    for (let n = 0; n < 5; n++) t.equal((await get(path)).status, 401)
    const live = await app.logIn("ann")
    t.equal((await live("/session")).status, 200, "another session of the account goes on")
    const audited = () => listAudit(database, { limit: 10 })
    while ((await audited()).length < 3) await setTimeout(10)
    t.strictSame(
      (await audited()).map(({ action, status }) => [action, status]).toSorted(),
      [["list", 401], ["log-in", 204], ["log-in", 204]],
      "a flood cannot fill the log",
    )
  })

  await t.test("a 401 without a cookie, and with an altered one, is nobody's", async (t) => {
    for (const cookie of ["", "event_export_session=Fe26.2*1*altered"]) {
      t.equal((await app.request(path, { headers: { cookie } })).status, 401)
      t.notHas(app.entries.at(-1), { account: String })
      t.notHas(app.entries.at(-1), { accountId: String })
    }
  })

  await t.test("a refused log-in of a disabled account is attributed to it: its program still tries", async (t) => {
    const gone = await build.account("gone")
    await setDisabled(database, "gone", true)
    const response = await app.request("/session", {
      method: "POST",
      headers: { "content-type": "application/json", "x-request-id": "disabled" },
      body: JSON.stringify({ username: "gone", password }),
    })
    t.equal(response.status, 401)
    t.match(app.entries.at(-1), { id: "disabled", account: "gone" })
    t.match(await refusalOf(gone), { refused_request: "disabled", refused_session: null })
  })
})
