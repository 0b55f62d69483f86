import { setTimeout } from "node:timers/promises"
import fc from "fast-check"
import t from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { startInstance } from "../../../core/kernel/instance.ts"
import {
  continueTrace,
  phases,
  receive,
  Stopwatch,
  traceResponse,
} from "../../../core/request/incoming-request.ts"
import { freshApp, testConfig } from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { copiedUrl, freshDatabase, onEmbedded, openFor } from "../../support/database.ts"
import { logInto } from "../../support/service.ts"

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const parentId = "00f067aa0ba902b7"

t.test("receive takes over a request id that is safe to log and to store", (t) => {
  const idFor = (given: string) => {
    const request = new Request("http://localhost/", { headers: { "x-request-id": given } })
    return receive(request, { address: "192.0.2.1" }, { keepLaps: false }).id
  }
  for (const id of ["a", "Root=1-67891233_abc.d".replace("=", ":"), "x".repeat(64)]) {
    t.equal(idFor(id), id)
  }
  for (const id of ["", "x".repeat(65), "two words", "<script>", "a,b"]) {
    t.match(idFor(id), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, id)
  }
  t.end()
})

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

t.test("continueTrace makes whole ids that do not repeat", async (t) => {
  const made = Array.from({ length: 5000 }, () => continueTrace(null))
  t.equal(new Set(made.map(({ traceId }) => traceId)).size, made.length)
  t.equal(new Set(made.map(({ spanId }) => spanId)).size, made.length)
  t.ok(made.every(({ traceId, spanId }) => traceId.length === 32 && spanId.length === 16))
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

const steps = fc.array(fc.constantFrom(...phases, "begin" as const, "end" as const), {
  maxLength: 30,
})

t.test("Stopwatch: phases never add up to more than the whole, and laps add up to the phases", (t) => {
  fc.assert(
    fc.property(steps, (steps) => {
      const watch = new Stopwatch({ keepLaps: true })
      for (const step of steps) {
        if (step === "begin" || step === "end") watch[step]()
        else watch.enter(step)
      }
      const whole = watch.stop()
      const spent = phases.reduce((sum, phase) => sum + watch.spent(phase), 0)
      const laps = watch.laps ?? []
      const inLaps = laps.reduce((sum, { from, to }) => sum + to - from, 0)
      return spent <= whole + 1e-6 && Math.abs(inLaps - spent) < 1e-6 &&
        laps.every(({ from }, index) => index === 0 || from >= (laps[index - 1]?.to ?? 0))
    }),
  )
  t.end()
})

t.test("Stopwatch: waiting interrupts a phase, which goes on when all that is waited for has come", async (t) => {
  const watch = new Stopwatch({ keepLaps: true })
  watch.enter("project")
  watch.begin()
  watch.begin()
  watch.end()
  watch.end()
  watch.enter("encode")
  watch.stop()
  t.strictSame(watch.laps?.map(({ phase }) => phase), ["project", "db", "project", "encode"])
})

t.test("Stopwatch: the end of a wait that has ended already does not hide the next one", async (t) => {
  const watch = new Stopwatch({ keepLaps: true })
  watch.enter("auth")
  watch.begin()
  watch.end()
  watch.end()
  watch.begin()
  watch.stop()
  t.strictSame(watch.laps?.map(({ phase }) => phase), ["auth", "db", "auth", "db"])
})

t.test("Stopwatch: each lap and the header have the database server that was asked then", async (t) => {
  const watch = new Stopwatch({ keepLaps: true })
  for (const node of ["db1:3306", "db2:3306"]) {
    watch.node = node
    watch.begin()
    watch.end()
  }
  const laps = watch.laps?.map(({ phase, node }) => [phase, node])
  t.strictSame(laps, [["db", "db1:3306"], ["db", "db2:3306"]])
  t.match(watch.header(), /, total;dur=[\d.]+, node;desc="db2:3306"$/)
  t.notMatch(new Stopwatch().header(), "node", "with a single server")
})

t.test("Stopwatch: nothing is counted once it has stopped", async (t) => {
  const watch = new Stopwatch()
  const whole = watch.stop()
  watch.enter("encode")
  await setTimeout(5)
  watch.end()
  watch.begin()
  t.equal(watch.stop(), whole)
  t.equal(watch.spent("encode"), 0)
})

await onEmbedded(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)

  await t.test("Database.snapshot tells the time of its statements apart from that of the work", async (t) => {
    const watch = new Stopwatch({ keepLaps: true })
    watch.enter("auth")
    await database.snapshot(async ({ db, run }) => {
      const one = () => run(db.selectFrom("account").select("id"))
      await one()
      watch.enter("project")
      await setTimeout(50)
      await Promise.all([one(), one()])
    }, watch)
    watch.stop()
    t.ok(watch.spent("project") >= 45, `${watch.spent("project")} ms`)
    t.ok(watch.spent("db") > 0)
    const seen = watch.laps?.map(({ phase }) => phase) ?? []
    t.strictSame(seen.filter((phase, index) => phase !== seen[index - 1]), [
      ...["auth", "db", "auth", "db", "auth", "project", "db", "project", "db", "project"],
    ])
  })

  await t.test("Database.snapshot leaves nobody waiting when the work fails", async (t) => {
    const watch = new Stopwatch({ keepLaps: true })
    await t.rejects(database.snapshot(() => Promise.reject(new Error("no")), watch), /no/)
    watch.enter("encode")
    watch.stop()
    t.equal(watch.laps?.at(-1)?.phase, "encode")
  })
})

t.test("Server-Timing is for those whom server.timing names, and never for strangers", async (t) => {
  const url = await copiedUrl(t, "sqlite")
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  await build.account("partner")
  await build.account("op", "operator")
  const config = await testConfig(url)
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const shown: Record<string, boolean[]> = {}
  for (const timing of ["operators", "all", "off"] as const) {
    const instance = await startInstance({ ...config, server: { ...config.server, timing } }, {
      log,
    })
    const [partner, op] = [
      await logInto(instance.fetch, "partner"),
      await logInto(instance.fetch, "op"),
    ]
    const stranger = (path: string) => instance.fetch(new Request(`http://localhost${path}`))
    shown[timing] = []
    for (const ask of [op, partner, stranger]) {
      const header = (await ask("/connector-b/v1/events")).headers.get("server-timing")
      const number = "\\d+(\\.\\d+)?"
      const each = ["auth", "db", "project", "encode", "total"].map((of) => `${of};dur=${number}`)
      if (header) t.match(header, new RegExp(`^${each.join(", ")}$`))
      shown[timing]?.push(header !== null)
    }
    await instance.close()
  }
  t.strictSame(shown, {
    operators: [true, false, false],
    all: [true, true, false],
    off: [false, false, false],
  })
})
