import t from "tap"
import { insertSession } from "../../../../core/access/sessions.ts"
import { recordChange } from "../../../../plugins/capabilities/audit/audit-log.ts"
import { freshApp } from "../../../support/app.ts"
import { password } from "../../../support/builder.ts"
import { type Browse, browserOf, fieldIn } from "../../../support/browse.ts"
import { onEmbedded } from "../../../support/database.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

const page = { accept: "text/html,*/*;q=0.8" }
const good = "a long enough secret"

await onEmbedded(t, async (t, engine) => {
  const app = await freshApp(t, engine)
  const { request, build, database: { writer } } = app
  const organization = await build.organization("acme")
  const event = await build.event(organization, { name: "Gala <b>&" })
  const guest = await build.guest(event)
  await build.account("operator", "operator")
  await build.account("acme-export", "service")
  await build.grant("acme-export", { organization: "acme" })
  const { browse, read, submit } = await browserOf(app, "operator")
  const partner = await app.logIn("acme-export")
  await (await partner(`/acme/v1/events/${event}/guests`)).text()
  const account = "/console/accounts/acme-export"
  const logIn = (username: string, password: string) =>
    request("/session", {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "return=representation" },
      body: JSON.stringify({ username, password }),
    })

  const pages = [
    "/console",
    "/console/partners/acme-export",
    "/console/events",
    `/console/events/${event}`,
    "/console/configuration",
    "/console/accounts",
    account,
    "/console/audit",
    "/console/audit.csv",
    "/console/disclosures",
    "/console/handbook",
    "/console/handbook/incidents",
  ]
  for (const path of pages) {
    const name = path.replace(event, ":event")
    await t.test(`GET ${name} is for operators; browsers are sent to log in`, async (t) => {
      const there = await browse(path)
      t.equal(there.status, 200)
      t.equal(there.headers.get("cache-control"), "no-store")
      if (!path.endsWith(".csv")) t.equal(there.headers.get("referrer-policy"), "same-origin")
      const text = await there.text()
      t.notMatch(text, /<style|\sstyle=|\son\w+=|<script(?![^>]* src="\/console\/files\/)/)
      t.notMatch(text, "<b>&", "names are escaped")
      for (const [form] of text.matchAll(/<form[^]*?<\/form>/g)) {
        if (!form.includes('type="password"')) continue
        t.match(form, /autocomplete="username"/, "password managers know whose it is")
      }

      const stranger = await request(path, { headers: page, redirect: "manual" })
      t.equal(stranger.status, 303)
      const next = path === "/console" ? "" : `?next=${encodeURIComponent(path)}`
      t.equal(stranger.headers.get("location"), `/console/log-in${next}`)
      t.match(await (await request(path)).json(), { status: 401, code: "unauthenticated" })

      const outsider = await partner(path, { headers: page })
      t.equal(outsider.status, 403)
      const refusal = await outsider.text()
      t.match(refusal, "This is for operators of the service.")
      t.match(refusal, 'action="/console/log-out"')
      t.match(await (await partner(path)).json(), { code: "not_operator" })
    })
  }

  await t.test("pages of events and partners fold what is well of more than 15 rows of lists, and show all if they are asked to", async (t) => {
    const crowded = await build.event(organization, { name: "Crowded" })
    const account_id = await build.account("crowd")
    const names = Array.from({ length: 31 }, (_, n) => `list-${String(n).padStart(2, "0")}-`)
    const now = Math.floor(Date.now() / 1000)
    const walk = { last_poll: now, walk_started: now, walk_completed: now, completed_next: now }
    await build.grant("crowd", { event: crowded })
    await writer.insertInto("sync_state").values(names.map((list, n) =>
      // The last two were asked for yesterday; the latest error is of the last of them.
      emptyRow({
        ...{ account_id, event_id: crowded, list, prefix: `/b${n}/v1`, ...walk },
        ...n > 28 && { last_poll: 1, prefix: "/b/v1" },
        ...n === 30 &&
          { error_at: 2, error_status: 400, error_code: "wrong", error_request: "r-90" },
      })
    )).execute()
    const paths = [`/console/events/${crowded}`, "/console/partners/crowd"]
    const section = async (path: string) =>
      /<h2 id="(readers|lists)-title">[^]*?<\/section>/.exec(await read(path))?.[0] ?? ""
    for (const path of paths) {
      const folded = await section(path)
      t.match(folded, /<caption>2 of 31 lists need attention/)
      t.equal(rowsIn(folded), 1, "alike lists share a row")
      t.match(
        folded,
        /<code>\/b\/v1<\/code> list-29-, list-30-<\/td>[^]*>silent<[^]*400 wrong[^]*<details class="fold">/,
        "trouble is on top, with the last error",
      )
      const [well = ""] = /<details class="fold">[^]*<\/details>/.exec(folded) ?? []
      t.match(well, /in sync[^]*<b>29<\/b>/)
      for (const name of names.slice(0, 29)) t.match(well, name)
      const [, all = ""] = /<a href="([^"]+)">All lists in full/.exec(folded) ?? []
      const whole = await section(all)
      t.equal(rowsIn(whole), 31)
      t.notMatch(whole, "<details")
    }

    await writer.deleteFrom("sync_state").where("list", "in", names.slice(0, 15)).execute()
    for (const path of paths) t.equal(rowsIn(await section(path)), 15, "few rows are not folded")
    await writer.deleteFrom("account").where("username", "=", "crowd").execute()
  })

  await t.test("GET /console/accounts shows of many those without a session, and the names of the others", async (t) => {
    const names = Array.from({ length: 31 }, (_, n) => `many-${n}`)
    for (const name of names) await build.account(name)
    await writer.updateTable("account").set({ disabled: 1 })
      .where("username", "=", "many-3").execute()
    const folded = await read("/console/accounts")
    const [top = "", ...folds] = folded.split("<details")
    t.match(top, /<caption>30 of \d+ accounts have no session/)
    t.equal(rowsIn(top), 30)
    const hidden = { operator: "operator", service: "acme-export", disabled: "many-3" }
    for (const [title, name] of Object.entries(hidden)) {
      const own = folds.find((text) => text.includes(`<summary>${title} <b>`))
      t.match(own, `<li><a href="/console/accounts/${name}">${name}</a></li>`, title)
    }
    const [, all = ""] = /<a href="([^"]+)">All accounts in full/.exec(folded) ?? []
    t.equal(rowsIn(await read(all)), names.length + 2)
    await writer.deleteFrom("account").where("username", "like", "many-%").execute()
    t.match(await read("/console/accounts"), /<tr><th scope="row"><a [^>]*>acme-export/)
  })

  await t.test("GET /console/:unknown is a page with the request's id, and JSON for programs", async (t) => {
    const path = "/console/accounts/nobody"
    const there = await browse(path, { headers: { "x-request-id": "r-1" } })
    t.equal(there.status, 404)
    t.match(await there.text(), /There is no account nobody\.[^]*<code data-copy>r-1<\/code>/)
    const json = await browse(path, { headers: { accept: "application/json" } })
    t.match(await json.json(), { code: "not_found", status: 404 })
  })

  const logInAtPage = (next: string, { word = password, headers = {} } = {}) =>
    request(`/console/log-in?next=${encodeURIComponent(next)}`, {
      method: "POST",
      headers: { ...page, ...headers },
      redirect: "manual",
      body: new URLSearchParams({ username: "operator", password: word }),
    })

  await t.test("POST /console/log-in logs in, and goes on only to pages of the console", async (t) => {
    for (const next of ["/console", "/console/audit?status=4xx", "/console/events/a%20b"]) {
      const response = await logInAtPage(next)
      t.equal(response.status, 303)
      t.equal(response.headers.get("location"), next)
      t.match(response.headers.getSetCookie()[0], /HttpOnly; SameSite=Strict$/)
    }
    const foreign = [
      "https://example.org/console/audit",
      "//example.org/console",
      "/\\example.org/console",
      "/console/../session",
      "/console/%2e%2e/session",
      "/consolex",
      "/session",
      "javascript:alert(1)",
      "/console/log-out",
      "\t//example.org/console",
      "",
    ]
    for (const next of foreign) {
      const { headers } = await logInAtPage(next)
      t.equal(headers.get("location"), "/console", JSON.stringify(next))
    }
  })

  await t.test("POST /console/log-in shows the form again after a wrong password, and audits it", async (t) => {
    const response = await logInAtPage("/console/audit", {
      word: "wrong",
      headers: { "x-request-id": "wrong-password" },
    })
    t.equal(response.status, 401)
    const text = await response.text()
    t.match(text, "The user name or the password is wrong.")
    t.match(text, 'action="/console/log-in?next=%2Fconsole%2Faudit"')
    const form = await (await request("/console/log-in")).text()
    for (const page of [form, text]) t.match(page, 'href="mailto:partners@example.org"')
    t.match(text, /name="username"[^>]*value="operator"/, "the user name is kept")
    t.notMatch(text, /type="password"[^>]*value=/)
    const audited = await eventually(() => entries("wrong-password"), ({ length }) => length > 0)
    t.match(audited, [{ action: "log-in", code: "invalid_credentials", status: 401 }])
  })

  await t.test("nobody can be logged in by another site", async (t) => {
    const headers = { "sec-fetch-site": "cross-site" }
    t.equal((await logInAtPage("/console", { headers })).status, 400)
  })

  await t.test("a link from another site opens the page again, because its cookie is not sent", async (t) => {
    const from = (site: string) =>
      request("/console/audit?status=4xx", {
        headers: { ...page, "sec-fetch-site": site },
        redirect: "manual",
      })
    const response = await from("cross-site")
    t.equal(response.status, 200)
    t.match(
      await response.text(),
      '<meta http-equiv="refresh" content="0; url=/console/audit?status=4xx">',
    )
    t.equal((await from("same-origin")).status, 303, "once only")
  })

  await t.test("POST /console/log-out ends the session", async (t) => {
    const other = await browserOf(app, "operator")
    const token = fieldIn(await other.read("/console/events"), "token")
    const body = new URLSearchParams({ token })
    const response = await other.browse("/console/log-out", { method: "POST", body })
    t.equal(response.headers.get("location"), "/console/log-in")
    t.match(response.headers.getSetCookie()[0], /Max-Age=0/)
    t.equal((await other.browse("/console")).status, 303)
  })

  await t.test("forms are refused from other sites, and without the token of the session", async (t) => {
    const token = fieldIn(await read(account), "token")
    const other = await browserOf(app, "operator")
    const bearer = `Bearer ${(await (await logIn("operator", password)).json()).token}`
    const refused: readonly (readonly [string, object, Record<string, string>?, Browse?])[] = [
      ["no token", {}],
      ["an empty token", { token: "" }],
      ["a longer token", { token: `${token}x` }],
      ["the token of another session", { token }, {}, other.browse],
      ["another site", { token }, { "sec-fetch-site": "cross-site" }],
      ["another origin", { token }, { origin: "https://example.org" }],
      ["a bearer token alone", {}, { authorization: bearer }],
      ["the token of the cookie, while a bearer token decides", { token }, {
        authorization: bearer,
      }],
    ]
    for (const [name, fields, headers = {}, by = browse] of refused) {
      const body = new URLSearchParams({ action: "disable", ...fields })
      const response = await by(account, { method: "POST", headers, body })
      t.equal(response.status, 400, name)
      t.match(await response.text(), "was not sent from a page of your session", name)
    }
    const json = await browse(account, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token, action: "disable" }),
    })
    t.equal(json.status, 415)
    t.equal(await isDisabled("acme-export"), false)
  })

  await t.test("POST /console/accounts adds an account, and says why not", async (t) => {
    const fields = { username: "new-partner", role: "partner", password: good }
    const added = await submit("/console/accounts", fields)
    t.equal(added.status, 303)
    t.equal(added.headers.get("location"), "/console/accounts/new-partner?done=add")
    const wrong: readonly [string, Partial<typeof fields>][] = [
      ["already exists", {}],
      ["A user name has at most", { username: "Wrong Name" }],
      ["too short", { username: "other", password: "short" }],
      ["Choose a role", { username: "other", role: "king" }],
    ]
    for (const [reason, change] of wrong) {
      const response = await submit("/console/accounts", { ...fields, ...change })
      t.equal(response.status, 400, reason)
      t.match(await response.text(), reason)
    }
    t.equal((await logIn("new-partner", good)).status, 200)
  })

  await t.test("POST /console/accounts/:name grants and withdraws access, with limits", async (t) => {
    const path = "/console/accounts/new-partner"
    const grant = { action: "grant", organization: "acme" }
    const networks = "192.0.2.0/24, 2001:db8::/32"
    const granted = await submit(path, { ...grant, until: "2090-12-31", from: networks })
    t.equal(granted.headers.get("location"), `${path}?done=grant`)
    const text = await read(`${path}?done=grant`)
    t.match(text, "The grant counts from the next request on.")
    t.match(text, networks)
    t.match(text, 'datetime="2091-01-01T00:00:00Z"', "the end of that day")
    for (
      const [fields, reason] of [
        [{ organization: "" }, "Name an organization or an event."],
        [{ event }, "Name an organization or an event."],
        [{ organization: "nowhere" }, "There is no organization nowhere."],
        [{ organization: "Zürich" }, "There is no organization Zürich."],
        [{ organization: "", event: "Zürich" }, "There is no event zürich."],
        [{ until: "31.12.2090" }, "is not a date"],
        [{ from: "10.0.0.0/99" }, "10.0.0.0/99"],
        [
          { from: "192.0.2.0/24 10.0.0.1/8" },
          "10.0.0.1/8 has bits after its prefix: write it as 10.0.0.0/8.",
        ],
      ] as const
    ) {
      const response = await submit(path, { ...grant, ...fields })
      t.equal(response.status, 400, reason)
      t.match(await response.text(), reason)
    }
    const withdrawn = await submit(path, { action: "withdraw", organization: "acme" })
    t.equal(withdrawn.headers.get("location"), `${path}?done=withdraw`)
    t.match(await read(path), "It may read nothing.")
  })

  await t.test("POST /console/accounts/:name ends sessions, disables, and changes the password", async (t) => {
    const id = await build.account("worker")
    const path = "/console/accounts/worker"
    const sessions = [await app.logIn("worker"), await app.logIn("worker")]
    const live = async () => {
      const statuses = await Promise.all(sessions.map((send) => send("/session")))
      return statuses.filter(({ status }) => status === 200).length
    }
    const { id: session } = await writer.selectFrom("session").select("id")
      .where("account_id", "=", id).executeTakeFirstOrThrow()
    await submit(path, { action: "end-session", session })
    t.equal(await live(), 1)
    t.notMatch(await read(path), "There are more")
    for (let n = 0; n < 50; n++) await insertSession(app.database, id, 3600)
    for (const page of [path, "/console/partners/worker"]) {
      t.match(await read(page), /There are more[^]*account sessions worker/)
    }
    await submit(path, { action: "end-sessions" })
    t.equal(await live(), 0)
    await submit(path, { action: "disable" })
    t.equal(await isDisabled("worker"), true)
    await submit(path, { action: "enable" })
    t.equal(await isDisabled("worker"), false)

    const change = { action: "password", password: "another good secret" }
    t.match(await (await submit(path, change)).text(), "Confirm that its sessions end.")
    t.equal((await submit(path, { ...change, sure: "yes" })).status, 303)
    t.equal((await logIn("worker", change.password)).status, 200)
    t.match(await (await submit(path, { action: "constructor" })).text(), "no such action")
  })

  await t.test("a change in the console is in the audit log with its operator, address and request", async (t) => {
    const token = fieldIn(await read(account), "token")
    const response = await browse(account, {
      method: "POST",
      headers: { "x-request-id": "audited-change" },
      body: new URLSearchParams({ token, action: "grant", event }),
    })
    t.equal(response.status, 303)
    t.match(await entries("audited-change"), [{
      action: "grant",
      actor: "operator",
      account: "acme-export",
      address: "unknown",
      detail: `event ${event}`,
    }])
    const found = await read("/console/audit?request=audited-change")
    t.match(found, `event ${event}`)
    t.match(found, "1 entries")
  })

  await t.test("an operator cannot disable the account that they use", async (t) => {
    const response = await submit("/console/accounts/operator", { action: "disable" })
    t.equal(response.status, 400)
    t.match(await response.text(), "your own account")
    t.equal(await isDisabled("operator"), false)
  })

  await t.test("what cuts somebody off is confirmed on a page of its own, with the command", async (t) => {
    for (
      const [query, command] of [
        ["confirm=disable", "account disable acme-export"],
        ["confirm=end-sessions", "account revoke acme-export"],
        ["confirm=withdraw&organization=acme", "access withdraw acme-export --organization acme"],
        ["confirm=end-session&session=0123abcd-1", "account end-session 0123abcd"],
      ]
    ) {
      const text = await read(`${account}?${query}`)
      t.match(text, `event-export ${command}<`)
      t.match(text, 'class="danger"')
      t.notMatch(text, "New password")
    }
    for (const query of ["confirm=enable", "confirm=constructor", "confirm="]) {
      t.match(await read(`${account}?${query}`), "New password", query)
    }
  })

  await t.test("GET /console with the tags of its live parts returns those that have changed", async (t) => {
    const tagsOf = (text: string) =>
      [...text.matchAll(/<section id="([\w-]+)" data-live="([\w-]+)"/g)]
        .map(([, id = "", tag = ""]) => ({ id, tag }))
    const parts = tagsOf(await read("/console"))
    const ask = async (path: string, known: readonly { readonly tag: string }[]) => {
      const headers = { "console-parts": known.map(({ tag }) => tag).join(" ") }
      return await (await browse(path, { headers })).text()
    }
    const others = parts.filter(({ id }) => id !== "service")
    const text = await ask("/console", others)
    t.match(text, /^(?![^]*<title>)[^]*<section id="service" data-live="/)
    const asked = tagsOf(text).map(({ id }) => id)
    t.notOk(asked.includes("ending") || asked.includes("errors"), "what has not changed")
    t.equal((await ask("/console", [])).match(/<section/g)?.length, parts.length)
    t.match(await ask("/console/accounts", []), "<title>", "a page without live parts is whole")
  })

  await t.test("GET /console/audit links to the entries of an actor and an address, whatever characters they have", async (t) => {
    const [actor, address] = ["R&D + ops #1", "fe80::1%eth0"]
    const change = { actor, address, action: "resync", account: null, detail: "x" } as const
    await recordChange(app.database, change)
    const text = await read("/console/audit?action=resync")
    const links = [...text.matchAll(/href="\/console\/audit\?(actor|address)=([^"]*)"/g)]
    t.equal(links.length, 2)
    for (const [, name, value] of links) {
      const found = await read(`/console/audit?${name}=${value}&action=resync`)
      t.match(found, "1 entries", `${name}=${value}`)
    }
  })

  await t.test("GET /console/audit.csv returns the entries that match", async (t) => {
    const response = await browse("/console/audit.csv?account=acme-export&action=list")
    t.equal(response.headers.get("content-type"), "text/csv; charset=utf-8")
    const [head, line = "", rest] = (await response.text()).split("\r\n")
    t.equal(
      head,
      "at,account,action,route,event_id,since,sent,status,code,milliseconds,address,request_id,actor,detail",
    )
    t.match(
      line,
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ,acme-export,list,\/acme\/v1\/events\/:eventId\/guests,/,
    )
    t.match(line, `,${event},`)
    t.equal(rest, "")
  })

  await t.test("GET /console/events/:event shows who reads it, and who read it on a day", async (t) => {
    const today = new Date().toISOString().slice(0, 10)
    const text = await eventually(
      () => read(`/console/events/${event}?day=${today}`),
      (text) => /acme-export<\/a>[^]*\/acme\/v1<\/code> guests/.test(text),
    )
    t.match(text, `Who read it on ${today}`)
    t.match(text, "<code>/acme/v1/events/:eventId/guests</code>")
    t.match(await read(`/console/events/${event}?day=2020-01-01`), "Nobody.")
    t.equal((await browse(`/console/events/${crypto.randomUUID()}`)).status, 404)
  })

  await t.test("GET /console/partners/:name says how it is doing, and what it would get", async (t) => {
    const text = await read(`/console/partners/acme-export?event=${event}`)
    t.match(text, /200 <\/span>/)
    t.match(text, "<code>/acme/v1</code>")
    for (const name of ["nobody", "operator"]) {
      t.equal((await browse(`/console/partners/${name}`)).status, 404, name)
    }
  })

  await t.test("GET /console/disclosures names the recipients of a guest", async (t) => {
    const text = await eventually(
      () => read(`/console/disclosures?guest=${guest}`),
      (text) => /Recipients[^]*acme-export/.test(text),
    )
    t.match(text, "firstName")
    const wrong = await browse("/console/disclosures?guest=x")
    t.equal(wrong.status, 400)
    t.match(await wrong.text(), "x is not an id.")
  })

  async function isDisabled(username: string): Promise<boolean> {
    const { disabled } = await writer.selectFrom("account").select("disabled")
      .where("username", "=", username).executeTakeFirstOrThrow()
    return Boolean(disabled)
  }

  async function entries(request_id: string) {
    return await writer.selectFrom("audit_log").selectAll()
      .where("request_id", "=", request_id).execute()
  }
})

/** Returns the number of rows of the tables of a page. */
function rowsIn(text: string): number {
  return text.match(/<tr><th scope="row">/g)?.length ?? 0
}

/** Repeats a look until it shows what is written in the background. */
async function eventually<T>(look: () => Promise<T>, isThere: (found: T) => boolean): Promise<T> {
  for (;;) {
    const found = await look()
    if (isThere(found)) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
