import { createLogger } from "@stoplight/prism-core"
import { getHttpOperationsFromSpec } from "@stoplight/prism-http"
import { createServer } from "@stoplight/prism-http-server"
import t, { type Test } from "tap"
import { problems } from "../../../core/http/problems.ts"
import { problemsOf } from "../../../plugins/documents/openapi/problems.ts"
import type { Json } from "../../../plugins/documents/openapi/schemas.ts"
import { readResponse } from "./rare-problems.ts"
import { badRequest, goodRequest, plainProblems, send, type TestRequest } from "./requests.ts"
import { openStage, type Stage } from "./stage.ts"

/** Puts Prism between the tests and the service. It checks requests and responses against the document. */
t.test("a validation proxy finds no violation", async (t) => {
  const stage = await openStage(t, "sqlite")
  const strict = await openProxy(t, stage, { request: true })
  const lenient = await openProxy(t, stage, { request: false })

  for (const route of stage.routes) {
    if (route.kind === "handler" && route.announced) continue
    await t.test(`${route.method} ${route.pattern.text} passes the proxy`, async (t) => {
      const request = await goodRequest(route, stage)
      const etag = await passProxy(t, request, strict)
      if (etag === null) return
      const headers = { ...request.headers, "if-none-match": etag }
      t.equal((await readResponse(send({ ...request, headers }, strict))).status, 304)
    })
  }

  // Prism parses bodies itself, and never responds if one is not JSON.
  for (const code of plainProblems.filter((code) => code !== "invalid_body")) {
    await t.test(`${code} passes the proxy`, async (t) => {
      for (const route of stage.routes) {
        if (!problemsOf(route).some(({ codes }) => codes.includes(code))) continue
        // The lenient proxy passes the bad request on, so that the service rejects it.
        const { status, headers, text } = await readResponse(
          send(await badRequest(route, code, stage), lenient),
        )
        const name = `${route.method} ${route.pattern.text}`
        t.equal(headers.get("sl-violations"), null, name)
        t.match({ status, ...JSON.parse(text) }, { status: problems[code].status, code }, name)
      }
    })
  }
})

t.test("a validation proxy finds responses that contradict the document", async (t) => {
  const stage = await openStage(t, "sqlite")
  const route = stage.routes.find(({ pattern }) =>
    pattern.text === "/connector-b/v1/events/:eventId/guests"
  )
  if (!route) throw new Error("no such route")
  const document = JSON.stringify(stage.document)
  const wrong: Record<string, [from: string, to: string]> = {
    "another type": [
      '"firstName":{"description":"May be empty.","type":"string"}',
      '"firstName":{"type":"integer"}',
    ],
    "a missing field": [
      '"required":["id","eventId","firstName"',
      '"required":["id","nickname"',
    ],
    "a forbidden null": [
      '{"description":"Second line.","type":["string","null"]}',
      '{"type":"string"}',
    ],
    "a header of another type": [
      '"Seconds until the next poll.","schema":{"type":"integer"',
      '"","schema":{"type":"boolean"',
    ],
  }
  for (const [name, [from, to]] of Object.entries(wrong)) {
    t.ok(document.includes(from), name)
    const changed = JSON.parse(document.replaceAll(from, to))
    const proxy = await openProxy(t, { ...stage, document: changed }, { request: true })
    const { status, text } = await readResponse(send(await goodRequest(route, stage), proxy))
    t.equal(status, 500, name)
    t.match(JSON.parse(text), { type: /VIOLATIONS$/ }, name)
  }
  const proxy = await openProxy(t, stage, { request: true })
  const request = await goodRequest(route, stage)
  for (const query of ["limit=1001", "since=yesterday", "offset=-1", "bucket=g", "hash=g"]) {
    const path = `${request.path.split("?")[0]}?${query}`
    t.equal((await readResponse(send({ ...request, path }, proxy))).status, 422, query)
  }
})

/** Sends a request that must succeed without violations. Returns the response's entity tag. */
async function passProxy(t: Test, request: TestRequest, url: string): Promise<string | null> {
  const { status, headers, text } = await readResponse(send(request, url))
  t.equal(headers.get("sl-violations"), null)
  t.ok(status < 300, `${status} ${text.slice(0, 500)}`)
  return headers.get("etag")
}

/** Starts Prism as a proxy that turns violations into errors, like `prism proxy --errors`. */
async function openProxy(
  t: Test,
  { document, usual }: { readonly document: Json; readonly usual: Stage["usual"] },
  { request }: { readonly request: boolean },
): Promise<string> {
  const server = createServer(await getHttpOperationsFromSpec(document), {
    cors: false,
    components: { logger: createLogger("proxy", { level: "silent" }) },
    config: {
      isProxy: true,
      upstream: new URL(usual.url),
      upstreamProxy: undefined,
      validateRequest: request,
      checkSecurity: request,
      validateResponse: true,
      errors: true,
      mock: { dynamic: false },
    },
  })
  t.teardown(() => server.close())
  return await server.listen(0, "127.0.0.1")
}
