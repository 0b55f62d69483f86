import t from "tap"
import { Problem } from "../../../core/http/problems.ts"
import { isFamilyPath, RouteTable } from "../../../core/request/route-table.ts"
import type { MountedRoute } from "../../../core/routes/contract.ts"
import { compilePath } from "../../../core/routes/path.ts"

function route(method: "GET" | "POST", path: string): MountedRoute {
  const handle = () => new Response(null)
  const auth = { kind: "anyone" } as const
  const pattern = compilePath(path)
  return {
    kind: "handler",
    method,
    path,
    auth,
    needs: [],
    handle,
    plugin: "x",
    prefix: "",
    pattern,
  }
}

const table = new RouteTable([
  route("GET", "/events/:eventId"),
  route("GET", "/events/special"),
  route("POST", "/events/:id"),
], [])

function find(method: string, path: string) {
  const found = table.find(method, path)
  if (found instanceof Problem) throw found
  return found
}

t.test("RouteTable finds words before parameters, GET for HEAD, and names of its own by method", (t) => {
  const found = (method: string, path: string) => {
    const { route, params } = find(method, path)
    return [route.pattern.text, params]
  }
  t.strictSame(found("GET", "/events/special"), ["/events/special", {}])
  t.strictSame(found("HEAD", "/events/x"), ["/events/:eventId", { eventId: "x" }])
  t.strictSame(found("POST", "/events/x"), ["/events/:id", { id: "x" }])
  t.end()
})

t.test("RouteTable finds words before parameters at any place, in whatever order they were mounted", (t) => {
  const paths = [
    ...["/x/:eventId/guests/:id", "/x/:eventId/guests/digest", "/x/:eventId/guests-2/:id"],
    ...["/x/:eventId/:list/:id", "/x/one/guests/:id"],
  ]
  for (const order of [paths, paths.toReversed()]) {
    const table = new RouteTable(order.map((path) => route("GET", path)), [])
    const found = (path: string) => {
      const match = table.find("GET", path)
      return match instanceof Problem ? match.code : match.route.pattern.text
    }
    t.equal(found("/x/1/guests/digest"), "/x/:eventId/guests/digest")
    t.equal(found("/x/1/guests/digest2"), "/x/:eventId/guests/:id")
    t.equal(found("/x/1/guests-2/digest"), "/x/:eventId/guests-2/:id")
    t.equal(found("/x/1/items/digest"), "/x/:eventId/:list/:id")
    t.equal(found("/x/one/guests/digest"), "/x/one/guests/:id")
    t.equal(found("/x/1/guests/a/b"), "not_found")
  }
  t.end()
})

t.test("RouteTable decodes parameters, and has none of a path that is not UTF-8", (t) => {
  t.strictSame(find("GET", "/events/%C3%A9").params, { eventId: "é" })
  for (const bad of ["%", "%zz", "%ff"]) {
    t.equal(find("GET", `/events/${bad}`).params, undefined)
  }
  t.end()
})

t.test("RouteTable returns 404 for another path, and 405 with what is allowed for another method", (t) => {
  t.match(table.find("GET", "/events/"), { code: "not_found" })
  t.match(table.find("PUT", "/events/x"), {
    code: "method_not_allowed",
    headers: { allow: "GET, HEAD, POST" },
  })
  t.match(table.find("POST", "/events/special"), {
    code: "method_not_allowed",
    headers: { allow: "GET, HEAD" },
  })
  t.end()
})

t.test("RouteTable returns 503 for a family's path that looks like a failed plugin's", (t) => {
  const failed = new RouteTable([], [{
    use: "lost",
    reasons: [],
    segments: ["acme", "acme-export"],
  }])
  t.match(failed.find("GET", "/acme/v1/events"), { code: "unavailable", message: /lost/ })
  for (const path of ["/acme", "/acme-export", "/globex/v1/events", "/v1/acme"]) {
    t.match(failed.find("GET", path), { code: "not_found" }, path)
  }
  t.end()
})

t.test("isFamilyPath is true for paths with a version below a segment", (t) => {
  for (const path of ["/acme/v1/events", "/acme/v1", "/acme/v1/", "/a/b/v12/c", "/%ff/v2/x"]) {
    t.ok(isFamilyPath(path), path)
  }
  for (const path of ["/", "/acme", "/v1/acme", "//v1/", "/acme/v1x", "/acme/v", "/docs/vx/v"]) {
    t.notOk(isFamilyPath(path), path)
  }
  t.end()
})
