import { performance } from "node:perf_hooks"
import process from "node:process"
import t, { type Test } from "tap"
import { Service } from "../../../../core/kernel/service.ts"
import { Stopwatch } from "../../../../core/request/incoming-request.ts"
import { openTracing } from "../../../../plugins/capabilities/tracing/capability.ts"
import { exchangeOf } from "../../../support/exchange.ts"
import { scannedLog } from "../../../support/scanned-log.ts"
import { freshWorkshop, logInto } from "../../../support/service.ts"
import { attributesOf, openCollector, type Span } from "../../../support/span-collector.ts"

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const parentId = "00f067aa0ba902b7"

/** Opens a collector, and sets the variable that names it, which the exporter reads itself. */
async function openNamed(t: Test) {
  const collector = await openCollector(t)
  process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = collector.url
  t.teardown(() => delete process.env["OTEL_EXPORTER_OTLP_ENDPOINT"])
  return collector
}

t.test("the service sends spans of requests to the collector", async (t) => {
  const { url, spans, services, paths } = await openNamed(t)
  const workshop = await freshWorkshop(t)
  const { build } = workshop
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 20)
  await build.account("partner")
  await build.grant("partner", { event })
  workshop.write(
    "  - use: health\n  - use: connector-b\n" +
      "    with: { segment: connector-b, organizations: [acme] }",
  )
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SERVICE_NAME: "guests" }
  const log = scannedLog(t, [])
  const service = await Service.start(workshop.file, { environment, log: () => log })
  const get = await logInto(service.fetch, "partner")
  const traced = { traceparent: `00-${traceId}-${parentId}-01` }
  const path = `/connector-b/v1/events/${event}/guests`
  const list = await get(`${path}?since=-1&q=jolanta`, traced)
  t.equal(list.status, 200)
  await get("/connector-b/v1/events", { traceparent: `00-${"5".repeat(32)}-${parentId}-00` })
  await get("/jane@example.org", traced)
  t.equal((await get("/readyz", traced)).status, 200)
  await service.close()

  t.ok(paths.length > 0 && paths.every((path) => path === "POST /v1/traces"))
  t.ok(services.every((service) => service === "guests"))
  const route = "/connector-b/v1/events/:eventId/guests"
  const span = spans.find(({ name }) => name === `GET ${route}`)
  if (!span) throw new Error("there is no span of the list")
  t.match(span, { traceId, parentSpanId: parentId, kind: 2 }, "a server's, under the caller's")
  t.equal(list.headers.get("traceresponse"), `00-${traceId}-${span.spanId}-01`)
  t.strictSame(attributesOf(span), {
    "http.request.method": "GET",
    "http.response.status_code": 200,
    "http.route": route,
    "url.path": path,
  })
  const children = spans.filter(({ parentSpanId }) => parentSpanId === span.spanId)
  const names = [...new Set(children.map(({ name }) => name))]
  t.strictSame(names.toSorted(), ["auth", "database", "encode", "project"])
  for (const child of children) {
    t.equal(child.traceId, traceId)
    t.ok(BigInt(child.startTimeUnixNano) >= BigInt(span.startTimeUnixNano) - 2_000_000n)
    t.ok(BigInt(child.endTimeUnixNano) <= BigInt(span.endTimeUnixNano) + 2_000_000n)
  }
  const own = spans.filter(({ name, parentSpanId }) => name === "POST /session" && !parentSpanId)
  t.equal(own.length, 1, "a trace of its own")
  t.notOk(spans.some(({ traceId }) => traceId === "5".repeat(32)), "the caller records nothing")
  t.notOk(spans.some(({ name }) => name.includes("readyz")))
  t.notMatch(JSON.stringify(spans), /jane|jolanta/)
})

/** The stopwatch of a request that was answered a minute ago, within 5 ms. */
class LongAgo extends Stopwatch {
  override readonly started = performance.now() - 60_000
  override stop(): number {
    return 5
  }
}

t.test("Tracing.record: a span lasts as long as its request did, and only one of a 5xx is an error", async (t) => {
  const { spans } = await openNamed(t)
  const tracing = await openTracing(process.env)
  const watch = new LongAgo()
  for (const status of [200, 404, 499, 500, 503]) {
    tracing?.record(exchangeOf({ route: `/${status}`, status, watch }))
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
  const { spans } = await openNamed(t)
  const tracing = await openTracing(process.env)
  for (const node of ["", "[2001:db8::1]:3306"]) {
    const watch = new Stopwatch({ keepLaps: true })
    watch.node = node
    watch.enter("auth")
    watch.begin()
    watch.end()
    tracing?.record(exchangeOf({ route: "/x", watch }))
  }
  await tracing?.close()
  const all = (name: string) => spans.filter((span) => span.name === name).map(attributesOf)
  const server = { "server.address": "2001:db8::1", "server.port": 3306 }
  t.strictSame(all("database"), [{}, server])
  t.strictSame(all("auth"), all("auth").map(() => ({})))
})

t.test("openTracing does nothing without an endpoint, and refuses a ratio that is none", async (t) => {
  t.equal(await openTracing({}), undefined)
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }
  for (const OTEL_TRACES_SAMPLER_ARG of ["2", "-0.1", "many"]) {
    await t.rejects(openTracing({ ...environment, OTEL_TRACES_SAMPLER_ARG }), /from 0 to 1/)
  }
})

t.test("openTracing records the ratio of spans that is wanted, and every span if its variable is empty", async (t) => {
  const { spans } = await openNamed(t)
  for (const ratio of ["", "0"]) {
    const tracing = await openTracing({ ...process.env, OTEL_TRACES_SAMPLER_ARG: ratio })
    tracing?.record(exchangeOf({ route: `/ratio-${ratio}` }))
    await tracing?.close()
  }
  t.strictSame(spans.map(({ name }) => name), ["GET /ratio-"])
})
