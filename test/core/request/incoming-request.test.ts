import { setTimeout } from "node:timers/promises"
import t from "tap"
import { receive, Stopwatch } from "../../../core/request/incoming-request.ts"
import { freshApp } from "../../support/app.ts"
import { freshDatabase, onEmbedded } from "../../support/database.ts"

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

t.test("the log has the id of the caller's trace, if there is one", async (t) => {
  const { request, entries } = await freshApp(t, "sqlite")
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
  const parent = `${traceId}-00f067aa0ba902b7-01`
  const logged = async (traceparent: string) => {
    await request("/nothing", { headers: { traceparent } })
    return entries.at(-1)?.["traceId"]
  }
  for (const valid of [`00-${parent}`, `cc-${parent}-what-comes`]) {
    t.equal(await logged(valid), traceId, valid)
  }
  const upper = `00-${parent.toUpperCase()}`
  for (const bad of ["", "00", `00-${traceId}`, upper, `00-${parent}, 00-${parent}`]) {
    t.equal(await logged(bad), undefined, bad)
  }
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
