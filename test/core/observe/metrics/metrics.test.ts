import { writeFileSync } from "node:fs"
import { setImmediate } from "node:timers/promises"
import t from "tap"
import { generous } from "../../../support/app.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { password } from "../../../support/builder.ts"
import { factsOf, pageFactsOf } from "../../../support/facts.ts"
import { samplesOf, valueOf } from "../../../support/samples.ts"
import { freshWorkshop, logInto } from "../../../support/service.ts"

const plugins = `  - use: connector-b
    with: { segment: connector-b, organizations: [acme] }`
const limits = `limits: ${JSON.stringify(generous)}`
const guestsRoute = "/connector-b/v1/events/:eventId/guests"

await onEveryEngine(t, async (t, engine) => {
  const workshop = await freshWorkshop(t, engine)
  const { build } = workshop
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 5)
  await build.account("partner")
  await build.account("jane.doe", "operator")
  for (const name of ["partner", "jane.doe"]) await build.grant(name, { organization: "acme" })
  workshop.write(plugins, limits)
  const service = await workshop.start()
  const metrics = await service.openMetrics()
  const read = async () => samplesOf((await metrics.read()).text)
  const get = await logInto(service.fetch, "partner")
  const guests = `/connector-b/v1/events/${event}/guests`

  await t.test("requests are counted by family, route, method and status, with time, rows and bytes", async (t) => {
    const response = await get(`${guests}?since=0`)
    const { byteLength } = await response.arrayBuffer()
    await get(`${guests}?limit=0`)
    const samples = await read()
    const route = { family: "connector-b", route: guestsRoute }
    const total = (labels: Record<string, string>) =>
      valueOf(samples, "event_export_requests_total", labels)
    t.equal(total({ ...route, method: "GET", status: "200" }), 1)
    t.equal(total({ ...route, status: "400" }), 1)
    t.equal(total({ family: "session", method: "POST", status: "204" }), 1)
    t.equal(valueOf(samples, "event_export_request_seconds_count", route), 2)
    t.equal(valueOf(samples, "event_export_database_seconds_count", route), 2)
    const seconds = valueOf(samples, "event_export_database_seconds_sum", route) ?? 0
    t.ok(
      seconds > 0 && seconds <= (valueOf(samples, "event_export_request_seconds_sum", route) ?? 0),
    )
    t.equal(valueOf(samples, "event_export_rows_total", route), 5)
    t.ok((valueOf(samples, "event_export_response_bytes_total", route) ?? 0) > byteLength)
    t.equal(
      valueOf(samples, "event_export_problems_total", {
        family: "connector-b",
        code: "invalid_parameter",
      }),
      1,
    )
  })

  await t.test("a partner's walks, its last poll, its since and its bad parameters are told by event", async (t) => {
    const labels = { account: "partner", family: "connector-b", event, list: "guests" }
    const walks = (samples: ReturnType<typeof samplesOf>) =>
      ["begun", "completed"].map((what) =>
        valueOf(samples, `event_export_partner_walks_${what}_total`, labels)
      )
    const [begun = 0, completed = 0] = walks(await read())
    const since = 1_700_000_000
    const first = await get(`${guests}?since=0&limit=2`)
    t.strictSame(walks(await read()), [begun + 1, completed], "a walk that goes on")
    const next = /<http:\/\/localhost(.*)>/.exec(first.headers.get("link") ?? "")?.[1] ?? ""
    const second = await get(next)
    const last = /<http:\/\/localhost(.*)>/.exec(second.headers.get("link") ?? "")?.[1] ?? ""
    await get(last)
    t.strictSame(walks(await read()), [begun + 1, completed + 1], "by cursor")
    for (const offset of [0, 3, 6]) await get(`${guests}?since=${since}&limit=3&offset=${offset}`)
    t.strictSame(walks(await read()), [begun + 2, completed + 2], "by offset, to an empty page")
    await get(`${guests}?limit=many&ofset=1`)
    const samples = await read()
    const now = Date.now() / 1000
    const last_poll = valueOf(samples, "event_export_partner_last_poll_timestamp_seconds", labels)
    t.ok(Math.abs((last_poll ?? 0) - now) < 60)
    const age = valueOf(samples, "event_export_partner_since_age_seconds", labels) ?? 0
    t.ok(Math.abs(age - (now - since)) < 60, `${age}`)
    t.equal(valueOf(samples, "event_export_partner_poll_interval_seconds", labels), 60)
    const rejected = (parameter: string) =>
      valueOf(samples, "event_export_rejected_parameters_total", { account: "partner", parameter })
    t.equal(rejected("limit"), 2)
    t.equal(rejected("unknown"), 1, "what people type is no label")
  })

  await t.test("a poll that gets 304 is a poll, and a whole walk", async (t) => {
    const labels = { account: "partner", family: "connector-b", event, list: "guests" }
    const told = async () => {
      const samples = await read()
      return ["last_poll_timestamp_seconds", "walks_begun_total", "walks_completed_total"].map(
        (name) => valueOf(samples, `event_export_partner_${name}`, labels) ?? 0,
      )
    }
    const first = await get(`${guests}?since=5`)
    const etag = first.headers.get("etag") ?? ""
    const [at = 0, begun = 0, completed = 0] = await told()
    while (Date.now() / 1000 <= at) await setImmediate()
    t.equal((await get(`${guests}?since=5`, { "if-none-match": etag })).status, 304)
    const after = await told()
    t.ok((after[0] ?? 0) > at, "the last poll moves on")
    t.strictSame(after.slice(1), [begun + 1, completed + 1])

    const page = await get(`${guests}?since=5&limit=2`)
    t.ok(page.headers.get("link"), "more pages follow")
    const again = { "if-none-match": page.headers.get("etag") ?? "" }
    t.equal((await get(`${guests}?since=5&limit=2`, again)).status, 304)
    t.strictSame((await told()).slice(1), [begun + 3, completed + 2], "a 304 ends the walk")
  })

  await t.test("operators are people, and have no name", async (t) => {
    await (await logInto(service.fetch, "jane.doe"))(guests)
    const { text } = await metrics.read()
    t.notMatch(text, "jane")
    t.equal(
      valueOf(samplesOf(text), "event_export_partner_walks_begun_total", { account: "operator" }),
      1,
    )
  })

  await t.test("log-ins, reloads, readiness, connections and batches are told", async (t) => {
    const logIn = (word: string) =>
      service.fetch(
        new Request("http://localhost/session", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ username: "partner", password: word }),
        }),
      )
    await logIn("wrong")
    await logIn(password)
    const before = await read()
    t.equal(valueOf(before, "event_export_log_ins_total", { result: "refused" }), 1)
    t.equal(valueOf(before, "event_export_log_ins_total", { result: "accepted" }), 3)
    t.equal(valueOf(before, "event_export_ready"), 1)
    t.equal(valueOf(before, "event_export_database_connections", { state: "used" }), 0)
    t.equal(valueOf(before, "event_export_batch_dropped_total", { batch: "audit" }), 0)
    const hash = service.instance.config.hash
    t.equal(valueOf(before, "event_export_info", { config: hash }), 1)
    workshop.write(`${plugins}\n  - use: health`, limits)
    await service.reload("a test")
    writeFileSync(workshop.file, "nonsense")
    await service.reload("a test")
    const after = await read()
    t.equal(valueOf(after, "event_export_reloads_total", { result: "applied" }), 1)
    t.equal(valueOf(after, "event_export_reloads_total", { result: "refused" }), 1)
    t.equal(valueOf(before, "event_export_config_refused"), 0)
    t.equal(valueOf(after, "event_export_config_refused"), 1)
    t.equal(valueOf(after, "event_export_info", { config: hash }), undefined)
    t.equal(valueOf(after, "event_export_info", { config: service.instance.config.hash }), 1)
    t.equal(
      valueOf(after, "event_export_log_ins_total", { result: "accepted" }),
      3,
      "counts outlast a reload",
    )
  })

  await t.test("a flood of paths, methods, ids and names makes no more than so many series", async (t) => {
    const count = async () =>
      (await read()).filter(({ name }) => name.startsWith("event_export")).length
    for (let n = 0; n < 300; n++) {
      const id = crypto.randomUUID()
      const method = ["GET", "POST", `M${n}`][n % 3] ?? ""
      await service.fetch(new Request(`http://localhost/${id}/v1/${n}?${id}=1`, { method }))
      await get(`/connector-b/v1/events/${id}/guests?${id}=${n}`)
      await get(`/connector-b/v1/events/${id}/guests`)
    }
    const some = await count()
    for (let n = 0; n < 100; n++) {
      const id = crypto.randomUUID()
      await service.fetch(new Request(`http://localhost/${id}`, { method: `N${n}` }))
      await get(`/connector-b/v1/events/${id}/items?${id}=${n}`)
      await get(`/connector-b/v1/events/${id}/guests?q=${id}`)
    }
    t.ok(await count() - some <= 40, "one new route with its histograms")
    const { text } = await metrics.read()
    t.notMatch(text, /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text.replaceAll(event, ""))?.[0] ?? "no id")
  })

  await t.test("a thousand events of partners have series of their own, and the others share one", async (t) => {
    for (let n = 0; n < 3000; n++) {
      const event = crypto.randomUUID()
      const names = { family: "connector-b", route: guestsRoute, role: "partner", event }
      metrics.record(
        factsOf(
          { ...names, account: `partner-${n % 500}`, rows: 0, rejected: ["q"] },
          pageFactsOf(),
        ),
      )
    }
    const samples = await read()
    const of = (name: string) => samples.filter((sample) => sample.name === name)
    t.equal(of("event_export_partner_walks_begun_total").length, 1001)
    t.equal(of("event_export_partner_last_poll_timestamp_seconds").length, 1001)
    t.ok(of("event_export_rejected_parameters_total").length <= 200 + 3)
    const begun = of("event_export_partner_walks_begun_total")
    t.ok((begun.find(({ labels }) => labels["event"] === "other")?.value ?? 0) > 1900)
  })
})
