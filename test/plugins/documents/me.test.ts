import t from "tap"
import {
  removeAccount,
  renameAccount,
} from "../../../plugins/capabilities/accounts/change-names.ts"
import { recordChange } from "../../../plugins/capabilities/audit/audit-log.ts"
import { frugal, onEveryApp } from "../../support/app.ts"
import { fieldIn } from "../../support/browse.ts"
import { usedOf } from "../../support/quota.ts"
import { asPage, type Get, post, sectionOf, show, shown } from "../../support/own-page.ts"

const by = { actor: "test", address: "test", record: async () => {} }

/** Returns the token of the forms of a page. */
const tokenIn = (text: string) => fieldIn(text, "token")

await onEveryApp(t, async (t, app) => {
  const { build, database, logIn, request, isBare } = app
  const acme = await build.organization("acme")
  const event = await build.event(acme, { name: "Gala <1>" })
  await build.guest(event)
  const path = `/connector-b/v1/events/${event}/guests`
  let people = 0
  const anyone = async (
    role: "partner" | "service" | "operator" | "viewer" = "partner",
    name = `person${++people}`,
  ) => {
    const id = await build.account(name, role)
    return { id, name, get: await logIn(name) }
  }

  await t.test("GET /docs/me sends browsers to log in, programs a 401, and answers no other method", async (t) => {
    const { status, headers } = await request("/docs/me", { headers: asPage, redirect: "manual" })
    t.strictSame([status, headers.get("location")], [303, "/docs/log-in?next=%2Fdocs%2Fme"])
    t.equal((await request("/docs/me")).status, 401)
    const { get } = await anyone()
    t.equal((await get("/docs/me", { method: "POST" })).status, 405)
  })

  await t.test("GET /docs/me shows every role a page, which no cache keeps and which runs nothing inline", async (t) => {
    for (const role of ["partner", "service", "operator", "viewer"] as const) {
      const { name, get } = await anyone(role)
      const response = await get("/docs/me", { headers: asPage })
      t.equal(response.status, 200, role)
      t.equal(response.headers.get("cache-control"), "private, no-store")
      t.match(
        response.headers.get("content-security-policy"),
        /^default-src 'none'; script-src 'self'; style-src 'self';/,
      )
      const text = await response.text()
      t.notMatch(text, / style=| on\w+=|<style|<script(?! (src|type="module" src)=")/)
      t.match(text, name)
      t.match(sectionOf(text, "seen"), `its role ${role}`)
      const contents = [...text.matchAll(/<li><a href="#([a-z]+)">/g)].map(([, id]) => id)
      t.strictSame(contents, [...text.matchAll(/<h2 id="([a-z]+)">/g)].map(([, id]) => id))
      const isPartner = role === "partner" || role === "service"
      t.equal(text.includes('id="state"'), isPartner && !isBare, role)
      t.equal(text.includes("Make a token"), isPartner && !isBare, role)
    }
  })

  await t.test("GET /docs/me shows what is used of the limits of each family, as the headers say it", async (t) => {
    const { name, get } = await anyone("partner", "frugal")
    await build.grant(name, { event })
    t.match(sectionOf(await show(get), "quota"), /connector-b[^]*0 of 100</)
    await get(path)
    t.equal(usedOf(await get(path), frugal.quota), 2)
    t.match(sectionOf(await show(get), "quota"), /connector-b\/v1<\/code>[^]{0,200}2 of 100</)
  })

  if (isBare) return

  await t.test("GET /docs/me says how the caller is doing, since when, and what to do", async (t) => {
    const { name, get } = await anyone()
    await build.grant(name, { event })
    await recordChange(database, { ...by, action: "contact", account: name, detail: "a change" })
    t.match(
      await show(get),
      /You have a session, and have read no list\.[^]*What to do: read the guide/,
    )
    await (await get(`${path}?since=-1`)).text()
    const well = await shown(
      get,
      "You are in sync. You have everything that changed until your last poll at",
    )
    t.match(well, "What to do: nothing.")
    const lists = sectionOf(well, "lists")
    t.match(lists, /Gala &lt;1&gt;[^]*connector-b\/v1<\/code> guests[^]*in sync/)
    await get(`${path}?limit=0`)
    const errors = sectionOf(await shown(get, "Correct the parameter"), "errors")
    t.match(errors, /400[^]*Correct the parameter limit[^]*data-copy>[\w-]{36}</)
    const { headers } = await get(`${path}?limit=0`)
    const id = headers.get("x-request-id") ?? ""
    const requests = sectionOf(await shown(get, id), "requests")
    t.match(requests, new RegExp(`connector-b/v1/events/:eventId/guests[^]*${id}`))
    t.match(requests, /204[^]*log-in/)
    t.notMatch(requests, "contact", "what others change of the account is no request of theirs")
  })

  await t.test("GET /docs/me names only what is well of more than 30 lists, and shows all if asked", async (t) => {
    const { name, get } = await anyone()
    for (let n = 0; n < 16; n++) {
      const own = await build.event(acme, { name: `Ball ${n}.` })
      await build.grant(name, { event: own })
      for (const list of ["guests", "items"]) {
        await (await get(`/connector-b/v1/events/${own}/${list}?since=-1`)).text()
      }
    }
    const lists = sectionOf(await shown(get, /No list needs attention[^]*Ball 15\./), "lists")
    t.match(lists, /<summary>[^]*in sync/)
    t.notMatch(lists, "<table")
    const [, all = ""] = /<a href="\/docs\/me(\?[^#"]+)#lists">All lists in full/.exec(lists) ?? []
    t.ok(sectionOf(await show(get, all), "lists").split("<tr>").length - 2 > 30)
  })

  await t.test("GET /docs/me shows the last acknowledgement, and what the ledger knows of deletions", async (t) => {
    const [one, other] = [await anyone(), await anyone()]
    const wake = await build.event(acme, { name: "Wake" })
    const ball = await build.event(acme, { name: "Ball" })
    for (const { name } of [one, other]) await build.grant(name, { event: wake })
    const of = { event_id: wake, prefix: "/connector-b/v1", list: "guests", from_time: 0 } as const
    const [day, hour] = [86_400, 3600]
    const now = Math.floor(Date.now() / 1000)
    await database.writer.insertInto("erasure_notice").values([
      { ...of, account_id: one.id, kind: "attested", to_time: now - 5 * day, at: now - 2 * hour },
      { ...of, account_id: one.id, kind: "told", to_time: now - 3 * day, at: now - day },
      { ...of, account_id: one.id, kind: "told", event_id: ball, to_time: now, at: now },
      { ...of, account_id: other.id, kind: "attested", to_time: now - 4 * day, at: now - hour },
    ]).execute()
    const text = await show(one.get)
    t.match(
      sectionOf(text, "deletions"),
      /Deletions that you[^]*Wake[^]*guests[^]*3 days ago[^]*never[^]*5 days ago[^]*2 h ago/,
    )
    t.notMatch(sectionOf(text, "deletions"), "Which records you were sent")
    t.notMatch(sectionOf(text, "seen"), "Deletions that you")
    t.notMatch(text, "Ball", "an event that they may not read")
    t.notMatch(text, /4 days ago|60 min ago/, "what another account knows")
  })

  await t.test("GET /docs/me names the date of the next 410", async (t) => {
    const { name, get } = await anyone()
    await build.grant(name, { event })
    const since = Math.floor(Date.now() / 1000) - 3600
    await (await get(`${path}/deletions?since=${since}`)).text()
    const text = await shown(get, "at the earliest, and must read everything again")
    t.match(text, "Without another poll of deletions or of the feed, you get 410 in 89 days")
  })

  await t.test("GET /docs/me does not tell the name of an event that the caller may not read now", async (t) => {
    const { name, id, get } = await anyone()
    const secret = await build.event(acme, { name: "Secret wedding" })
    await build.grant(name, { event: secret })
    const own = `/connector-b/v1/events/${secret}/guests?since=-1`
    const read = await get(own)
    t.equal(read.status, 200, await read.text())
    t.match(await shown(get, "You are in sync"), "Secret wedding")
    await database.writer.updateTable("access_grant").set({ networks: "192.0.2.0/24" })
      .where("account_id", "=", id).execute()
    t.equal((await get(own)).status, 404)
    const lost = await shown(get, "You have no access")
    t.notMatch(lost, "Secret wedding")
    t.notMatch(lost, "192.0.2.0", "nor where it may be read")
    t.match(lost, secret)
    await database.writer.deleteFrom("access_grant").where("account_id", "=", id).execute()
    t.notMatch(await show(get), "Secret wedding")
    const unknown = await build.event(acme, { name: "Not theirs" })
    await get(`/connector-b/v1/events/${unknown}/guests`)
    await get(`/connector-b/v1/events/${unknown}/guests`)
    t.notMatch(await shown(get, /errors[^]*event_not_found/), "Not theirs")
  })

  await t.test("GET /docs/me shows no request from before the account had its name", async (t) => {
    const before = await anyone("partner", "renamed")
    const { headers } = await before.get(path)
    const id = headers.get("x-request-id") ?? ""
    await shown(before.get, id)
    await renameAccount(database, "renamed", "renamed2", by)
    t.notMatch(sectionOf(await show(before.get), "requests"), id)
    const other = await anyone("partner", "older")
    await database.writer.updateTable("account").set({ created: 1 }).where("id", "=", other.id)
      .execute()
    await database.writer.updateTable("audit_log").set((eb) => ({ at: eb("at", "-", 10) }))
      .where("request_id", "=", id).execute()
    await renameAccount(database, "older", "renamed", { ...by, record: recordChange })
    t.notMatch(sectionOf(await show(other.get), "requests"), id, "nor if it is older")
    await renameAccount(database, "renamed", "older", by)
    const after = await anyone("partner", "renamed")
    await database.writer.updateTable("account")
      .set({ created: Math.floor(Date.now() / 1000) + 1 })
      .where("id", "=", after.id).execute()
    t.notMatch(sectionOf(await show(after.get), "requests"), id)
    await removeAccount(database, "renamed2", { force: true }, by)
  })

  await t.test("POST /docs/me/tokens makes a token that only its response has, and revoke ends it", async (t) => {
    const { get } = await anyone()
    const token = tokenIn(await show(get))
    const response = await post(get, "tokens", { token, name: "Büro n8n", days: "30" })
    t.equal(response.status, 201)
    t.equal(response.headers.get("cache-control"), "private, no-store")
    const text = await response.text()
    const made = /ee_[\w-]{43}/.exec(text)?.[0] ?? ""
    t.match(text, `TOKEN=${made}\ncurl -H`)
    const headers = { authorization: `Bearer ${made}` }
    t.equal((await request("/session", { headers })).status, 200)
    const listed = await show(get)
    t.match(sectionOf(listed, "tokens"), /Büro n8n[^]*in 30 days/)
    t.notMatch(listed, made)
    t.notMatch(JSON.stringify(app.entries), made)
    const [id = ""] = /(?<=name="id" value=")[\w-]+/.exec(listed) ?? []
    const other = await anyone()
    const theirs = tokenIn(await show(other.get))
    t.equal((await post(other.get, "tokens/revoke", { token: theirs, id })).status, 404)
    t.equal((await request("/session", { headers })).status, 200)
    const revoked = await post(get, "tokens/revoke", { token, id })
    t.equal(revoked.status, 303)
    t.equal(revoked.headers.get("location"), "/docs/me?revoked=1#tokens")
    t.equal((await request("/session", { headers })).status, 401)
    t.match(await show(get, "?revoked=1"), /The token is revoked[^]*You have made none/)
  })

  await t.test("POST /docs/me/tokens refuses what is wrong, in words, and changes nothing", async (t) => {
    const { get } = await anyone()
    const token = tokenIn(await show(get))
    const other = await anyone()
    const good = { token, name: "n8n", days: "30" }
    const wrong: readonly [number, Record<string, string>, Record<string, string>?][] = [
      [400, { ...good, token: "" }],
      [400, { ...good, token: tokenIn(await show(other.get)) }],
      [400, good, { "sec-fetch-site": "cross-site" }],
      [400, good, { origin: "https://elsewhere.example" }],
      [400, { ...good, name: "" }],
      [400, { ...good, name: "\u200b" }],
      [400, { ...good, name: "a".repeat(41) }],
      [400, { ...good, days: "0" }],
      [400, { ...good, days: "91" }],
      [400, { ...good, days: "1e-9" }],
      [400, { ...good, days: "" }],
      [415, good, { "content-type": "application/json" }],
    ]
    for (const [status, fields, headers] of wrong) {
      const response = await post(get, "tokens", fields, headers)
      t.equal(response.status, status, JSON.stringify({ ...fields, ...headers }))
      t.match(await response.text(), /role="alert"/)
    }
    for (const role of ["operator", "viewer"] as const) {
      const someone = await anyone(role)
      const own = tokenIn(await (await someone.get("/docs/me", { headers: asPage })).text())
      t.equal((await post(someone.get, "tokens", { ...good, token: own })).status, 404, role)
    }
    t.match(sectionOf(await show(get), "tokens"), "You have made none")
    for (let n = 0; n < 2; n++) t.equal((await post(get, "tokens", good)).status, 201)
    const third = await post(get, "tokens", good)
    t.equal(third.status, 409)
    t.match(await third.text(), "You have 2 tokens of this name.")
  })

  await t.test("a token makes, shows and revokes no token", async (t) => {
    const { get } = await anyone()
    const fields = { token: tokenIn(await show(get)), name: "a", days: "1" }
    const text = await (await post(get, "tokens", fields)).text()
    const token = /ee_[\w-]{43}/.exec(text)?.[0] ?? ""
    const withToken: Get = (path, init = {}) =>
      request(path, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } })
    const seen = await withToken("/docs/me", { headers: asPage })
    const whole = await seen.text()
    t.equal(seen.status, 200)
    t.match(
      sectionOf(whole, "tokens"),
      "sessions that an operator has opened, cannot make, list or revoke tokens",
    )
    t.notMatch(sectionOf(whole, "tokens"), "<form")
    const own = tokenIn(whole)
    t.ok(own, "the frame has the token of the forms of this session")
    const [id = ""] = /(?<=name="id" value=")[\w-]+/.exec(await show(get)) ?? []
    const made = await post(withToken, "tokens", { token: own, name: "b", days: "1" })
    t.equal(made.status, 403)
    t.equal((await post(withToken, "tokens/revoke", { token: own, id })).status, 403)
    t.match(sectionOf(await show(get), "tokens"), id)
  })
})
