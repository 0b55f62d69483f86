import { setTimeout } from "node:timers/promises"
import t from "tap"
import {
  continueTrace,
  receive,
  Stopwatch,
  traceResponse,
} from "../../../core/request/incoming-request.ts"
import { freshApp } from "../../support/app.ts"
import { freshDatabase, onEmbedded } from "../../support/database.ts"

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const parentId = "00f067aa0ba902b7"

t.test("receive takes over a request id that is safe to log and to store", (t) => {
  const idFor = (given: string) => {
    const request = new Request("http://localhost/", { headers: { "x-request-id": given } })
    return receive(request, { address: "192.0.2.1" }).id
  }
  for (const id of ["a", "Root:1-67891233_abc.d", "x".repeat(64)]) t.equal(idFor(id), id)
  for (const id of ["", "x".repeat(65), "two words", "<script>", "a,b"]) {
    t.match(idFor(id), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, id)
  }
  t.end()
})

t.test("continueTrace takes over a valid traceparent with a span of its own, and else begins a trace", (t) => {
  const trace = continueTrace(`00-${traceId}-${parentId}-01`)
  t.match(trace, { traceId, parentId, flags: "01", spanId: /^[0-9a-f]{16}$/ })
  t.not(trace.spanId, parentId)
  t.match(traceResponse(trace), `00-${traceId}-${trace.spanId}-01`)
  const later = continueTrace(`cc-${traceId}-${parentId}-00-what-comes`)
  t.match(later, { traceId, parentId }, "a version of the future may have more in it")
  const bad = [
    null,
    ...["", "00", `00-${traceId}-${parentId}`, `ff-${traceId}-${parentId}-01`],
    ...[`00-${traceId}-${parentId}-01-more`, `00-${traceId.toUpperCase()}-${parentId}-01`],
    ...[`00-${"0".repeat(32)}-${parentId}-01`, `00-${traceId}-${"0".repeat(16)}-01`],
    `00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`,
  ]
  for (const traceparent of bad) {
    const trace = continueTrace(traceparent)
    const begun = { parentId: undefined, traceId: /^[0-9a-f]{32}$/, flags: "02" }
    t.match(trace, begun, traceparent ?? "")
    t.not(trace.traceId, traceId)
  }
  const made = Array.from({ length: 1000 }, () => continueTrace(null))
  for (const [id, length] of [["traceId", 32], ["spanId", 16]] as const) {
    t.equal(new Set(made.map((each) => each[id])).size, made.length, "none comes again")
    t.ok(made.every((each) => each[id].length === length))
  }
  t.end()
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

/** What is spent waiting, on a clock that goes on by one each time it is read. */
const courses: Record<string, [steps: string, inDatabase: number]> = {
  "waits that overlap count once": ["begin begin end end stop", 1],
  "the end of a wait that has ended already does not hide the next one": [
    "begin end end begin stop",
    2,
  ],
  "nothing is counted once it has stopped": ["stop begin end stop", 0],
  "a wait is cut off when it is stopped": ["begin stop end", 1],
}
for (const [name, [steps, inDatabase]] of Object.entries(courses)) {
  t.test(`Stopwatch: ${name}`, (t) => {
    let now = 0
    t.intercept(performance, "now", { value: () => now++ })
    const watch = new Stopwatch()
    for (const step of steps.split(" ")) watch[step as "begin" | "end" | "stop"]()
    t.equal(watch.inDatabase, inDatabase)
    t.equal(watch.elapsed, watch.elapsed)
    t.end()
  })
}

await onEmbedded(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)

  await t.test("Database.snapshot tells the time of its statements apart from that of the work, and leaves nobody waiting if it fails", async (t) => {
    const watch = new Stopwatch()
    await database.snapshot(async ({ db, run }) => {
      const one = () => run(db.selectFrom("account").select("id"))
      await one()
      await setTimeout(20)
      await Promise.all([one(), one()])
    }, watch)
    await t.rejects(database.snapshot(() => Promise.reject(new Error("no")), watch), /no/)
    watch.stop()
    t.ok(watch.inDatabase > 0)
    t.ok(watch.elapsed - watch.inDatabase > 15)
  })
})
