import t from "tap"
import { recordChange } from "../../../../plugins/capabilities/audit/audit-log.ts"
import type { App } from "../../../support/app.ts"
import { freshApp } from "../../../support/app.ts"
import { password } from "../../../support/builder.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

const page = { accept: "text/html,*/*;q=0.8" }

/** Sends a request as a browser does, with a session. */
type Browse = (path: string, init?: RequestInit) => Promise<Response>

/** Submits a form of a page, with the token of that page. */
async function submit(browse: Browse, path: string, fields: Record<string, string>) {
  const [, token = ""] = /name="token" value="([\w-]+)"/.exec(await (await browse(path)).text()) ??
    []
  return await browse(path.split("?")[0] ?? path, {
    method: "POST",
    headers: { "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ token, ...fields }),
  })
}

/** Returns the forms of a page that ask for a password. */
function passwordForms(text: string): string[] {
  return [...text.matchAll(/<form[^]*?<\/form>/g)].map(String).filter((form) =>
    form.includes('type="password"')
  )
}

function hasUserNameFirst(form: string): boolean {
  return /autocomplete="username"[^]*type="password"[^>]*autocomplete="(new|current)-password"/
    .test(form)
}

async function browseAs({ logIn }: App, username: string): Promise<Browse> {
  const send = await logIn(username)
  return (path, init = {}) => {
    const headers = new Headers(init.headers)
    if (!headers.has("accept")) headers.set("accept", page.accept)
    return send(path, { redirect: "manual", ...init, headers })
  }
}

async function logInForToken({ request }: App, username: string): Promise<string> {
  const response = await request("/session", {
    method: "POST",
    headers: { "content-type": "application/json", prefer: "return=representation" },
    body: JSON.stringify({ username, password }),
  })
  return (await response.json()).token
}

await onEveryEngine(t, async (t, engine) => {
  const app = await freshApp(t, engine)
  const { request, build, database } = app
  const organization = await build.organization("acme")
  const event = await build.event(organization, { name: "Gala <b>&" })
  const guest = await build.guest(event)
  await build.account("operator", "operator")
  await build.account("acme-export", "service")
  await build.grant("acme-export", { organization: "acme" })
  const browse = await browseAs(app, "operator")
  const partner = await app.logIn("acme-export")
  await (await partner(`/acme/v1/events/${event}/guests`)).text()

  const pages = [
    "/console",
    "/console/partners/acme-export",
    "/console/events",
    `/console/events/${event}`,
    "/console/configuration",
    "/console/accounts",
    "/console/accounts/acme-export",
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
      t.ok(passwordForms(text).every(hasUserNameFirst), "password managers know whose it is")

      const stranger = await request(path, { headers: page, redirect: "manual" })
      t.equal(stranger.status, 303)
      const next = path === "/console" ? "" : `?next=${encodeURIComponent(path)}`
      t.equal(stranger.headers.get("location"), `/console/log-in${next}`)
      const program = await request(path)
      t.equal(program.status, 401)
      t.match(await program.json(), { code: "unauthenticated" })

      const outsider = await partner(path, { headers: page })
      t.equal(outsider.status, 403)
      t.match(await outsider.text(), "This is for operators of the service.")
      t.match(await (await partner(path)).json(), { code: "not_operator" })
    })
  }

  await t.test("forms with a password have the user name that it belongs to", async (t) => {
    const formsAt = async (path: string) => passwordForms(await (await browse(path)).text())
    const logIn = passwordForms(await (await request("/console/log-in")).text())
    t.match([logIn, await formsAt("/console/accounts")], [
      [/autocomplete="username"[^]*autocomplete="current-password"/],
      [/autocomplete="username"[^]*autocomplete="new-password"/],
    ])
    t.match(await formsAt("/console/accounts/acme-export"), [
      /value="acme-export" autocomplete="username" readonly hidden>[^]*autocomplete="new-password"/,
    ])
  })

  await t.test("pages of events and partners fold what is well of more than 30 lists, and show all if they are asked to", async (t) => {
    const crowded = await build.event(organization, { name: "Crowded" })
    const account_id = await build.account("crowd")
    const names = Array.from({ length: 31 }, (_, n) => `list-${String(n).padStart(2, "0")}-`)
    const now = Math.floor(Date.now() / 1000)
    const walk = { last_poll: now, walk_started: now, walk_completed: now, completed_next: now }
    await build.grant("crowd", { event: crowded })
    await database.writer.insertInto("sync_state").values(names.map((list, n) =>
      // The last two were asked for yesterday; the latest error is of the last of them.
      emptyRow({
        ...{ account_id, event_id: crowded, list, prefix: "/b/v1", ...walk },
        ...n > 28 && { last_poll: 1, records: 7 },
        ...n === 30 &&
          { error_at: 2, error_status: 400, error_code: "wrong", error_request: "r-90" },
      })
    )).execute()
    const paths = [`/console/events/${crowded}`, "/console/partners/crowd"]
    const section = async (path: string) =>
      /<h2 id="(readers|lists)-title">[^]*?<\/section>/.exec(await (await browse(path)).text())
        ?.[0] ??
        ""
    for (const path of paths) {
      const folded = await section(path)
      t.match(folded, /<caption>2 of 31 lists need attention/)
      t.equal(folded.match(/<tr><th scope="row">/g)?.length, 1, "alike lists share a row")
      t.match(
        folded,
        /<code>\/b\/v1<\/code> list-29-, list-30-<\/td>[^]*>silent<[^]*"Records sent">14<[^]*400 wrong[^]*<details class="fold">/,
        "trouble is on top, with the sum of its lists",
      )
      const [well = ""] = /<details class="fold">[^]*<\/details>/.exec(folded) ?? []
      t.match(well, new RegExp(`in sync[^]*<b>29</b>[^]*${names.slice(0, 29).join(", ")}<`))
      t.equal(well.match(/<li>/g)?.length, 1, "and what they are of is named once")
      const [, all = ""] = /<a href="([^"]+)">All lists in full/.exec(folded) ?? []
      const whole = await section(all)
      t.equal(whole.match(/<tr><th scope="row">/g)?.length, 31)
      t.notMatch(whole, "<details")
    }
    const own = { account_id, event_id: crowded, prefix: "/b/v1", state: "stuck" as const }
    const past = (ago: number) => ({ ...own, began: now - ago, ended: now - ago + 7200 })
    await database.writer.insertInto("partner_state").values([
      ...names.slice(0, 5).map((list) => ({ ...past(2 * 86_400), list })),
      { ...past(5 * 86_400), list: names[5] ?? "" },
    ]).execute()
    await database.writer.updateTable("account").set({ created: now - 9 * 86_400 })
      .where("id", "=", account_id).execute()
    await database.writer.updateTable("sync_state").set({ first_started: now - 9 * 86_400 })
      .where("account_id", "=", account_id).execute()
    const look = { id: 1, at: now }
    await database.dialect.orUpdate(
      database.writer.insertInto("partner_look").values(look),
      "id",
      { at: now },
    ).execute()
    // The service looks as well; nothing is known of the time before its first look.
    await database.writer.deleteFrom("partner_state").where("account_id", "=", "").execute()
    const history = /<h2 id="history-title">[^]*?<\/section>/
      .exec(await (await browse("/console/partners/crowd")).text())?.[0] ?? ""
    const [, table = ""] = history.split("Lists that were stuck or behind")
    t.equal(table.match(/<tr><th scope="row">/g)?.length, 2, "of the same hours: one row")
    t.match(
      table,
      /<summary>5 lists<\/summary>[^]*list-00-, list-01-, list-02-, list-03-, list-04-</,
    )
    t.match(table, /<th scope="row">(?!\s*<details)[^]*list-05-</)
    await database.writer.deleteFrom("sync_state").where("list", "=", names[0] ?? "").execute()
    for (const path of paths) {
      const whole = await section(path)
      t.equal(whole.match(/<tr><th scope="row">/g)?.length, 30)
      t.notMatch(whole, "<details")
    }
    await database.writer.deleteFrom("account").where("username", "=", "crowd").execute()
  })

  await t.test("GET /console/accounts shows of many those without a session, and the names of the others", async (t) => {
    const read = async (path: string) => await (await browse(path)).text()
    t.match(await read("/console/accounts"), /<tr><th scope="row"><a [^>]*>acme-export/)
    const names = Array.from({ length: 31 }, (_, n) => `many-${n}`)
    for (const name of names) await build.account(name)
    await database.writer.updateTable("account").set({ disabled: 1 })
      .where("username", "=", "many-3").execute()
    const folded = await read("/console/accounts")
    const [top = "", ...folds] = folded.split("<details")
    t.match(top, /<caption>30 of \d+ accounts have no session/)
    t.equal(top.match(/<tr><th scope="row">/g)?.length, 30)
    t.notMatch(top, /accounts\/(acme-export|many-3|operator)"/)
    const hidden = { operator: "operator", service: "acme-export", disabled: "many-3" }
    for (const [title, name] of Object.entries(hidden)) {
      const own = folds.find((text) => text.includes(`<summary>${title} <b>`))
      t.match(own, `<li><a href="/console/accounts/${name}">${name}</a></li>`, title)
    }
    const [, all = ""] = /<a href="([^"]+)">All accounts in full/.exec(folded) ?? []
    t.equal((await read(all)).match(/<tr><th scope="row">/g)?.length, names.length + 2)
    await build.account("many-31")
    t.match(await read("/console/accounts"), /<summary>without a session <b>1<\/b>[^]*>many-\d+</)
    await database.writer.deleteFrom("account").where("username", "like", "many-%").execute()
  })

  await t.test("GET /console/:unknown is a page with the request's id, and JSON for programs", async (t) => {
    const there = await browse("/console/accounts/nobody", { headers: { "x-request-id": "r-1" } })
    t.equal(there.status, 404)
    t.match(await there.text(), /There is no account nobody\.[^]*<code data-copy>r-1<\/code>/)
    const headers = { accept: "application/json" }
    const json = await browse("/console/accounts/nobody", { headers })
    t.match(await json.json(), { code: "not_found", status: 404 })
  })

  await t.test("POST /console/log-in logs in, and goes on only to pages of the console", async (t) => {
    const logIn = (next: string) =>
      request(`/console/log-in?next=${encodeURIComponent(next)}`, {
        method: "POST",
        headers: page,
        redirect: "manual",
        body: new URLSearchParams({ username: "operator", password }),
      })
    const own = ["/console", "/console/audit?status=4xx", "/console/events/a%20b"]
    for (const next of own) {
      const response = await logIn(next)
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
      t.equal((await logIn(next)).headers.get("location"), "/console", JSON.stringify(next))
    }
  })

  await t.test("POST /console/log-in shows the form again after a wrong password, and audits it", async (t) => {
    const response = await request("/console/log-in?next=%2Fconsole%2Faudit", {
      method: "POST",
      headers: { ...page, "x-request-id": "wrong-password" },
      body: new URLSearchParams({ username: "operator", password: "wrong" }),
    })
    t.equal(response.status, 401)
    const text = await response.text()
    t.match(text, "The user name or the password is wrong.")
    t.match(text, 'action="/console/log-in?next=%2Fconsole%2Faudit"')
    const form = await (await request("/console/log-in")).text()
    for (const page of [form, text]) t.match(page, 'href="mailto:partners@example.org"')
    t.match(text, /name="username"[^>]*value="operator"/, "the user name is kept")
    t.notMatch(text, /type="password"[^>]*value=/)
    await t.resolves(eventually(async () => {
      const [entry] = await entries("wrong-password")
      return entry?.action === "log-in" && entry.code === "invalid_credentials" &&
        entry.status === 401
    }))
  })

  await t.test("a link from another site opens the page again, because its cookie is not sent", async (t) => {
    const headers = { ...page, "sec-fetch-site": "cross-site" }
    const response = await request("/console/audit?status=4xx", { headers, redirect: "manual" })
    t.equal(response.status, 200)
    t.match(
      await response.text(),
      '<meta http-equiv="refresh" content="0; url=/console/audit?status=4xx">',
    )
    const again = { ...page, "sec-fetch-site": "same-origin" }
    const own = await request("/console/audit", { headers: again, redirect: "manual" })
    t.equal(own.status, 303, "once only")
  })

  await t.test("POST /console/log-out ends the session", async (t) => {
    const other = await browseAs(app, "operator")
    const [, token = ""] = /name="token" value="([\w-]+)"/.exec(
      await (await other("/console/events")).text(),
    ) ?? []
    const body = new URLSearchParams({ token })
    const response = await other("/console/log-out", { method: "POST", body })
    t.equal(response.headers.get("location"), "/console/log-in")
    t.match(response.headers.getSetCookie()[0], /Max-Age=0/)
    t.equal((await other("/console")).status, 303)
  })

  await t.test("forms are refused from other sites, and without the token of the session", async (t) => {
    const path = "/console/accounts/acme-export"
    const text = await (await browse(path)).text()
    const [, token = ""] = /name="token" value="([\w-]+)"/.exec(text) ?? []
    const other = await browseAs(app, "operator")
    const send = (
      fields: Record<string, string>,
      headers: Record<string, string> = {},
      by = browse,
    ) =>
      by(path, {
        method: "POST",
        headers,
        body: new URLSearchParams({ action: "disable", ...fields }),
      })
    const refused = [
      send({}),
      send({ token: "" }),
      send({ token: `${token}x` }),
      send({ token: "é".repeat(token.length) }),
      send({ token }, {}, other),
      send({ token }, { "sec-fetch-site": "cross-site" }),
      send({ token }, { "sec-fetch-site": "same-site" }),
      send({ token }, { "sec-fetch-site": "none" }),
      send({ token }, { origin: "https://example.org" }),
      send({ token }, { origin: "null" }),
    ]
    for (const response of await Promise.all(refused)) {
      t.equal(response.status, 400)
      t.match(await response.text(), "does not come from a page of your session")
    }
    const bearer = await logInForToken(app, "operator")
    for (const fields of [{}, { token }]) {
      const response = await send(fields, { authorization: `Bearer ${bearer}` })
      t.equal(response.status, 400, "a form needs the token of the session that decides")
    }
    t.equal(await isDisabled("acme-export"), false)
    const body = JSON.stringify({ token, action: "disable" })
    const json = await browse(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    })
    t.equal(json.status, 415)
    t.equal(
      (await request("/console/log-in", {
        method: "POST",
        headers: { ...page, "sec-fetch-site": "cross-site" },
        body: new URLSearchParams({ username: "operator", password }),
      })).status,
      400,
      "nobody can be logged in by another site",
    )
  })

  await t.test("POST /console/accounts adds an account, and says why not", async (t) => {
    const added = await submit(browse, "/console/accounts", {
      username: "new-partner",
      role: "partner",
      password: "a long enough secret",
    })
    t.equal(added.status, 303)
    t.equal(added.headers.get("location"), "/console/accounts/new-partner?done=add")
    const wrong = [
      { username: "new-partner", role: "partner", password: "a long enough secret" },
      { username: "Wrong Name", role: "partner", password: "a long enough secret" },
      { username: "other", role: "partner", password: "short" },
      { username: "other", role: "king", password: "a long enough secret" },
    ]
    const reasons = ["already exists", "A user name has at most", "too short", "Choose a role"]
    for (const [index, fields] of wrong.entries()) {
      const response = await submit(browse, "/console/accounts", fields)
      t.equal(response.status, 400)
      t.match(await response.text(), reasons[index])
    }
    await t.resolves(request("/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "new-partner", password: "a long enough secret" }),
    }))
  })

  await t.test("POST /console/accounts/:name grants and withdraws access, with limits", async (t) => {
    const path = "/console/accounts/new-partner"
    const granted = await submit(browse, path, {
      action: "grant",
      organization: "acme",
      until: "2090-12-31",
      from: "192.0.2.0/24, 2001:db8::/32",
    })
    t.equal(granted.headers.get("location"), `${path}?done=grant`)
    const text = await (await browse(`${path}?done=grant`)).text()
    t.match(text, "The grant counts from the next request on.")
    t.match(text, "192.0.2.0/24, 2001:db8::/32")
    t.match(text, 'datetime="2091-01-01T00:00:00Z"', "the end of that day")
    for (
      const [fields, reason] of [
        [{}, "Name an organization or an event."],
        [{ organization: "acme", event }, "Name an organization or an event."],
        [{ organization: "nowhere" }, "There is no organization nowhere."],
        [{ organization: "Zürich" }, "There is no organization Zürich."],
        [{ event: "Zürich" }, "There is no event zürich."],
        [{ organization: "acme", until: "31.12.2090" }, "is not a day"],
        [{ organization: "acme", from: "10.0.0.0/99" }, "10.0.0.0/99"],
        [
          { organization: "acme", from: "192.0.2.0/24 10.0.0.1/8" },
          "10.0.0.1/8 has bits behind its length: write it as 10.0.0.0/8.",
        ],
      ] as const
    ) {
      const response = await submit(browse, path, { action: "grant", ...fields })
      t.equal(response.status, 400)
      t.match(await response.text(), reason)
    }
    const withdrawn = await submit(browse, path, { action: "withdraw", organization: "acme" })
    t.equal(withdrawn.headers.get("location"), `${path}?done=withdraw`)
    t.match(await (await browse(path)).text(), "It may read nothing.")
  })

  await t.test("POST /console/accounts/:name ends sessions, disables, and changes the password", async (t) => {
    const path = "/console/accounts/new-partner"
    await build.account("worker")
    const worker = "/console/accounts/worker"
    const first = await app.logIn("worker")
    const second = await app.logIn("worker")
    const isLive = async (send: Browse) => (await send("/session")).status === 200
    const [session] = await database.writer.selectFrom("session").select("session.id")
      .innerJoin("account", "account.id", "session.account_id")
      .where("username", "=", "worker").execute()
    await submit(browse, worker, { action: "end-session", session: session?.id ?? "" })
    t.strictSame([await isLive(first), await isLive(second)].sort(), [false, true])
    await submit(browse, worker, { action: "end-sessions" })
    t.strictSame([await isLive(first), await isLive(second)], [false, false])
    await submit(browse, worker, { action: "disable" })
    t.equal(await isDisabled("worker"), true)
    await submit(browse, worker, { action: "enable" })
    t.equal(await isDisabled("worker"), false)

    const unsure = await submit(browse, path, {
      action: "password",
      password: "another good secret",
    })
    t.match(await unsure.text(), "Confirm that its sessions end.")
    const sure = { action: "password", password: "another good secret", sure: "yes" }
    t.equal((await submit(browse, path, sure)).status, 303)
    const changed = await request("/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "new-partner", password: "another good secret" }),
    })
    t.equal(changed.status, 204)
    t.match(await (await submit(browse, path, { action: "constructor" })).text(), "no such action")
  })

  await t.test("a change in the console is in the audit log with its operator, address and request", async (t) => {
    const path = "/console/accounts/acme-export"
    const [, token = ""] = /name="token" value="([\w-]+)"/.exec(
      await (await browse(path)).text(),
    ) ?? []
    const response = await browse(path, {
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
    const found = await (await browse("/console/audit?request=audited-change")).text()
    t.match(found, `event ${event}`)
    t.match(found, "1 entries")
  })

  await t.test("an operator cannot disable the account that they use", async (t) => {
    const response = await submit(browse, "/console/accounts/operator", { action: "disable" })
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
      const text = await (await browse(`/console/accounts/acme-export?${query}`)).text()
      t.match(text, `event-export ${command}<`)
      t.match(text, 'class="danger"')
      t.notMatch(text, "New password")
    }
    for (const query of ["confirm=enable", "confirm=constructor", "confirm="]) {
      const text = await (await browse(`/console/accounts/acme-export?${query}`)).text()
      t.match(text, "New password", query)
    }
  })

  await t.test("GET /console/audit filters by everything in the URL, and shows what is wrong", async (t) => {
    const count = async (query: string) => {
      const text = await (await browse(`/console/audit?${query}`)).text()
      return Number(/(\d+) entries/.exec(text)?.[1] ?? 0)
    }
    t.equal(await count("account=acme-export&action=list"), 1)
    t.equal(await count("action=list&status=200"), 1)
    t.equal(await count("action=list&status=4xx"), 0)
    t.equal(await count(`event=${event}&action=list`), 1)
    t.equal(await count(`event=${event.toUpperCase()}&action=list`), 1, "in either case")
    t.equal(await count("action=list&until=2020-01-01"), 0)
    t.equal(await count("action=list&since=2020-01-01"), 1)
    t.ok(await count("actor=operator") > 5)
    for (const query of ["status=40", "since=yesterday", "until=2030-02-31x"]) {
      const response = await browse(`/console/audit?${query}`)
      t.equal(response.status, 400)
      t.match(await response.text(), /is not a (day|status)/)
    }
  })

  await t.test("GET /console/audit shows times in full beside how long ago they were, and filters to leave out", async (t) => {
    const text = await read("/console/audit?account=acme-export&action=list")
    t.match(
      text,
      /<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d<\/time> <span class="quiet"><time datetime=/,
    )
    t.match(text, 'href="/console/audit?action=list"')
    t.match(text, 'href="/console/audit?account=acme-export"')
  })

  await t.test("GET /console/search goes to the only thing that is found, and lists several", async (t) => {
    const found = async (q: string) =>
      (await browse(`/console/search?q=${encodeURIComponent(q)}`)).headers.get("location")
    t.equal(await found("acme-exp"), "/console/partners/acme-export")
    t.equal(await found("ACME-EXPORT"), "/console/partners/acme-export")
    t.equal(await found("operator"), "/console/accounts/operator")
    t.equal(await found(event), `/console/events/${event}`)
    t.equal(await found(event.toUpperCase().slice(0, 13)), `/console/events/${event}`)
    t.equal(await found("gala <b>"), `/console/events/${event}`)
    t.equal(await found(guest), `/console/disclosures?guest=${guest}`)
    t.equal(await found("audited-change"), "/console/audit?request=audited-change")
    const several = await read("/console/search?q=acme")
    t.match(several, /Partner<\/span>[^]*acme-export[^]*Event<\/span>[^]*Gala &lt;b&gt;&amp;/)
    t.match(several, /name="q" value="acme"/)
    for (const q of ["Zürich 数", "' or 1=1 --", "%", "_", "x".repeat(5000)]) {
      t.match(await read(`/console/search?q=${encodeURIComponent(q)}`), "Nothing is found")
    }
    for (const empty of ["%20", "%00", "%E2%80%8B%20"]) {
      t.notMatch(await read(`/console/search?q=${empty}`), /Nothing is found|class="hits"/)
    }
    await build.account("looker", "viewer")
    const look = await browseAs(app, "looker")
    t.match(await (await look(`/console/search?q=${guest}`)).text(), "Nothing is found")
    t.equal((await look("/console/search?q=acme-exp")).status, 303)
  })

  await t.test("GET /console with the tags of its live parts returns those that have changed", async (t) => {
    const tagsOf = (text: string) =>
      [...text.matchAll(/<section id="([\w-]+)" data-live="([\w-]+)"/g)]
        .map(([, id = "", tag = ""]) => ({ id, tag }))
    const parts = tagsOf(await read("/console"))
    t.strictSame(parts.map(({ id }) => id), [
      "trouble",
      "ending",
      "partners",
      "traffic",
      "errors",
      "service",
    ])
    const ask = async (tags: readonly { readonly tag: string }[]) => {
      const headers = { "console-parts": tags.map(({ tag }) => tag).join(" ") }
      return await (await browse("/console", { headers })).text()
    }
    const lasting = parts.filter(({ id }) => id !== "traffic" && id !== "partners")
    const changing = tagsOf(await ask(lasting)).map(({ id }) => id)
    t.strictSame(changing.filter((id) => lasting.some((part) => part.id === id)), [])
    t.ok(changing.includes("partners"))
    const one = await ask(parts.filter(({ id }) => id !== "service"))
    t.match(one, /<section id="service" data-live="/)
    t.notMatch(one, "<title>")
    t.equal((await ask([])).match(/<section/g)?.length, 6)
  })

  await t.test("GET /console/audit links to the entries of an actor and an address, whatever characters they have", async (t) => {
    const [actor, address] = ["R&D + ops #1", "fe80::1%eth0"]
    await recordChange(database, { actor, address, action: "resync", account: null, detail: "x" })
    const text = await (await browse("/console/audit?action=resync")).text()
    const links = [...text.matchAll(/href="\/console\/audit\?(actor|address)=([^"]*)"/g)]
    t.equal(links.length, 2)
    for (const [, name, value] of links) {
      const found = await (await browse(`/console/audit?${name}=${value}&action=resync`)).text()
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
    const text = await eventually(async () => {
      const found = await read(`/console/events/${event}?day=${today}`)
      return /acme-export<\/a>[^]*\/acme\/v1<\/code> guests/.test(found) && found
    })
    t.match(text, `Who read it on ${today}`)
    t.match(text, "<code>/acme/v1/events/:eventId/guests</code>")
    const before = await (await browse(`/console/events/${event}?day=2020-01-01`)).text()
    t.match(before, "Nobody.")
    t.equal((await browse(`/console/events/${crypto.randomUUID()}`)).status, 404)
  })

  await t.test("GET /console/partners/:name says how it is doing, and what it would get", async (t) => {
    const text = await (await browse(`/console/partners/acme-export?event=${event}`)).text()
    t.match(text, /200 <\/span>/)
    t.match(text, "<code>/acme/v1</code>")
    t.equal((await browse("/console/partners/nobody")).status, 404)
    t.equal((await browse("/console/partners/operator")).status, 404, "operators are no partners")
  })

  await t.test("GET /console/disclosures names the recipients of a guest", async (t) => {
    const text = await eventually(async () => {
      const found = await read(`/console/disclosures?guest=${guest}`)
      return /Recipients[^]*acme-export/.test(found) && found
    })
    t.match(text, "firstName")
    const wrong = await browse("/console/disclosures?guest=x")
    t.equal(wrong.status, 400)
    t.match(await wrong.text(), "x is not an id.")
  })

  /** Returns a page. Throws if it is none: waiting for its content would never end. */
  async function read(path: string): Promise<string> {
    const response = await browse(path)
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
    return await response.text()
  }

  async function isDisabled(username: string): Promise<boolean> {
    const { disabled } = await database.writer.selectFrom("account").select("disabled")
      .where("username", "=", username).executeTakeFirstOrThrow()
    return Boolean(disabled)
  }

  async function entries(request_id: string) {
    return await database.writer.selectFrom("audit_log").selectAll()
      .where("request_id", "=", request_id).execute()
  }
})

/** Waits until something that is written in the background is there. */
async function eventually<T>(find: () => Promise<T | false>): Promise<T> {
  for (;;) {
    const found = await find()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
