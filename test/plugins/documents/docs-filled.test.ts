import { readFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { problems } from "../../../core/http/problems.ts"
import { onEveryApp } from "../../support/app.ts"
import { password } from "../../support/builder.ts"

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
  const lines = ["/docs", "/docs/guide.md", "/docs/feed.sh", "/docs/feed.py"]
  if (!isBare) lines.push("/docs/sync")

  for (const path of lines) {
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

      const stranger = await (await request(path)).text()
      for (const name of ["/your-family/v1", "your-event-id"]) t.ok(stranger.includes(name), name)
      t.ok(!stranger.includes(older) && !stranger.includes("/acme/v1"))
    })
  }

  await t.test("GET /docs/sync tells limits of transactions where Next-Since lags for their sake", async (t) => {
    const list = await as.service(`/acme/v1/events/${older}/guests`)
    const lag = Date.now() / 1000 - Number(list.headers.get("next-since"))
    const page = await (await as.service("/docs/sync")).text()
    t.equal(
      page.includes("no transaction may take longer than 30 seconds"),
      lag > 20,
      `${lag} seconds`,
    )
  })

  await t.test("pages describe feeds, tokens and pings only where there are such", async (t) => {
    const pages = [request, as.partner].flatMap((ask) =>
      [
        "/docs/start.md",
        "/docs/sync.md",
        "/docs/log-in-and-tokens.md",
        "/docs/endpoints.md",
        "/llms.txt",
      ]
        .map(async (path) => [path, await (await ask(path)).text()] as const)
    )
    for (const [path, text] of await Promise.all(pages)) {
      const told = /(?<!docs)\/changes\b|\/session\/tokens/.test(text)
      t.equal(told, !isBare, path)
      if (isBare) t.notMatch(text, /\bpings?\b|feed\.(sh|py)|\bcursor/i, path)
    }
    if (isBare) t.notMatch(await (await request("/docs/errors.md")).text(), /\bpings?\b/i)
    for (const ask of [request, as.partner]) {
      t.equal((await ask("/docs/pings")).status, isBare ? 404 : 200)
      t.equal((await (await ask("/docs/lists")).text()).includes("/docs/pings"), !isBare)
    }
  })

  await t.test("GET /docs/changes has what partners notice of each version, and nothing else", async (t) => {
    const file = readFileSync("plugins/documents/docs/CHANGELOG.md", "utf8")
    const page = await (await request("/docs/changes")).text()
    const [, ...versions] = file.split(/^## /m)
    t.ok(versions.length > 1)
    const titles = versions.map((version) => version.slice(0, version.indexOf("\n")))
    t.strictSame([...page.matchAll(/<h3 id="[^"]+">(.+?) <a /g)].map(([, title]) => title), titles)
    t.notMatch(page, "<h4", "parts have no titles: there is only one")
    t.notMatch(page, /For (operators|authors)|systemd|event-export init|handbook/)
    t.match(page, "Nothing that you have built changes")
    t.match(page, "<strong>Tokens.</strong>")
  })

  await t.test("the changes begin with the version of this package", (t) => {
    const numbers = [
      ...readFileSync("plugins/documents/docs/CHANGELOG.md", "utf8").matchAll(/^## (\S+), /gm),
    ]
      .map(([, number = ""]) => number)
    t.equal(numbers[0], JSON.parse(readFileSync("package.json", "utf8")).version)
    const collator = new Intl.Collator("en", { numeric: true })
    t.strictSame(numbers, numbers.toSorted(collator.compare).reverse(), "newest first")
    t.end()
  })

  await t.test("GET /docs offers the events of all families of its reader, and takes one of them", async (t) => {
    const first = await (await as.partner("/docs")).text()
    const choices = [...first.matchAll(/<option value="([^"]*)"\s*(selected)?\s*>/g)]
    t.strictSame(choices.map(([, path]) => path), [
      `/connector-b/v1/events/${newest}`,
      `/connector-b/v1/events/${older}`,
      `/connector-a/v1/events/${older}`,
    ])
    t.strictSame(choices.map(([, , selected]) => selected !== undefined), [true, false, false])
    t.match(first, /EVENT=[^ ]*\/connector-b\/v1\/events\//)
    t.match(first, "Gala &lt;b&gt;&amp; more&lt;/b&gt;")
    t.notMatch(first, "<b>")

    const path = choices[2]?.[1] ?? ""
    const second = await (await as.partner(`/docs?event=${path}`)).text()
    const sync = await (await as.partner(`/docs/sync?event=${path}`)).text()
    t.match(second, new RegExp(`EVENT=[^ ]*/connector-a/v1/events/${older}`))
    t.match(second, new RegExp(`<option value="${path}"\\s+selected`))
    const [, download] = /href="(\/docs\/feed\.py[^"]*)"/.exec(sync) ?? []
    t.equal(download === undefined, isBare, "without feeds, there are no programs for them")
    const program = await (await as.partner(download ?? `/docs/feed.py?event=${path}`)).text()
    t.ok(program.includes("/connector-a/v1"), "its downloads name the same family")
  })

  await t.test("GET /docs names the family that its reader polled last", {
    skip: isBare && "nothing records polls",
  }, async (t) => {
    await build.account("b-partner")
    await build.grant("b-partner", { organization: "acme" })
    const ask = await logIn("b-partner")
    t.match(await (await ask("/docs")).text(), /EVENT=[^ ]*\/connector-b\/v1\/events\//)
    const response = await ask(`/connector-a/v1/events/${older}/guests`)
    t.equal(response.status, 200)
    await response.text()
    const page = await until(async () => {
      const page = await (await ask("/docs")).text()
      return /EVENT=[^ ]*\/connector-a\/v1\/events\//.test(page) ? page : undefined
    })
    t.match(page, new RegExp(`<option value="/connector-a/v1/events/${older}"\\s+selected`))
    t.match(page, new RegExp(`<option value="/connector-b/v1/events/${older}"\\s*>`))
  })

  await t.test("GET /docs ignores an event that is none of its reader's", async (t) => {
    for (const event of [`/acme/v1/events/${older}`, "x", '"><script>']) {
      const page = await (await as.partner(`/docs?event=${encodeURIComponent(event)}`)).text()
      t.match(page, /EVENT=[^ ]*\/connector-b\/v1\/events\//, event)
      t.notMatch(page, "<script>")
    }
  })

  await t.test("GET /docs has placeholders for accounts that may read nothing, and for operators", async (t) => {
    for (const name of ["outsider", "operator"] as const) {
      const page = await (await as[name]("/docs")).text()
      t.match(page, "/events/your-event-id")
      t.ok(!page.includes(older), name)
    }
    t.match(await (await as.outsider("/docs")).text(), "may not read any event yet")
  })

  await t.test("GET /docs is a stranger's page once the session has ended", async (t) => {
    await build.account("leaving", "partner")
    await build.grant("leaving", { organization: "acme" })
    const leaving = await logIn("leaving")
    t.match(await (await leaving("/docs")).text(), 'title="leaving">leaving<')
    t.equal((await leaving("/session", { method: "DELETE" })).status, 204)
    t.match(await (await leaving("/docs")).text(), /EVENT=[^ ]*\/your-family\/v1\//)
  })

  await t.test("GET / redirects browsers to the guide, and tells programs where the documents are", async (t) => {
    const browser = await request("/", { headers: { accept: "text/html,*/*;q=0.8" } })
    t.strictSame([browser.status, browser.headers.get("location")], [303, "/docs"])
    const program = await request("/", { headers: { accept: "*/*" } })
    t.equal(program.status, 200)
    t.match(await program.json(), { guide: "/docs", openapi: "/openapi.json" })
    for (const response of [browser, program]) {
      t.equal(response.headers.get("vary"), "Accept")
      t.match(response.headers.get("link"), '</docs>; rel="service-doc"')
      t.match(response.headers.get("link"), '</openapi.json>; rel="service-desc"')
    }
  })

  await t.test("the type of a problem leads to its place in the guide", async (t) => {
    const { type } = await (await request("/acme/v1/events")).json()
    const response = await request(type, { headers: { accept: "text/html" } })
    t.equal(response.status, 303)
    t.equal(response.headers.get("location"), "/docs/errors#error-unauthenticated")
    t.strictSame(await (await request(type)).json(), {
      code: "unauthenticated",
      status: 401,
      title: "Not logged in",
      guide: "/docs/errors#error-unauthenticated",
    })
    const page = await (await request("/docs/errors")).text()
    for (const code of Object.keys(problems)) t.match(page, `id="error-${code}"`)
    for (const unknown of ["nonsense", "constructor"]) {
      t.equal((await request(`/problems/${unknown}`)).status, 404)
    }
  })

  await t.test("GET /llms.txt, /docs/guide.md and /docs/NAME.md are text with absolute links", async (t) => {
    for (
      const [path, type, least] of [
        ["/llms.txt", "text/plain", 10],
        ["/docs/guide.md", "text/markdown", 30],
        ["/docs/start.md", "text/markdown", 5],
        ["/docs/records.md", "text/markdown", 3],
      ] as const
    ) {
      const response = await request(path)
      const text = await response.text()
      t.equal(response.headers.get("content-type"), `${type}; charset=utf-8`)
      t.notMatch(text, "<!--")
      const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link)
      t.ok(links.length >= least, `${path}: ${links.length}`)
      t.strictSame(links.filter((link) => !/^(http:\/\/[\w.:]+\/|#)/.test(link)), [])
    }
  })

  await t.test("GET /llms.txt links every page as Markdown, and each is there", async (t) => {
    const text = await (await request("/llms.txt")).text()
    const pages = [...text.matchAll(/\((\S+?(\/docs\/[\w-]+\.md))\)/g)].map(([, , path = ""]) =>
      path
    )
    t.ok(pages.length >= 13, pages.join())
    for (const path of pages) {
      const response = await request(path)
      t.match([response.status, await response.text()], [200, /^# /], path)
    }
  })

  await t.test("GET /docs/records has the fields of its reader's families only", async (t) => {
    const stranger = await (await request("/docs/records")).text()
    t.match(stranger, 'id="Guest.externalId"')
    t.match(stranger, '<td data-label="In">full</td>')
    t.notMatch(stranger, "/acme/v1")
    const lean = await (await as.partner("/docs/records")).text()
    t.match(lean, 'id="Guest.email"')
    t.notMatch(lean, /id="Guest\.(externalId|smsOptIn|companyName)"|acme|"In">full</)
    const own = await (await as.service("/docs/records")).text()
    t.match(own, 'id="Guest.externalId"')
  })

  await t.test("GET /docs/search answers with a page, and to scripts with JSON", async (t) => {
    const page = await (await request("/docs/search?q=externalId", {
      headers: { accept: "text/html" },
    })).text()
    t.match(page, 'href="/docs/records#Guest.externalId"')
    t.match(page, 'value="externalId"')
    const found = await (await request("/docs/search?q=externalId")).json()
    t.match(found.hits[0], { path: /^\/docs\/records#/, name: "externalId" })
    const lean = await (await as.partner("/docs/search?q=externalId")).json()
    t.notOk(lean.hits.some(({ path }: { path: string }) => path.includes("externalId")))
    const attack = await (await request("/docs/search?q=%22%3E%3Cscript%3E", {
      headers: { accept: "text/html" },
    })).text()
    t.notMatch(attack, "<script>")
  })

  await t.test("a choice of an event holds for all pages, until another is chosen", async (t) => {
    const path = `/connector-a/v1/events/${older}`
    const response = await as.partner(`/docs?event=${path}`)
    await response.text()
    const cookie = response.headers.get("set-cookie") ?? ""
    t.match(cookie, /^event_export_example=[^;]+; Path=\/docs; SameSite=Strict; HttpOnly/)
    const [remembered = ""] = cookie.split(";")
    const log = await request("/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "both", password }),
    })
    const [session] = (log.headers.get("set-cookie") ?? "").split(";")
    const digests = async (cookie: string) =>
      await (await request("/docs/digests", { headers: { cookie } })).text()
    t.notOk((await digests(`${session}`)).includes(path))
    t.ok((await digests(`${session}; ${remembered}`)).includes(path))
    const forged = await as.partner(`/docs?event=${encodeURIComponent("a; Path=/")}`)
    t.equal(forged.headers.get("set-cookie"), null)
  })

  await t.test("GET /docs/ leads to /docs", async (t) => {
    const response = await request("/docs/")
    t.strictSame([response.status, response.headers.get("location")], [308, "/docs"])
  })

  await t.test("people log in and out at /docs, without scripts", async (t) => {
    const html = { accept: "text/html" }
    const wanted = await request("/docs/reference", { headers: html })
    t.strictSame([wanted.status, wanted.headers.get("location")], [
      303,
      "/docs/log-in?next=%2Fdocs%2Freference",
    ])
    const form = (fields: Record<string, string>) => ({
      method: "POST",
      headers: { ...html, "content-type": "application/x-www-form-urlencoded" },
      body: String(new URLSearchParams(fields)),
    })
    const wrong = await request("/docs/log-in", form({ username: "both", password: "no" }))
    t.equal(wrong.status, 401)
    t.match(await wrong.text(), "The user name or the password is wrong.")
    const right = await request(
      "/docs/log-in?next=%2Fdocs%2Fsync",
      form({ username: "both", password }),
    )
    t.strictSame([right.status, right.headers.get("location")], [303, "/docs/sync"])
    const [cookie = ""] = (right.headers.get("set-cookie") ?? "").split(";")
    const page = await (await request("/docs/sync", { headers: { cookie } })).text()
    t.match(page, 'title="both">both<')
    const [, token = ""] = /name="token" value="([^"]+)"/.exec(page) ?? []
    const out = form({ token })
    const left = await request("/docs/log-out", { ...out, headers: { ...out.headers, cookie } })
    t.strictSame([left.status, left.headers.get("location")], [303, "/docs"])
    t.equal(left.headers.get("clear-site-data"), '"cache"')
    t.notMatch(await (await request("/docs/sync", { headers: { cookie } })).text(), "both")
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
      const headers = { ...out.headers, cookie, ...referer && { referer } }
      const late = await request("/docs/log-out", { ...out, headers })
      t.equal(late.status, 303)
      const again = form({ username: "both", password })
      const place = late.headers.get("location") ?? ""
      t.equal((await request(place, again)).headers.get("location"), next)
    }
  })
})

/** Repeats a look until it finds something: polls are written down in the background. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await setTimeout(20)
  }
}
