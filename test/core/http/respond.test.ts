import t from "tap"
import { respondIfChanged, respondJson } from "../../../core/http/respond.ts"

t.test("makes a response with the length of its body", async (t) => {
  const response = respondJson({ name: "é" }, { status: 201, headers: { "x-a": "b" } })
  t.equal(response.status, 201)
  t.equal(response.headers.get("content-type"), "application/json; charset=utf-8")
  t.equal(response.headers.get("content-length"), "13")
  t.equal(response.headers.get("x-a"), "b")
  t.same(await response.json(), { name: "é" })
})

t.test("takes a header that a plugin in JavaScript gives as a number", async (t) => {
  const headers = { "retry-after": 5 } as unknown as Record<string, string>
  t.equal(respondJson({}, { headers }).headers.get("retry-after"), "5")
})

t.test("answers 304 to who has the tag", async (t) => {
  const first = respondIfChanged(new Request("http://localhost/"), { a: 1 })
  const etag = first.headers.get("etag") ?? ""
  t.same(await first.json(), { a: 1 })
  const request = new Request("http://localhost/", { headers: { "if-none-match": etag } })
  const second = respondIfChanged(request, { a: 1 })
  t.equal(second.status, 304)
  t.equal(await second.text(), "")
})
