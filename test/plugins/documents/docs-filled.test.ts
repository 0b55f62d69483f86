import { readFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { problems } from "../../../core/http/problems.ts"
import { onEveryApp } from "../../support/app.ts"

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
  const lines = ["/docs", "/docs/sync", "/docs/guide.md", "/docs/feed.sh", "/docs/feed.py"]

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
    const choices = [...first.matchAll(/<option value="([^"]*)"( selected)?>/g)]
    t.strictSame(choices.map(([, path]) => path), [
      `/connector-b/v1/events/${newest}`,
      `/connector-b/v1/events/${older}`,
      `/connector-a/v1/events/${older}`,
    ])
    t.strictSame(choices.map(([, , selected]) => selected !== undefined), [true, false, false])
    t.match(first, "FAMILY=/connector-b/v1 ")
    t.match(first, "Gala &lt;b&gt;&amp; more&lt;/b&gt;")
    t.notMatch(first, "<b>")

    const path = choices[2]?.[1] ?? ""
    const second = await (await as.partner(`/docs?event=${path}`)).text()
    t.match(second, `FAMILY=/connector-a/v1 EVENT=${older}`)
    t.match(second, `<option value="${path}" selected>`)
    const [, download = ""] = /href="(\/docs\/feed\.py[^"]*)"/.exec(second) ?? []
    const program = await (await as.partner(download)).text()
    t.ok(program.includes("/connector-a/v1"), "its downloads name the same family")
  })

  await t.test("GET /docs names the family that its reader polled last", {
    skip: isBare && "nothing records polls",
  }, async (t) => {
    await build.account("b-partner")
    await build.grant("b-partner", { organization: "acme" })
    const ask = await logIn("b-partner")
    t.match(await (await ask("/docs")).text(), "FAMILY=/connector-b/v1 ")
    const response = await ask(`/connector-a/v1/events/${older}/guests`)
    t.equal(response.status, 200)
    await response.text()
    const page = await until(async () => {
      const page = await (await ask("/docs")).text()
      return page.includes("FAMILY=/connector-a/v1 ") ? page : undefined
    })
    t.match(page, `<option value="/connector-a/v1/events/${older}" selected>`)
    t.match(page, `<option value="/connector-b/v1/events/${older}">`)
  })

  await t.test("GET /docs ignores an event that is none of its reader's", async (t) => {
    for (const event of [`/acme/v1/events/${older}`, "x", '"><script>']) {
      const page = await (await as.partner(`/docs?event=${encodeURIComponent(event)}`)).text()
      t.match(page, "FAMILY=/connector-b/v1 ", event)
      t.notMatch(page, "<script>")
    }
  })

  await t.test("GET /docs has placeholders for accounts that may read nothing, and for operators", async (t) => {
    for (const name of ["outsider", "operator"] as const) {
      const page = await (await as[name]("/docs")).text()
      t.match(page, "EVENT=your-event-id")
      t.ok(!page.includes(older), name)
    }
    t.match(await (await as.outsider("/docs")).text(), "may read no event yet")
  })

  await t.test("GET /docs is a stranger's page once the session has ended", async (t) => {
    await build.account("leaving", "partner")
    await build.grant("leaving", { organization: "acme" })
    const leaving = await logIn("leaving")
    t.match(await (await leaving("/docs")).text(), '<span id="who" role="status">leaving</span>')
    t.equal((await leaving("/session", { method: "DELETE" })).status, 204)
    t.match(await (await leaving("/docs")).text(), "FAMILY=/your-family/v1")
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
    t.equal(response.headers.get("location"), "/docs#error-unauthenticated")
    t.strictSame(await (await request(type)).json(), {
      code: "unauthenticated",
      status: 401,
      title: "Not logged in",
      guide: "/docs#error-unauthenticated",
    })
    const page = await (await request("/docs")).text()
    for (const code of Object.keys(problems)) t.match(page, ` id="error-${code}"`)
    for (const unknown of ["nonsense", "constructor"]) {
      t.equal((await request(`/problems/${unknown}`)).status, 404)
    }
  })

  await t.test("GET /llms.txt and GET /docs/guide.md are text with absolute links", async (t) => {
    for (const [path, type] of [["/llms.txt", "text/plain"], ["/docs/guide.md", "text/markdown"]]) {
      const response = await request(path ?? "")
      const text = await response.text()
      t.equal(response.headers.get("content-type"), `${type}; charset=utf-8`)
      t.notMatch(text, "<!--")
      const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link)
      t.ok(links.length > 5)
      t.strictSame(links.filter((link) => !/^(http:\/\/[\w.:]+\/|#)/.test(link)), [])
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
