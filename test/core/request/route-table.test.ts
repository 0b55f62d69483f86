import t from "tap"
import { Problem, usualProblem } from "../../../core/http/problems.ts"
import { isFamilyPath, RouteTable } from "../../../core/request/route-table.ts"
import type { MountedRoute } from "../../../core/routes/contract.ts"
import { compilePath } from "../../../core/routes/path.ts"

function route(method: "GET" | "POST", path: string): MountedRoute {
  return {
    ...{
      kind: "handler",
      method,
      path,
      auth: { kind: "anyone" },
      needs: [],
      plugin: "x",
      prefix: "",
    },
    handle: () => new Response(null),
    pattern: compilePath(path),
  }
}

const routes = [
  ...["/x/:eventId/guests/:id", "/x/:eventId/guests/digest", "/x/:eventId/guests-2/:id"],
  ...["/x/:eventId/:list/:id", "/x/one/guests/:id", "/events/:eventId", "/events/special"],
].map((path) => route("GET", path))
const post = { ...route("POST", "/events/:id"), longestBody: 9000 } as MountedRoute

/** Returns the path of the route that is found, with its parameters; else the problem's code and what is allowed. */
function find(table: RouteTable, method: string, path: string) {
  const found = table.find(method, path)
  if (found instanceof Problem) return [found.code, ...Object.values(found.headers ?? {})]
  return [found.route.pattern.text, found.params]
}

const cases: [request: string, expected: unknown[]][] = [
  ["GET /events/special", ["/events/special", {}]],
  ["HEAD /events/x", ["/events/:eventId", { eventId: "x" }]],
  ["POST /events/x", ["/events/:id", { id: "x" }]],
  ["GET /events/%C3%A9", ["/events/:eventId", { eventId: "é" }]],
  ...["%", "%zz", "%ff"].map((bad): [string, unknown[]] => [
    `GET /events/${bad}`,
    ["/events/:eventId", undefined],
  ]),
  ["GET /x/1/guests/digest", ["/x/:eventId/guests/digest", { eventId: "1" }]],
  ["GET /x/1/guests/digest2", ["/x/:eventId/guests/:id", { eventId: "1", id: "digest2" }]],
  ["GET /x/1/guests-2/digest", ["/x/:eventId/guests-2/:id", { eventId: "1", id: "digest" }]],
  ["GET /x/1/items/2", ["/x/:eventId/:list/:id", { eventId: "1", list: "items", id: "2" }]],
  ["GET /x/one/guests/digest", ["/x/one/guests/:id", { id: "digest" }]],
  ["GET /x/1/guests/a/b", ["not_found"]],
  ["GET /events/", ["not_found"]],
  ["PUT /events/x", ["method_not_allowed", "GET, HEAD, POST"]],
  ["POST /events/special", ["method_not_allowed", "GET, HEAD"]],
]

t.test("RouteTable finds words before parameters, in whatever order they were mounted, and says what is allowed", (t) => {
  for (const order of [routes, routes.toReversed()]) {
    const table = new RouteTable([...order, post])
    for (const [request, expected] of cases) {
      const [method = "", path = ""] = request.split(" ")
      t.strictSame(find(table, method, path), expected, request)
    }
    const lengths = ["POST /events/x", "GET /events/x", "POST /nowhere"].map((request) =>
      table.longestBody(...request.split(" ") as [string, string])
    )
    t.strictSame(lengths, [9000, 4096, 4096])
  }
  t.end()
})

t.test("RouteTable names the path that a slash too many hides, if there is one", (t) => {
  const table = new RouteTable([...routes, post])
  const detail = (path: string) => {
    const found = table.find("GET", path)
    return found instanceof Problem ? [found.code, found.message] : found
  }
  const usual = usualProblem("not_found").message
  for (const path of ["/events/special/", "//events/special", "/events//special//"]) {
    t.match(detail(path), ["not_found", /a slash too many.* Request \/events\/special\.$/], path)
  }
  for (const path of ["/event/", "//", "/events/", "/events/a/b"]) {
    t.strictSame(detail(path), ["not_found", usual], path)
  }
  t.end()
})

t.test("isFamilyPath is true for paths with a version below a segment", (t) => {
  const paths = ["/acme/v1/events", "/acme/v1", "/acme/v1/", "/a/b/v12/c", "/%ff/v2/x"]
  const others = ["/", "/acme", "/v1/acme", "//v1/", "/acme/v1x", "/acme/v", "/docs/vx/v"]
  t.strictSame([...paths, ...others].filter(isFamilyPath), paths)
  t.end()
})
