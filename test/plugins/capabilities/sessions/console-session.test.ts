import t from "tap"
import { listAudit } from "../../../../plugins/capabilities/audit/audit-log.ts"
import { freshApp } from "../../../support/app.ts"
import { onEmbedded } from "../../../support/database.ts"

await onEmbedded(t, async (t, engine) => {
  const { build, database, logIn, request, entries } = await freshApp(t, engine)
  for (const name of ["chief", "boss"]) await build.account(name, "operator")
  await build.account("anna")
  await build.account("eve", "viewer")
  const browse = await logIn("chief")
  const open = async (name: string, fields: Readonly<Record<string, string>>) => {
    const text = await (await browse("/console/accounts/anna")).text()
    const [, token = ""] = /name="token" value="([\w-]+)"/.exec(text) ?? []
    return await browse(`/console/accounts/${name}/session`, {
      method: "POST",
      headers: { "sec-fetch-site": "same-origin", accept: "text/html" },
      body: new URLSearchParams({ token, days: "30", replace: "", ...fields }),
    })
  }
  const live = async () =>
    (await database.writer.selectFrom("session").innerJoin("account", "account.id", "account_id")
      .select("session.id").where("username", "=", "anna").where(
        "expires",
        ">",
        2_000_000_000 - 1e9,
      )
      .where("reason", "is", null).execute()).length

  await t.test("POST /console/accounts/:name/session shows a token and a cookie file once, and the audit log who did it", async (t) => {
    const response = await open("anna", {})
    t.equal(response.status, 200)
    t.equal(response.headers.get("cache-control"), "no-store")
    const text = await response.text()
    const [, token = ""] = /<code data-copy>([^<]+)</.exec(text) ?? []
    const bearer = await request("/session", { headers: { authorization: `Bearer ${token}` } })
    t.match(await bearer.json(), { username: "anna", role: "partner" })
    const [, file = ""] = /href="data:text\/plain;charset=utf-8,([^"]+)"/.exec(text) ?? []
    t.match(decodeURIComponent(file), /^# Netscape HTTP Cookie File\n[^#]/)
    t.match(decodeURIComponent(file), token)
    const log = await listAudit(database, { account: "anna", action: "session-open", limit: 9 })
    t.match(log, [{ actor: "chief", detail: /for 2592000 s$/ }])
    t.notMatch(JSON.stringify([log, entries]), token)
    t.notMatch(await (await browse("/console/accounts/anna")).text(), token)
  })

  await t.test("POST /console/accounts/:name/session ends the others, if it is to", async (t) => {
    t.equal(await live(), 1)
    t.match(await (await open("anna", { replace: "now" })).text(), /It replaces 1\./)
    t.equal(await live(), 1)
  })

  await t.test("POST /console/accounts/:name/session opens none for people, disabled accounts, or without the token", async (t) => {
    for (const name of ["boss", "eve", "chief", "nobody"]) {
      t.equal((await open(name, {})).status, 400)
    }
    for (const days of ["", "0", "-1", "1e9", "367", "x"]) {
      t.equal((await open("anna", { days })).status, 400, days)
    }
    t.equal((await open("anna", { replace: "x" })).status, 400)
    t.equal((await open("anna", { token: "x" })).status, 400)
    await database.writer.updateTable("account").set({ disabled: 1 }).where("username", "=", "anna")
      .execute()
    t.equal((await open("anna", {})).status, 400)
    t.equal(await live(), 1)
  })
})
