import { openMetrics } from "../../../support/metrics.ts"
import { writeFileSync } from "node:fs"
import t from "tap"
import { generousSettings } from "../../../support/app.ts"
import { onEmbedded } from "../../../support/database.ts"
import { password } from "../../../support/builder.ts"
import { samplesOf, valueOf } from "../../../support/samples.ts"
import { freshWorkshop, logInto } from "../../../support/service.ts"

const plugins = `  - use: connector-b
    with: { segment: connector-b, organizations: [acme] }`
const limits = `limits: ${JSON.stringify(generousSettings)}`
const guestsRoute = "/connector-b/v1/events/:eventId/guests"

await onEmbedded(t, async (t, engine) => {
  const workshop = await freshWorkshop(t, engine)
  const { build } = workshop
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 5)
  await build.account("partner")
  await build.account("jane.doe", "operator")
  for (const name of ["partner", "jane.doe"]) await build.grant(name, { organization: "acme" })
  workshop.write(plugins, limits)
  const service = await workshop.start()
  const metrics = await openMetrics(t, service)
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

  await t.test("bad parameters are counted by a partner's name, and by no name of a person", async (t) => {
    await get(`${guests}?limit=many&ofset=1`)
    await (await logInto(service.fetch, "jane.doe"))(`${guests}?limit=0`)
    const { text } = await metrics.read()
    const rejected = (account: string, labels: Record<string, string> = {}) =>
      valueOf(samplesOf(text), "event_export_rejected_parameters_total", { account, ...labels })
    t.equal(rejected("partner", { parameter: "limit" }), 2)
    t.equal(rejected("partner", { parameter: "unknown" }), 1, "what people type is no label")
    t.notMatch(text, "jane")
    t.equal(rejected("operator"), 1)
  })

  await t.test("log-ins, reloads, readiness, connections and batches are told", async (t) => {
    const logIn = (word: string, headers: Record<string, string> = {}) =>
      service.fetch(
        new Request("http://localhost/session", {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify({ username: "partner", password: word }),
        }),
      )
    await logIn("wrong")
    await logIn(password)
    await logIn(password, { prefer: "return=representation" })
    const shows = async (expected: readonly (readonly [string, object, number | undefined])[]) => {
      const samples = await read()
      for (const [name, labels, value] of expected) {
        t.equal(valueOf(samples, `event_export_${name}`, { ...labels }), value, name)
      }
    }
    const { hash } = service.instance.config
    await shows([
      ["log_ins_total", { result: "refused" }, 1],
      ["log_ins_total", { result: "accepted" }, 4],
      ["log_ins_total", { result: "failed" }, 0],
      ["ready", {}, 1],
      ["database_connections", { state: "used" }, 0],
      ["batch_dropped_total", { batch: "audit" }, 0],
      ["info", { config: hash }, 1],
      ["config_refused", {}, 0],
    ])
    workshop.write(`${plugins}\n  - use: health`, limits)
    await service.reload("a test")
    writeFileSync(workshop.file, "nonsense")
    await service.reload("a test")
    await shows([
      ["reloads_total", { result: "applied" }, 1],
      ["reloads_total", { result: "refused" }, 1],
      ["config_refused", {}, 1],
      ["info", { config: hash }, undefined],
      ["info", { config: service.instance.config.hash }, 1],
      // Counts outlast a reload.
      ["log_ins_total", { result: "accepted" }, 4],
    ])
  })

  await t.test("nothing is shown of several database servers if there is one", async (t) => {
    t.notMatch((await metrics.read()).text, /event_export_(node|failovers)_/)
    t.notOk("nodes" in service.instance.status())
  })

  await t.test("a flood of paths, methods, ids and names makes no more than so many series", async (t) => {
    const flood = async (from: number) => {
      for (let n = from; n < from + 10; n++) {
        const id = crypto.randomUUID()
        const method = ["GET", "POST", `M${n}`][n % 3] ?? ""
        await service.fetch(new Request(`http://localhost/${id}/v1/${n}?${id}=1`, { method }))
        await get(`/connector-b/v1/events/${id}/guests?${id}=${n}`)
        await get(`/connector-b/v1/events/${id}/guests?q=${id}`)
      }
      return (await read()).filter(({ name }) => name.startsWith("event_export")).length
    }
    const some = await flood(0)
    t.equal(await flood(10), some)
    const { text } = await metrics.read()
    t.notMatch(text, /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text.replaceAll(event, ""))?.[0] ?? "no id")
  })

  await t.test("how partners are doing is the same after a restart", async (t) => {
    await get(`${guests}?since=0`)
    await service.close()
    workshop.write(plugins, limits)
    const { database } = workshop
    const { now } = await database.writer.selectNoFrom(database.dialect.now.as("now"))
      .executeTakeFirstOrThrow()
    const again = await workshop.start()
    const samples = samplesOf((await (await openMetrics(t, again)).read()).text)
    const labels = { account: "partner" }
    t.equal(valueOf(samples, "event_export_partner_state", { ...labels, state: "in sync" }), 1)
    const last = valueOf(samples, "event_export_partner_last_poll_timestamp_seconds", labels)
    t.ok(now - (last ?? 0) < 3600, `${last}`)
    t.equal(valueOf(samples, "event_export_partner_poll_interval_seconds", labels), 60)
    t.equal(valueOf(samples, "event_export_partners", { state: "in sync" }), 1)
  })
})
