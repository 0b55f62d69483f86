import t from "tap"
import type { Catalogue } from "../../../../core/plugin.ts"
import { cacheDocuments } from "../../../../plugins/documents/openapi/document-cache.ts"

t.test("cacheDocuments keeps a document per server, reader, set of routes and their events", async (t) => {
  let generated = 0
  const cached = cacheDocuments(({ server }) => Promise.resolve({ server, number: ++generated }))
  const find = (server: string, ...paths: string[]) => findFor({ username: "x" }, server, ...paths)
  const findFor = (reader: object, server: string, ...paths: string[]) => {
    const routes = paths.map((text) => ({ method: "GET", pattern: { text } }))
    return cached(
      { server, reader, routes, eventsOf: () => [{ id: event }] } as unknown as Catalogue,
    )
  }
  let event = "one"
  const [a, b] = ["https://a.example", "https://b.example"]
  t.strictSame(await find(a, "/x"), { server: a, number: 1 })
  t.strictSame(await find(b, "/x"), { server: b, number: 2 })
  t.strictSame(await find(a, "/x", "/y"), { server: a, number: 3 })
  t.strictSame(await findFor({ username: "y" }, a, "/x"), { server: a, number: 4 })
  t.strictSame(await find(a, "/x"), { server: a, number: 1 }, "from the cache")
  event = "two"
  t.strictSame(await find(a, "/x"), { server: a, number: 5 })
})
