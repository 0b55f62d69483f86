import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import t from "tap"
import packageFile from "../../../../package.json" with { type: "json" }
import type { Catalogue, HandlerContext, HostPart } from "../../../../core/routes/contract.ts"
import pull from "../../../../plugins/documents/pull/plugin.ts"
import type * as types from "../../../../plugins/documents/pull/pull.d.mts"
import * as pullModule from "../../../../plugins/documents/pull/pull.ts"
import { bundle } from "../../../../plugins/documents/pull/bundle.ts"
import { stripTypes } from "../../../../plugins/documents/pull/strip-types.ts"
import { freshApp, testConfig } from "../../../support/app.ts"

t.test("GET /docs/pull.mjs returns the program with the URL that was asked, as JavaScript", async (t) => {
  const app = await freshApp(t, "sqlite")
  const response = await app.request("/docs/pull.mjs")
  t.equal(response.status, 200)
  t.equal(response.headers.get("content-type"), "text/javascript; charset=utf-8")
  t.match(response.headers.get("vary"), /Cookie/)
  const text = await response.text()
  t.match(
    text,
    /^const defaults = \{ base: "http:\/\/localhost", user: "", families: \[\], cookie: "event_export_session", version: "\d/m,
  )
  t.match(text, /^export async function\* sync\(options\) \{$/m)
  const etag = response.headers.get("etag") ?? ""
  const again = await app.request("/docs/pull.mjs", { headers: { "if-none-match": etag } })
  t.equal(again.status, 304)
})

t.test("GET /docs/pull.d.mts returns the types of the program", async (t) => {
  const app = await freshApp(t, "sqlite")
  const response = await app.request("/docs/pull.d.mts")
  t.equal(response.status, 200)
  t.equal(await response.text(), readFileSync("plugins/documents/pull/pull.d.mts", "utf8"))
})

t.test("pull.d.mts declares what pull.ts exports", (t) => {
  // The compiler compares the types.
  const exported: typeof types = pullModule
  t.strictSame(Object.keys(exported).sort(), ["PullError", "main", "sync"])
  t.end()
})

t.test("GET /docs/pull.mjs names the caller and their families with lists of events, in the order of the catalogue", async (t) => {
  const { routes } = await testConfig("sqlite:unused")
  const families = ["/connector-b/v1", "/acme/v1", "/connector-a/v1", "/without-events/v1"]
  const { routes: [route] } = [pull.mount({})].flat()[0] ?? { routes: [] }
  if (route?.kind !== "handler") throw new TypeError("the plugin has no handler")
  const response = await route.handle({
    request: new Request("https://export.example/docs/pull.mjs"),
    params: {},
    session: { account: { username: 'a"$&b' } },
    host: {
      catalogue: () => Promise.resolve({ routes, families, cookie: "own" } as unknown as Catalogue),
    },
  } as unknown as HandlerContext<HostPart>)
  const line = /^const defaults = (.*)$/m.exec(await response.text())?.[1] ?? ""
  t.strictSame(new Function(`return ${line}`)(), {
    base: "https://export.example",
    user: 'a"$&b',
    families: families.slice(0, 3),
    cookie: "own",
    version: packageFile.version,
  })
})

t.test("the download has each file of the client, after those that it imports, and is the same each time", async (t) => {
  const entry = pathToFileURL("plugins/documents/pull/pull.ts")
  const text = bundle(entry)
  t.equal(bundle(entry), text)
  const files = [...globSync("plugins/documents/pull/client/*.ts"), "core/records/bytes/csv.ts"]
  const codeOf = (file: string) => {
    const code = readFileSync(file, "utf8").replaceAll(/^import [^;]*? from ".*"\n/gm, "")
    return stripTypes(code).replaceAll(/^export /gm, "").trim()
  }
  const all = text.replaceAll(/^export /gm, "")
  t.strictSame(files.filter((file) => !all.includes(codeOf(file))), [])
  const places = new Map(
    files.map((file) => [pathToFileURL(file).href, all.indexOf(codeOf(file))]),
  )
  for (const file of files) {
    const url = pathToFileURL(file)
    const imports = readFileSync(file, "utf8").matchAll(
      /^import (?!type )[^;]*? from "(\..*\.ts)"$/gm,
    )
    for (const [, target = ""] of imports) {
      const before = places.get(new URL(target, url).href)
      t.ok(Number(before) < Number(places.get(url.href)), `${file} after ${target}`)
    }
  }
  const program = join(t.testdir(), "pull.mjs")
  writeFileSync(program, text)
  t.strictSame(Object.keys(await import(program)), ["PullError", "main", "sync"])
})

t.test("stripTypes leaves neither gaps nor comments about types", (t) => {
  const text = `import { a, type B } from "x"
/** About a type. */
interface C {
  readonly d: number
}

/** About a function. */
export function e<T>(f: T, g?: (h: string) => void): Map<string, T> {
  const text = "two  spaces" as string
  return f   as never // end
}
`
  t.equal(
    stripTypes(text),
    `import { a, } from "x"

/** About a function. */
export function e(f, g) {
  const text = "two  spaces"
  return f // end
}
`,
  )
  t.end()
})
