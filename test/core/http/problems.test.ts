import t from "tap"
import { problems } from "../../../core/http/problems.ts"
import { type App, freshApp } from "../../support/app.ts"
import { onEmbedded } from "../../support/database.ts"

const nowhere = "00000000-0000-4000-8000-000000000000"

await onEmbedded(t, async (t, engine) => {
  const app = await freshApp(t, engine)
  const { build, request, logIn } = app
  const [acme, borealis] = [await build.organization("acme"), await build.organization("borealis")]
  const [mine, other] = [await build.event(acme), await build.event(borealis)]
  for (const name of ["acme-export", "borealis-export"]) await build.account(name, "service")
  for (const name of ["partner", "outsider"]) await build.account(name)
  await build.account("op", "operator")
  await build.grant("acme-export", { organization: "acme" })
  await build.grant("acme-export", { organization: "borealis" })
  await build.grant("partner", { organization: "acme" })
  await build.grant("partner", { event: other })
  const as: Record<string, App["request"]> = { nobody: request }
  for (const name of ["acme-export", "borealis-export", "partner", "outsider", "op"]) {
    as[name] = await logIn(name)
  }

  /** Who asks for what, and what they are told. */
  const rows: [who: string, path: string, status: number, code: string][] = [
    ["nobody", `/connector-b/v1/events/nonsense/items?limit=0`, 401, "unauthenticated"],
    ["nobody", `/session`, 401, "unauthenticated"],
    ["nobody", `/status`, 401, "unauthenticated"],
    ["partner", `/acme/v1/events/${mine}/guests`, 403, "not_service_user"],
    ["borealis-export", `/acme/v1/events/${mine}/guests`, 403, "not_service_user"],
    ["partner", `/status`, 403, "not_operator"],
    ["acme-export", `/acme/v1/events/${other}/guests`, 404, "event_not_found"],
    ["outsider", `/connector-b/v1/events/${mine}/guests`, 404, "event_not_found"],
    ["partner", `/connector-a/v1/events/${other}/guests`, 403, "connector_not_enabled"],
    ["partner", `/connector-a/v1/events/${mine}/items`, 404, "not_available"],
    ["partner", `/connector-b/v1/events/${nowhere}/guests?limit=0`, 400, "invalid_parameter"],
    ["partner", `/nowhere`, 404, "not_found"],
    ["partner", `/connector-b/v1/events/`, 404, "not_found"],
    ["partner", `//connector-b/v1/events`, 404, "not_found"],
    ["nobody", `//connector-b/v1/events`, 401, "unauthenticated"],
    ["partner", `/connector-b/v2/events`, 404, "not_found"],
    ["partner", `/connector-b/v1/events/%ff/guests`, 400, "malformed_request"],
  ]
  await t.test("GET answers a refusal with its problem", async (t) => {
    for (const [who, path, status, code] of rows) {
      const response = await as[who]!(path, { headers: { "x-request-id": "id-of-the-test" } })
      t.match(Object.fromEntries(response.headers), {
        ...{ "content-type": "application/problem+json", "cache-control": "no-store" },
        "x-request-id": "id-of-the-test",
      })
      t.equal(response.headers.has("www-authenticate"), status === 401)
      const body = await response.json()
      const names = ["type", "title", "status", "detail", "code", "requestId"]
      t.strictSame(Object.keys(body), code === "invalid_parameter" ? [...names, "errors"] : names)
      const { title } = problems[code as keyof typeof problems]
      const shared = { requestId: "id-of-the-test", type: `/problems/${code}`, title }
      t.match({ ...body, got: response.status }, { status, code, ...shared, got: status }, path)
    }
  })

  await t.test("OPTIONS and other methods answer 405 with what is allowed", async (t) => {
    for (
      const [method, path, allow] of [
        ["OPTIONS", "/connector-b/v1/events", "GET, HEAD"],
        ["PUT", "/session", "DELETE, GET, HEAD, POST"],
      ] as const
    ) {
      const response = await as["partner"]!(path, { method })
      t.match([response.status, (await response.json()).code], [405, "method_not_allowed"])
      t.equal(response.headers.get("allow"), allow)
    }
  })

  await t.test("HEAD answers like GET, without a body", async (t) => {
    const headers = { "x-request-id": "same" }
    for (
      const path of [`/connector-b/v1/events/${mine}/guests`, "/session", "/nowhere", "/status"]
    ) {
      const get = await as["partner"]!(path, { headers })
      const head = await as["partner"]!(path, { headers, method: "HEAD" })
      t.equal(head.status, get.status)
      t.equal(head.headers.get("content-length"), String((await get.arrayBuffer()).byteLength))
      t.equal(head.headers.get("content-type"), get.headers.get("content-type"))
      t.equal((await head.arrayBuffer()).byteLength, 0)
    }
  })
})
