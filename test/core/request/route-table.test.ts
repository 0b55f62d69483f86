import t from "tap"
import { RouteTable } from "../../../core/request/route-table.ts"
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

t.test("RouteTable finds words before parameters, GET for HEAD, and names of its own by method", (t) => {
  const found = (method: string, path: string) => {
    const { route, params } = table.find(method, path)
    return [route.pattern.text, params]
  }
  t.strictSame(found("GET", "/events/special"), ["/events/special", {}])
  t.strictSame(found("HEAD", "/events/x"), ["/events/:eventId", { eventId: "x" }])
  t.strictSame(found("POST", "/events/x"), ["/events/:id", { id: "x" }])
  t.end()
})

t.test("RouteTable decodes parameters, and has none of a path that is not UTF-8", (t) => {
  t.strictSame(table.find("GET", "/events/%C3%A9").params, { eventId: "é" })
  for (const bad of ["%", "%zz", "%ff"]) {
    t.equal(table.find("GET", `/events/${bad}`).params, undefined)
  }
  t.end()
})

t.test("RouteTable throws 404 for another path, and 405 with what is allowed for another method", (t) => {
  t.throws(() => table.find("GET", "/events/"), { code: "not_found" })
  t.throws(() => table.find("PUT", "/events/x"), {
    code: "method_not_allowed",
    headers: { allow: "GET, HEAD, POST" },
  })
  t.throws(() => table.find("POST", "/events/special"), {
    code: "method_not_allowed",
    headers: { allow: "GET, HEAD" },
  })
  t.end()
})
