import { sql } from "kysely"
import t from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { startInstance } from "../../../core/kernel/instance.ts"
import { generous, testConfig } from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { copiedUrl, onEveryEngine, openFor } from "../../support/database.ts"
import { scannedLog } from "../../support/scanned-log.ts"
import { logInto } from "../../support/service.ts"

const sentence = /Deletions cannot be known here.*Compare your copy with the digest\./
const lists = ["guests", "items"]
const replaced = ["guest", "consent", "address"]

await onEveryEngine(t, async (t, engine) => {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  const { writer } = database
  await migrate(database)
  const build = new Builder(database)
  const acme = await build.organization("acme")
  const [event, withheld] = [await build.event(acme), await build.event(acme)]
  await build.guest(event)
  await build.item("tickets", event)
  await build.account("ann")
  await build.grant("ann", { event })
  for (const table of replaced) {
    await sql`alter table ${sql.table(table)} rename to ${sql.table(`own_${table}`)}`.execute(
      writer,
    )
  }
  for (const table of replaced) {
    await sql`create view ${sql.table(table)} as select * from ${sql.table(`own_${table}`)}`
      .execute(writer)
  }
  await migrate(database)
  const plan = await testConfig(url)
  const { lag } = plan.polling
  const own = { ...plan.database, own_triggers: false }
  const instance = await startInstance({ ...plan, limits: generous, database: own }, {
    log: scannedLog(t, []),
  })
  t.teardown(() => instance.close())
  const get = await logInto(instance.fetch, "ann")
  const base = `/connector-b/v1/events/${event}`

  await t.test("views without own triggers: lists of deletions are 404 not_available, after all other checks", async (t) => {
    const path = (id: string, list: string) => `/connector-b/v1/events/${id}/${list}/deletions`
    for (const list of lists) {
      const expected: [path: string, status: number, problem: object][] = [
        [`${path(event, list)}?since=-1`, 404, { code: "not_available", detail: sentence }],
        [path(crypto.randomUUID(), list), 404, { code: "event_not_found" }],
        [path(withheld, list), 404, { code: "event_not_found" }],
        [path("1", list), 400, { code: "invalid_parameter" }],
        [`/acme/v1/events/${event}/${list}/deletions`, 403, { code: "not_service_user" }],
      ]
      for (const [path, status, problem] of expected) {
        const response = await get(path)
        t.equal(response.status, status, path)
        t.match(await response.json(), problem, path)
      }
      const stranger = new Request(`http://localhost${path(event, list)}`)
      t.equal((await instance.fetch(stranger)).status, 401)
    }
  })

  await t.test("views without own triggers: the OpenAPI document announces lists of deletions", async (t) => {
    const { paths } = await (await get("/openapi.json")).json()
    for (const list of lists) {
      const path = `/connector-b/v1/events/{eventId}/${list}`
      t.match(paths[`${path}/deletions`].get, { description: sentence, "x-announced": true })
      t.notOk(Object.keys(paths[`${path}/deletions`].get.responses).some((each) => each < "400"))
      t.match(paths[path], { get: { responses: { 200: Object } } })
    }
  })

  await t.test("views without own triggers: Next-Since is polling.lag behind, and nobody waits for changes", async (t) => {
    for (const list of lists) {
      for (const path of [`${base}/${list}?since=-1`, `${base}/${list}/digest`]) {
        const response = await get(path)
        t.equal(response.status, 200, path)
        const behind = Date.now() / 1000 - Number(response.headers.get("next-since"))
        t.ok(behind >= lag - 1 && behind < lag + 10, `${behind} seconds`)
      }
    }
    const future = Math.floor(Date.now() / 1000) + 50
    const response = await get(`${base}/guests?since=${future}`, { prefer: "wait=50" })
    t.equal(response.status, 200)
    t.equal(response.headers.get("preference-applied"), null)
    const [newest] = await (await get(`${base}/guests?since=-1`)).json()
    const events = await (await get("/connector-b/v1/events")).json()
    t.equal(events.find(({ id }: { id: string }) => id === event).changed, newest.updated)
  })
})
