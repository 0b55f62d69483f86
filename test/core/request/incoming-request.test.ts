import fc from "fast-check"
import t from "tap"
import {
  continueTrace,
  phases,
  receive,
  Stopwatch,
  traceResponse,
} from "../../../core/request/incoming-request.ts"
import { freshApp } from "../../support/app.ts"
import { freshDatabase, onEmbedded } from "../../support/database.ts"
import { freshWorkshop, logInto } from "../../support/service.ts"

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

t.test("Stopwatch: phases never add up to more than the whole", (t) => {
  const step = fc.constantFrom(...phases, "begin" as const, "end" as const)
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const watch = new Stopwatch()
      for (const step of steps) {
        if (step === "begin" || step === "end") watch[step]()
        else watch.enter(step)
      }
      const whole = watch.stop()
      const spent = phases.reduce((sum, phase) => sum + watch.spent(phase), 0)
      return spent <= whole + 1e-6
    }),
  )
  t.end()
})

/** What is spent in each phase, on a clock that goes on by one each time it is read. */
const courses: Record<
  string,
  [steps: string, spent: Partial<Record<typeof phases[number], number>>]
> = {
  "waiting interrupts a phase, which goes on when all that is waited for has come": [
    "project begin begin end end encode stop",
    { project: 2, db: 1, encode: 1 },
  ],
  "the end of a wait that has ended already does not hide the next one": [
    "auth begin end end begin stop",
    { auth: 2, db: 2 },
  ],
  "nothing is counted once it has stopped": ["auth stop encode begin end stop", { auth: 1 }],
}
for (const [name, [steps, spent]] of Object.entries(courses)) {
  t.test(`Stopwatch: ${name}`, (t) => {
    let now = 0
    t.intercept(performance, "now", { value: () => now++ })
    const watch = new Stopwatch()
    for (const step of steps.split(" ")) {
      if (step === "begin" || step === "end" || step === "stop") watch[step]()
      else watch.enter(step as typeof phases[number])
    }
    const found = phases.map((phase) => [phase, watch.spent(phase)]).filter(([, time]) =>
      time !== 0
    )
    t.strictSame(Object.fromEntries(found), spent)
    const whole = watch.stop()
    t.equal(watch.stop(), whole)
    t.end()
  })
}

t.test("Stopwatch: the header has the database server that was asked last, if there are several", (t) => {
  const watch = new Stopwatch()
  for (const node of ["db1:3306", "db2:3306"]) {
    watch.node = node
    watch.begin()
    watch.end()
  }
  t.match(watch.header(), /, total;dur=[\d.]+, node;desc="db2:3306"$/)
  t.notMatch(new Stopwatch().header(), "node", "with a single server")
  t.end()
})

await onEmbedded(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)

  await t.test("Database.snapshot tells the time of its statements apart from that of the work, and leaves nobody waiting if it fails", async (t) => {
    const watch = new Stopwatch()
    watch.enter("auth")
    await database.snapshot(async ({ db, run }) => {
      const one = () => run(db.selectFrom("account").select("id"))
      await one()
      watch.enter("project")
      await Promise.all([one(), one()])
    }, watch)
    await t.rejects(database.snapshot(() => Promise.reject(new Error("no")), watch), /no/)
    watch.enter("encode")
    watch.stop()
    for (const phase of phases) t.ok(watch.spent(phase) > 0, phase)
  })
})

t.test("Server-Timing is for operators, and never for strangers", async (t) => {
  const { build, write, start } = await freshWorkshop(t)
  await build.account("partner")
  await build.account("op", "operator")
  const number = "\\d+(\\.\\d+)?"
  const each = ["auth", "db", "project", "encode", "total"].map((of) => `${of};dur=${number}`)
  write("  - use: connector-b\n    with: { segment: b, organizations: [] }")
  const service = await start()
  const timingFor = async (ask: (path: string) => Promise<Response>) =>
    (await ask("/b/v1/events")).headers.get("server-timing")
  t.match(await timingFor(await logInto(service.fetch, "op")), new RegExp(`^${each.join(", ")}$`))
  t.equal(await timingFor(await logInto(service.fetch, "partner")), null)
  const stranger = (path: string) => service.fetch(new Request(`http://localhost${path}`))
  t.equal(await timingFor(stranger), null)
})
