import t from "tap"
import { compilePath } from "../../../core/routes/path.ts"

t.test("compilePath matches whole segments, and names them", (t) => {
  const { expression, parameters, shape } = compilePath("/a.b/v1/events/:eventId/items")
  t.strictSame(parameters, ["eventId"])
  t.equal(shape, "/a.b/v1/events/:/items")
  t.strictSame({ ...expression.exec("/a.b/v1/events/x%20y/items")?.groups }, { eventId: "x%20y" })
  const others: Record<string, string[]> = {
    "/a.b/:id/items": ["/aXb/x/items", "/a.b//items", "/a.b/x/items/", "/a.b/x/y/items"],
    "/": ["", "//", "/a"],
    "/a/": ["/a", "/a//"],
  }
  for (const [path, refused] of Object.entries(others)) {
    const { expression } = compilePath(path)
    t.ok(expression.test(path.replace(":id", "x")))
    for (const other of refused) t.notOk(expression.test(other), `${path} ${other}`)
  }
  t.end()
})

t.test("compilePath refuses a text that is not a path, or is longer than the audit log has room for", (t) => {
  const wrong = ["", "//", "events", "/a//b", "/a//", "/a/:", "/a/*", "/a b", "/:x/:x", "/(.*)"]
  for (const text of [...wrong, `/${"a".repeat(500)}`]) {
    t.throws(() => compilePath(text), TypeError, text)
  }
  t.end()
})
