import t from "tap"
import { compilePath } from "../../../core/routes/path.ts"

t.test("compilePath matches whole segments, and names them", (t) => {
  const { expression, parameters, shape } = compilePath("/a.b/v1/events/:eventId/items")
  t.strictSame(parameters, ["eventId"])
  t.equal(shape, "/a.b/v1/events/:/items")
  t.strictSame({ ...expression.exec("/a.b/v1/events/x%20y/items")?.groups }, { eventId: "x%20y" })
  for (
    const other of [
      "/aXb/v1/events/x/items",
      "/a.b/v1/events//items",
      "/a.b/v1/events/x/items/",
      "/a.b/v1/events/x/y/items",
    ]
  ) {
    t.equal(expression.exec(other), null, other)
  }
  t.end()
})

t.test("compilePath matches the root with / alone", (t) => {
  const { expression, parameters } = compilePath("/")
  t.strictSame(["/", "", "//", "/a"].map((path) => expression.test(path)), [
    true,
    false,
    false,
    false,
  ])
  t.strictSame(parameters, [])
  t.end()
})

t.test("compilePath tells a path from the same with a slash at its end", (t) => {
  const { expression } = compilePath("/a/")
  t.strictSame(["/a/", "/a", "/a//"].map((path) => expression.test(path)), [true, false, false])
  t.end()
})

t.test("compilePath refuses a text that is not a path, or is longer than the audit log has room for", (t) => {
  for (
    const text of [
      "",
      "//",
      "events",
      "/a//b",
      "/a//",
      "/a/:",
      "/a/*",
      "/a b",
      "/:x/:x",
      "/(.*)",
      `/${"a".repeat(500)}`,
    ]
  ) {
    t.throws(() => compilePath(text), TypeError, text)
  }
  t.end()
})
