import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { performance } from "node:perf_hooks"
import process from "node:process"
import { json } from "node:stream/consumers"
import t, { type Test } from "tap"
import { migrate } from "../../../../core/data/migrate.ts"
import { openTracing } from "../../../../plugins/capabilities/tracing/capability.ts"
import { Stopwatch } from "../../../../core/request/incoming-request.ts"
import { secret } from "../../../support/app.ts"
import { startProcess } from "../../../soak/support/service-process.ts"
import { Builder, password } from "../../../support/builder.ts"
import { copiedUrl, openFor } from "../../../support/database.ts"
import { factsOf } from "../../../support/facts.ts"
import { runtimes, withoutRuntime } from "../../../support/runtimes.ts"

interface Span {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { key: string; value: Record<string, unknown> }[]
  readonly status: { code?: number }
}

/** A collector of OTLP over HTTP that keeps what it gets. */
async function collector(t: Test) {
  const spans: Span[] = []
  const services: unknown[] = []
  const paths: string[] = []
  const server = createServer(async (request, response) => {
    paths.push(`${request.method} ${request.url}`)
    const { resourceSpans } = await json(request) as {
      resourceSpans: {
        resource: { attributes: { key: string; value: { stringValue?: string } }[] }
        scopeSpans: { spans: Span[] }[]
      }[]
    }
    for (const { resource, scopeSpans } of resourceSpans) {
      services.push(
        resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue,
      )
      spans.push(...scopeSpans.flatMap((scope) => scope.spans))
    }
    response.setHeader("content-type", "application/json")
    response.end("{}")
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, spans, services, paths }
}

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const parentId = "00f067aa0ba902b7"

for (const runtime of runtimes) {
  t.test(`the process on ${runtime} sends spans of requests to the collector`, {
    skip: withoutRuntime(runtime),
  }, async (t) => {
    const { url: endpoint, spans, services, paths } = await collector(t)
    const databaseUrl = await copiedUrl(t, "sqlite")
    const database = await openFor(t, databaseUrl)
    await migrate(database)
    const build = new Builder(database)
    const event = await build.event(await build.organization("acme"))
    await build.guests(event, 20)
    await build.account("partner")
    await build.grant("partner", { event })
    const { url, child } = await startProcess(t, runtime, {
      DATABASE_URL: databaseUrl,
      SESSION_SECRET: secret,
      PORT: "0",
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_SERVICE_NAME: "guests",
    })
    const logIn = await fetch(`${url}/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "partner", password }),
    })
    const headers = {
      cookie: logIn.headers.getSetCookie()[0]?.split(";")[0] ?? "",
      traceparent: `00-${traceId}-${parentId}-01`,
    }
    const list = await fetch(
      `${url}/connector-b/v1/events/${event}/guests?since=-1&q=jolanta`,
      { headers },
    )
    t.equal(list.status, 200)
    const silent = { ...headers, traceparent: `00-${"5".repeat(32)}-${parentId}-00` }
    await fetch(`${url}/connector-b/v1/events`, { headers: silent })
    await fetch(`${url}/jane@example.org`, { headers })
    await fetch(`${url}/readyz`, { headers })
    child.kill("SIGTERM")
    t.strictSame(await once(child, "exit"), [0, null])

    t.ok(paths.length > 0 && paths.every((path) => path === "POST /v1/traces"))
    t.ok(services.every((service) => service === "guests"))
    const route = "/connector-b/v1/events/:eventId/guests"
    const span = spans.find(({ name }) => name === `GET ${route}`)
    t.match(
      span,
      { traceId, parentSpanId: parentId, kind: 2 },
      "a server's span under the caller's",
    )
    t.equal(list.headers.get("traceresponse"), `00-${traceId}-${span?.spanId}-01`)
    const attributes = Object.fromEntries(
      (span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]),
    )
    t.strictSame(attributes, {
      "http.request.method": "GET",
      "http.response.status_code": 200,
      "http.route": route,
      "url.path": `/connector-b/v1/events/${event}/guests`,
    })
    const children = spans.filter(({ parentSpanId }) => parentSpanId === span?.spanId)
    t.strictSame([...new Set(children.map(({ name }) => name))].sort(), [
      ...["auth", "database", "encode", "project"],
    ])
    for (const child of children) {
      t.equal(child.traceId, traceId)
      t.ok(BigInt(child.startTimeUnixNano) >= BigInt(span?.startTimeUnixNano ?? 0) - 2_000_000n)
      t.ok(BigInt(child.endTimeUnixNano) <= BigInt(span?.endTimeUnixNano ?? 0) + 2_000_000n)
    }
    t.equal(
      spans.filter(({ name, parentSpanId }) => name === "POST /session" && !parentSpanId).length,
      1,
      "a trace of its own",
    )
    t.notOk(spans.some(({ traceId }) => traceId === "5".repeat(32)), "the caller records nothing")
    t.notOk(spans.some(({ name }) => name.includes("readyz")))
    t.notMatch(JSON.stringify(spans), /jane|jolanta/)
  })
}

/** The stopwatch of a request that was answered a minute ago, within 5 ms. */
class LongAgo extends Stopwatch {
  override readonly started = performance.now() - 60_000
  override stop(): number {
    return 5
  }
}

t.test("Tracing.record: a span lasts as long as its request did, and only one of a 5xx is an error", async (t) => {
  const { url, spans } = await collector(t)
  // The exporter reads its variable itself.
  process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = url
  t.teardown(() => delete process.env["OTEL_EXPORTER_OTLP_ENDPOINT"])
  const tracing = await openTracing(process.env)
  const watch = new LongAgo()
  for (const status of [200, 404, 499, 500, 503]) {
    tracing?.record({ ...factsOf({ route: `/${status}`, status }), watch })
  }
  await tracing?.close()
  const length = ({ startTimeUnixNano, endTimeUnixNano }: Span) =>
    Math.round(Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6)
  t.strictSame(spans.map((span) => [span.name, span.status.code ?? 0, length(span)]), [
    ["GET /200", 0, 5],
    ["GET /404", 0, 5],
    ["GET /499", 0, 5],
    ["GET /500", 2, 5],
    ["GET /503", 2, 5],
  ])
})

t.test("Tracing.record: a span of the database has the server that was asked, if there are several", async (t) => {
  const { url, spans } = await collector(t)
  process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = url
  t.teardown(() => delete process.env["OTEL_EXPORTER_OTLP_ENDPOINT"])
  const tracing = await openTracing(process.env)
  for (const node of ["", "[2001:db8::1]:3306"]) {
    const watch = new Stopwatch({ keepLaps: true })
    watch.node = node
    watch.enter("auth")
    watch.begin()
    watch.end()
    tracing?.record({ ...factsOf({ route: "/x", status: 200 }), watch })
  }
  await tracing?.close()
  const attributesOf = ({ attributes }: Span) =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
  const all = (name: string) => spans.filter((span) => span.name === name).map(attributesOf)
  t.strictSame(all("database"), [{}, {
    "server.address": "2001:db8::1",
    "server.port": 3306,
  }])
  t.strictSame(all("auth"), all("auth").map(() => ({})))
})

t.test("openTracing does nothing without an endpoint, and refuses a ratio that is none", async (t) => {
  t.equal(await openTracing({}), undefined)
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }
  for (const wrong of ["2", "-0.1", "many"]) {
    const refused = openTracing({ ...environment, OTEL_TRACES_SAMPLER_ARG: wrong })
    await t.rejects(refused, /from 0 to 1/)
  }
})

t.test("openTracing records every span if the variable of the ratio is empty", async (t) => {
  const { url, spans } = await collector(t)
  process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = url
  t.teardown(() => delete process.env["OTEL_EXPORTER_OTLP_ENDPOINT"])
  const tracing = await openTracing({ ...process.env, OTEL_TRACES_SAMPLER_ARG: "" })
  tracing?.record(factsOf({ route: "/x", status: 200 }))
  await tracing?.close()
  t.strictSame(spans.map(({ name }) => name), ["GET /x"])
})
