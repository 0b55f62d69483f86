import fc from "fast-check"
import t from "tap"
import { continueTrace, traceResponse } from "../../../core/request/received.ts"
import { freshApp } from "../../support/app.ts"

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const parentId = "00f067aa0ba902b7"

t.test("continueTrace takes over a valid traceparent with a span of its own", async (t) => {
  const trace = continueTrace(`00-${traceId}-${parentId}-01`)
  t.match(trace, { traceId, parentId, flags: "01", spanId: /^[0-9a-f]{16}$/ })
  t.not(trace.spanId, parentId)
  t.match(traceResponse(trace), `00-${traceId}-${trace.spanId}-01`)
  t.match(
    continueTrace(`cc-${traceId}-${parentId}-00-what-comes`),
    { traceId, parentId },
    "a version of the future may have more in it",
  )
})

t.test("continueTrace begins a new trace where there is none, or one that is not valid", async (t) => {
  const bad = [
    null,
    "",
    "00",
    `00-${traceId}-${parentId}`,
    `ff-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-01-more`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${"0".repeat(32)}-${parentId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`,
  ]
  for (const traceparent of bad) {
    const trace = continueTrace(traceparent)
    t.match(
      trace,
      { parentId: undefined, traceId: /^[0-9a-f]{32}$/, flags: "02" },
      traceparent ?? "",
    )
    t.not(trace.traceId, traceId)
  }
  fc.assert(
    fc.property(fc.string(), (text) =>
      /^00-[0-9a-f]{32}-[0-9a-f]{16}-02$/.test(
        traceResponse(continueTrace(text)),
      )),
  )
})

t.test("continueTrace makes ids that do not repeat", async (t) => {
  const made = Array.from({ length: 5000 }, () => continueTrace(null))
  t.equal(new Set(made.map(({ traceId }) => traceId)).size, made.length)
  t.equal(new Set(made.map(({ spanId }) => spanId)).size, made.length)
})

t.test("a request's trace is in its answer and in its line in the log", async (t) => {
  const { request, entries } = await freshApp(t, "sqlite")
  const headers = { traceparent: `00-${traceId}-${parentId}-01` }
  for (const path of ["/session", "/nothing"]) {
    const response = await request(path, { headers })
    const { spanId } = entries.at(-1) ?? {}
    t.match(entries.at(-1), { message: "request", traceId, spanId: /^[0-9a-f]{16}$/ })
    t.equal(response.headers.get("traceresponse"), `00-${traceId}-${spanId}-01`, path)
  }
  const response = await request("/session")
  t.equal(response.headers.get("traceresponse"), null, "whoever traces nothing is told nothing")
  t.match(entries.at(-1), { traceId: /^[0-9a-f]{32}$/ })
})
