import { gunzipSync } from "node:zlib"
import t from "tap"
import { problems } from "../../../core/http/problems.ts"
import { groups } from "../../../plugins/documents/docs/pages.ts"
import { onEveryApp } from "../../support/app.ts"

const files = [
  "design.css",
  "theme.js",
  "page.js",
  "docs.js",
  "reference.js",
  "cycle.svg",
  "icon.svg",
]
const paths = groups.flatMap(({ entries }) => entries).filter(({ file }) => file)
  .map(({ path }) => path)
const programs = ["feed.sh", "feed.py"]

await onEveryApp(
  t,
  async (t, app) => {
    await t.test("GET /docs returns the guide to anyone, without inline code and other hosts", async (t) => {
      const response = await app.request("/docs")
      const page = await response.text()
      t.equal(response.status, 200)
      t.equal(response.headers.get("content-type"), "text/html; charset=utf-8")
      t.equal(
        response.headers.get("content-security-policy"),
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
          "img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
      )
      t.notMatch(page, /<style|<script(?![^>]* src="\/docs\/files\/)|\sstyle=|\son\w+=/)
      const links = [...page.matchAll(/\s(?:src|href|action)="([^"]*)"/g)].map(([, link]) => link)
      t.strictSame(
        links.filter((link) => !/^(\/docs|\/openapi\.json|#|mailto:)/.test(link ?? "")),
        [],
      )
      t.match(page, /http:\/\/[\w.:]+\/your-family\/v1/, "the examples name the address")
    })

    await t.test("each page has a target for each of its links, and no placeholder left", async (t) => {
      for (const path of paths) {
        const page = await (await app.request(path)).text()
        const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
        t.equal(new Set(ids).size, ids.length, `${path}: no id occurs twice`)
        for (const [, id = ""] of page.matchAll(/href="#([^"]+)"/g)) t.ok(ids.includes(id), id)
        t.notMatch(page, / id="[^"]*\s/, "an id has no spaces")
        t.notMatch(page, /<!-- |\{\w+\}"/, path)
        t.match(page, /aria-current="page"/, path)
        for (const [, code = ""] of page.matchAll(/<pre [^>]*><code>(.*?)<\/code>/gs)) {
          t.notMatch(
            code.replaceAll(/<span class="hljs-[\w -]+">|<\/span>/g, ""),
            /[<>]|&(?!\w+;|#\w+;)/,
          )
        }
      }
    })

    await t.test("GET /docs/errors has all errors in its table", async (t) => {
      const page = await (await app.request("/docs/errors")).text()
      for (const [code, { status }] of Object.entries(problems)) {
        const row = new RegExp(
          `<tr\\s+id="error-${code}"\\s*><th scope="row">${status}</th><td[^>]*><code>${code}</code>`,
        )
        t.match(page, row)
      }
    })

    await t.test("GET /docs/reference permits inline styles, but no inline scripts", async (t) => {
      await app.build.account("reader")
      const ask = await app.logIn("reader")
      const response = await ask("/docs/reference")
      t.equal(response.status, 200)
      const policy = response.headers.get("content-security-policy")
      t.match(policy, "script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'")
      t.match(await response.text(), /aria-current="page"\s*>Try requests/)
    })

    await t.test("GET /docs/files/:file returns each file of the pages", async (t) => {
      for (const file of files) {
        const response = await app.request(`/docs/files/${file}`)
        t.equal(response.status, 200, file)
        t.equal(response.headers.get("cache-control"), "no-cache")
        t.ok((await response.text()).length > 100, file)
      }
    })

    await t.test("GET /docs/:page returns pages and programs, which no cache keeps for others", async (t) => {
      for (const file of [...programs, "guide.md", "sync.md", "changes"]) {
        const response = await app.request(`/docs/${file}`)
        t.equal(response.status, 200, file)
        t.equal(response.headers.get("cache-control"), "private, no-cache")
        t.ok((await response.text()).length > 500, file)
      }
      const response = await app.request("/docs/nothing", { headers: { accept: "text/html" } })
      t.equal(response.status, 404)
      t.match(await response.text(), "There is no such page")
    })

    await t.test("GET /docs/:file returns 404 for what is no file of the pages", async (t) => {
      const outside = ["plugin.ts", "%2e%2e%2fplugin.ts", "..%2f..%2fpackage.json"]
      for (const file of [...outside, "constructor", "files/plugin.ts", "start"]) {
        const response = await app.request(`/docs/${file}`)
        t.match([response.status, await response.json()], [404, { code: "not_found" }], file)
      }
    })

    await t.test("GET /docs/:file returns 304 for the tag of the same encoding", async (t) => {
      for (const encoding of ["gzip, br", "identity"]) {
        const headers = { "accept-encoding": encoding }
        const first = await app.request("/docs", { headers })
        const etag = first.headers.get("etag") ?? ""
        t.equal(first.headers.get("content-encoding"), encoding === "identity" ? null : "gzip")
        t.match(await textOf(first), "<h1>Start</h1>")
        const again = await app.request("/docs", { headers: { ...headers, "if-none-match": etag } })
        t.equal(again.status, 304)
        t.equal(again.headers.get("etag"), etag)
        t.equal(await again.text(), "")
        const other = await app.request("/docs/files/design.css", {
          headers: { ...headers, "if-none-match": etag },
        })
        t.equal(other.status, 200)
        await other.text()
      }
    })

    await t.test("each page of the guide leads to the next", async (t) => {
      const visited: string[] = []
      for (let path: string | undefined = "/docs"; path;) {
        visited.push(path)
        const page = await (await app.request(path)).text()
        path = /class="next">Next: <a href="([^"]+)"/.exec(page)?.[1]
      }
      t.strictSame(visited, paths)
    })

    await t.test("GET /docs/viewer.js needs a session, and its script builds no code from text", async (t) => {
      const refused = await app.request("/docs/viewer.js")
      t.equal(refused.status, 401)
      await refused.text()
      await app.build.account("ann")
      const ask = await app.logIn("ann")
      const headers = { "accept-encoding": "gzip" }
      const response = await ask("/docs/viewer.js", { headers })
      const script = await textOf(response)
      t.equal(response.headers.get("content-type"), "text/javascript; charset=utf-8")
      t.equal(response.headers.get("content-encoding"), "gzip")
      t.equal(response.headers.get("cache-control"), "private, no-cache")
      t.equal(response.headers.get("vary"), "Accept, Accept-Encoding, Authorization, Cookie")
      t.match(script, "createApiReference")
      t.notMatch(script, /\beval\(|new Function\(/)
      const etag = response.headers.get("etag") ?? ""
      const again = await ask("/docs/viewer.js", {
        headers: { ...headers, "if-none-match": etag },
      })
      t.equal(again.status, 304)
    })
  },
  undefined,
  { needsCapabilities: true },
)

/** Returns the text of a response, which a client may have decompressed already. */
async function textOf(response: Response): Promise<string> {
  const bytes = await response.bytes()
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b
  return new TextDecoder().decode(isCompressed ? gunzipSync(bytes) : bytes)
}
