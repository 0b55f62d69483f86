import t from "tap"
import { version } from "../../../core/kernel/version.ts"
import { onEveryApp } from "../../support/app.ts"
import { password } from "../../support/builder.ts"

const html = { accept: "text/html,*/*;q=0.8" }

/** Returns the text of a response. */
async function textOf(response: Promise<Response>): Promise<string> {
  return await (await response).text()
}

await onEveryApp(t, async (t, { build, request, logIn, isBare }) => {
  const acme = await build.organization("acme")
  const borealis = await build.organization("borealis")
  const older = await build.event(acme, { name: "Gala <b>& more</b>", updated: 1_700_000_000 })
  const newest = await build.event(borealis, { name: "Northern Lights", updated: 1_700_000_100 })
  await build.account("acme-export", "service")
  await build.grant("acme-export", { organization: "acme" })
  await build.account("both")
  for (const slug of ["acme", "borealis"]) await build.grant("both", { organization: slug })
  await build.account("outsider")
  await build.account("op", "operator")
  const as = {
    service: await logIn("acme-export"),
    partner: await logIn("both"),
    outsider: await logIn("outsider"),
    operator: await logIn("op"),
  }
  /** A line of a page that names an event as an example. */
  const example = (family: string, event: string) =>
    new RegExp(`EVENT=[^ ]*/${family}/v1/events/${event}`)

  const filled = ["/docs", "/docs/guide.md", "/docs/feed.sh", "/docs/feed.py"]
  if (!isBare) filled.push("/docs/sync")
  for (const path of filled) {
    await t.test(`GET ${path} names the account, family and newest event of its reader`, async (t) => {
      const response = await as.service(path)
      const text = await response.text()
      t.equal(response.headers.get("cache-control"), "private, no-cache")
      t.equal(response.headers.get("vary"), "Accept, Accept-Encoding, Authorization, Cookie")
      for (const name of ["/acme/v1", older]) t.ok(text.includes(name), name)
      t.equal(text.includes("acme-export"), !path.includes("feed."))
      t.notMatch(
        text.replaceAll(/<opt.*>/g, ""),
        /your-(family\/|event-id|name)|connector-[ab]\/v1/,
      )
      const stranger = await textOf(request(path))
      for (const name of ["/your-family/v1", "your-event-id"]) t.ok(stranger.includes(name), name)
      t.ok(!stranger.includes(older) && !stranger.includes("/acme/v1"))
    })
  }

  await t.test("pages describe feeds, tokens and pings only where there are such", async (t) => {
    const pages = ["start.md", "sync.md", "log-in-and-tokens.md", "endpoints.md"]
    for (const ask of [request, as.partner]) {
      for (const path of [...pages.map((page) => `/docs/${page}`), "/llms.txt"]) {
        const text = await textOf(ask(path))
        t.equal(/(?<!docs)\/changes\b|\/session\/tokens/.test(text), !isBare, path)
        if (isBare) t.notMatch(text, /\bpings?\b|feed\.(sh|py)|\bcursor/i, path)
      }
      t.equal((await ask("/docs/pings")).status, isBare ? 404 : 200)
      t.equal((await textOf(ask("/docs/lists"))).includes("/docs/pings"), !isBare)
    }
    if (isBare) t.notMatch(await textOf(request("/docs/errors.md")), /\bpings?\b/i)
  })

  await t.test("GET /docs/changes has what partners notice of each version, and nothing else", async (t) => {
    const page = await textOf(request("/docs/changes"))
    const [, latest = ""] = /<h3 id="[^"]+">(.+?) <a /.exec(page) ?? []
    t.ok(latest.startsWith(`${version}, `), "they begin with this version")
    t.notMatch(page, /For (operators|authors)|systemd|event-export init|handbook/)
  })

  await t.test("GET /docs offers the events of all families of its reader, and takes one of them", async (t) => {
    const first = await textOf(as.partner("/docs"))
    const choices = [...first.matchAll(/<option value="([^"]*)"\s*(selected)?\s*>/g)]
    t.strictSame(choices.map(([, path, selected]) => [path, selected]), [
      [`/connector-b/v1/events/${newest}`, "selected"],
      [`/connector-b/v1/events/${older}`, undefined],
      [`/connector-a/v1/events/${older}`, undefined],
    ])
    t.match(first, example("connector-b", ""))
    t.match(first, "Gala &lt;b&gt;&amp; more&lt;/b&gt;")
    t.notMatch(first, "<b>")

    const path = choices[2]?.[1] ?? ""
    const second = await textOf(as.partner(`/docs?event=${path}`))
    t.match(second, example("connector-a", older))
    t.match(second, new RegExp(`<option value="${path}"\\s+selected`))
    const sync = await textOf(as.partner(`/docs/sync?event=${path}`))
    const [, download] = /href="(\/docs\/feed\.py[^"]*)"/.exec(sync) ?? []
    t.equal(download === undefined, isBare, "without feeds, there are no programs for them")
    const program = await textOf(as.partner(download ?? `/docs/feed.py?event=${path}`))
    t.ok(program.includes("/connector-a/v1"), "its downloads name the same family")
  })

  await t.test("GET /docs ignores an event that is none of its reader's", async (t) => {
    for (const event of [`/acme/v1/events/${older}`, "x", '"><script>']) {
      const page = await textOf(as.partner(`/docs?event=${encodeURIComponent(event)}`))
      t.match(page, example("connector-b", ""), event)
      t.notMatch(page, "<script>")
    }
  })

  await t.test("GET /docs has placeholders for accounts that may read nothing, for operators, and once a session has ended", async (t) => {
    for (const name of ["outsider", "operator"] as const) {
      const page = await textOf(as[name]("/docs"))
      t.match(page, "/events/your-event-id")
      t.ok(!page.includes(older), name)
    }
    t.match(await textOf(as.outsider("/docs")), "may not read any event yet")
    await build.account("leaving", "partner")
    await build.grant("leaving", { organization: "acme" })
    const leaving = await logIn("leaving")
    t.match(await textOf(leaving("/docs")), 'title="leaving">leaving<')
    t.equal((await leaving("/session", { method: "DELETE" })).status, 204)
    t.match(await textOf(leaving("/docs")), example("your-family", ""))
  })

  await t.test("GET / redirects browsers to the guide, and tells programs where the documents are", async (t) => {
    const browser = await request("/", { headers: html })
    t.strictSame([browser.status, browser.headers.get("location")], [303, "/docs"])
    const slash = await request("/docs/")
    t.strictSame([slash.status, slash.headers.get("location")], [308, "/docs"])
    const program = await request("/", { headers: { accept: "*/*" } })
    t.equal(program.status, 200)
    t.match(await program.json(), { guide: "/docs", openapi: "/openapi.json" })
    for (const { headers } of [browser, program]) {
      t.equal(headers.get("vary"), "Accept")
      t.match(headers.get("link"), '</docs>; rel="service-doc"')
      t.match(headers.get("link"), '</openapi.json>; rel="service-desc"')
    }
  })

  await t.test("the type of a problem leads to its place in the guide", async (t) => {
    const { type } = await (await request("/acme/v1/events")).json()
    const response = await request(type, { headers: html })
    const guide = "/docs/errors#error-unauthenticated"
    t.strictSame([response.status, response.headers.get("location")], [303, guide])
    t.strictSame(await (await request(type)).json(), {
      code: "unauthenticated",
      status: 401,
      title: "Not logged in",
      guide,
    })
    for (const unknown of ["nonsense", "constructor"]) {
      t.equal((await request(`/problems/${unknown}`)).status, 404)
    }
  })

  await t.test("GET /llms.txt and /docs/guide.md are text with absolute links, to pages that are there", async (t) => {
    const types = { "/llms.txt": "text/plain", "/docs/guide.md": "text/markdown" }
    for (const [path, type] of Object.entries(types)) {
      const response = await request(path)
      const text = await response.text()
      t.equal(response.headers.get("content-type"), `${type}; charset=utf-8`)
      t.notMatch(text, "<!--")
      const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link)
      t.ok(links.length >= 10, path)
      t.strictSame(links.filter((link) => !/^(http:\/\/[\w.:]+\/|#)/.test(link)), [])
      const pages = links.flatMap((link) => /\/docs\/[\w-]+\.md$/.exec(link) ?? [])
      // The changes of former versions also link pages of capabilities that are off.
      if (path === "/docs/guide.md") continue
      for (const page of pages) t.match(await textOf(request(page)), /^# /, page)
    }
  })

  await t.test("GET /docs/records has the fields of its reader's families only", async (t) => {
    const stranger = await textOf(request("/docs/records"))
    t.match(stranger, 'id="Guest.externalId"')
    t.match(stranger, '<td data-label="In">full</td>')
    t.notMatch(stranger, "/acme/v1")
    const lean = await textOf(as.partner("/docs/records"))
    t.match(lean, 'id="Guest.email"')
    t.notMatch(lean, /id="Guest\.(externalId|smsOptIn|companyName)"|acme|"In">full</)
    t.match(await textOf(as.service("/docs/records")), 'id="Guest.externalId"')
  })

  await t.test("GET /docs/search answers with a page, and to scripts with JSON", async (t) => {
    const page = await textOf(request("/docs/search?q=externalId", { headers: html }))
    t.match(page, /<h2>Records<\/h2>\s*<ul class="hits">/)
    t.match(page, /href="\/docs\/records#Guest.externalId"><mark>externalId<\/mark>/)
    t.match(page, 'value="externalId"')
    const found = await (await request("/docs/search?q=externalId")).json()
    t.match(found.hits[0], { path: /^\/docs\/records#/, name: "externalId" })
    const lean = await (await as.partner("/docs/search?q=externalId")).json()
    t.notOk(lean.hits.some(({ path }: { path: string }) => path.includes("externalId")))
    const attack = request("/docs/search?q=%22%3E%3Cscript%3E", { headers: html })
    t.notMatch(await textOf(attack), "<script>")
  })

  const form = (fields: Record<string, string>, headers: Record<string, string> = {}) => ({
    method: "POST",
    headers: { ...html, ...headers, "content-type": "application/x-www-form-urlencoded" },
    body: String(new URLSearchParams(fields)),
  })
  const credentials = { username: "both", password }

  await t.test("a choice of an event holds for all pages, until another is chosen", async (t) => {
    const path = `/connector-a/v1/events/${older}`
    const response = await as.partner(`/docs?event=${path}`)
    await response.text()
    const cookie = response.headers.get("set-cookie") ?? ""
    t.match(cookie, /^event_export_example=[^;]+; Path=\/docs; SameSite=Strict; HttpOnly/)
    const session = pairIn(await request("/docs/log-in", form(credentials)))
    const digests = (cookie: string) => textOf(request("/docs/digests", { headers: { cookie } }))
    t.notOk((await digests(session)).includes(path))
    t.ok((await digests(`${session}; ${pairIn(response)}`)).includes(path))
    const forged = await as.partner(`/docs?event=${encodeURIComponent("a; Path=/")}`)
    t.equal(forged.headers.get("set-cookie"), null)
  })

  await t.test("GET /docs/reference is for callers with a session", async (t) => {
    const browser = await request("/docs/reference", { headers: html })
    const place = "/docs/log-in?next=%2Fdocs%2Freference"
    t.strictSame([browser.status, browser.headers.get("location")], [303, place])
    t.match(await (await request("/docs/reference")).json(), { code: "unauthenticated" })
    t.equal((await as.partner("/docs/reference", { headers: html })).status, 200)
  })

  await t.test("people log in and out at /docs, without scripts", async (t) => {
    const wrong = await request("/docs/log-in", form({ ...credentials, password: "no" }))
    t.equal(wrong.status, 401)
    t.match(await wrong.text(), "The user name or the password is wrong.")
    const right = await request("/docs/log-in?next=%2Fdocs%2Fsync", form(credentials))
    t.strictSame([right.status, right.headers.get("location")], [303, "/docs/sync"])
    const cookie = pairIn(right)
    const page = await textOf(request("/docs/sync", { headers: { cookie } }))
    t.match(page, 'title="both">both<')
    const [, token = ""] = /name="token" value="([^"]+)"/.exec(page) ?? []
    const left = await request("/docs/log-out", form({ token }, { cookie }))
    t.strictSame([left.status, left.headers.get("location")], [303, "/docs"])
    t.equal(left.headers.get("clear-site-data"), '"cache"')
    t.notMatch(await textOf(request("/docs/sync", { headers: { cookie } })), 'title="both"')

    const origin = new URL((await request("/docs")).url || "http://localhost").origin
    // After a form whose session has ended, the page of the form comes again: its own path is none of a page.
    for (
      const [referer, next] of [
        [`${origin}/docs/log-in-and-tokens?event=x`, "/docs/log-in-and-tokens?event=x"],
        ["https://evil.example/docs/sync", "/docs"],
        [`${origin}/console`, "/docs"],
        ["", "/docs"],
      ]
    ) {
      const late = await request(
        "/docs/log-out",
        form({ token }, { cookie, ...referer && { referer } }),
      )
      t.equal(late.status, 303)
      const again = await request(late.headers.get("location") ?? "", form(credentials))
      t.equal(again.headers.get("location"), next)
    }
  })
})

/** Returns the cookie that a response sets, as a client sends it. */
function pairIn({ headers }: Response): string {
  return (headers.get("set-cookie") ?? "").split(";")[0] ?? ""
}
