import { sql } from "kysely"
import t, { type Test } from "tap"
import type { Database } from "../../../core/data/database.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { findTrouble } from "../../../plugins/capabilities/check/trouble.ts"
import { type Instance, startInstance } from "../../../core/kernel/instance.ts"
import type { Json } from "../../../plugins/documents/openapi/schemas.ts"
import { generous, testConfig } from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { copiedUrl, type Engine, onEveryEngine, openFor } from "../../support/database.ts"
import { scannedLog } from "../../support/scanned-log.ts"
import { logInto } from "../../support/service.ts"

const sentence = /Deletions cannot be known here.*Compare your copy with the digest\./

await onEveryEngine(t, async (t, engine) => {
  const world = await worldOfViews(t, engine)
  const { database, event, guest, lag } = world
  const base = `/connector-b/v1/events/${event}`
  const lists = ["guests", "items"]

  await t.test("views without own triggers: lists of deletions are announced only", async (t) => {
    const instance = await world.start(t, false)
    const get = await logInto(instance.fetch, "ann")
    const expectProblem = async (t: Test, path: string, [status, code]: [number, string]) => {
      const response = await get(path)
      t.equal(response.status, status, path)
      t.equal(response.headers.get("content-type"), "application/problem+json", path)
      t.match(await response.json(), { status, code }, path)
    }

    await t.test("they are 404 not_available, after the checks of any route of the event", async (t) => {
      for (const list of lists) {
        const response = await get(`${base}/${list}/deletions?since=-1`)
        t.equal(response.status, 404)
        t.equal(response.headers.get("content-type"), "application/problem+json")
        t.match(await response.json(), { code: "not_available", detail: sentence })
        const path = (id: string) => `/connector-b/v1/events/${id}/${list}/deletions`
        await expectProblem(t, path(crypto.randomUUID()), [404, "event_not_found"])
        await expectProblem(t, path(world.withheld), [404, "event_not_found"])
        await expectProblem(t, path("1"), [400, "invalid_parameter"])
        await expectProblem(t, `/acme/v1/events/${event}/${list}/deletions`, [
          403,
          "not_service_user",
        ])
        const stranger = await instance.fetch(new Request(`http://localhost${path(event)}`))
        t.equal(stranger.status, 401)
      }
    })

    await t.test("the OpenAPI document has them as announced, and everything else as it was", async (t) => {
      const { paths } = await (await get("/openapi.json")).json() as { paths: Json }
      for (const list of lists) {
        const path = `/connector-b/v1/events/{eventId}/${list}`
        const { get: operation } = paths[`${path}/deletions`] as { get: Json }
        t.match(operation, {
          summary: "Not available",
          description: sentence,
          "x-announced": true,
          responses: { 404: Object },
        })
        t.notOk(Object.keys(operation["responses"] as Json).some((status) => status < "400"))
        for (const other of [path, `${path}/digest`]) {
          t.match(paths[other], { get: { responses: { 200: Object } } }, other)
        }
      }
    })

    await t.test("lists and digests are served, and Next-Since is polling.lag behind", async (t) => {
      for (const list of lists) {
        for (const path of [`${base}/${list}?since=-1`, `${base}/${list}/digest`]) {
          const response = await get(path)
          t.equal(response.status, 200, path)
          const behind = Date.now() / 1000 - Number(response.headers.get("next-since"))
          t.ok(behind >= lag - 1 && behind < lag + 10, `${behind} seconds`)
        }
      }
      t.match(await (await get(`${base}/guests/digest`)).json(), { count: 1 })
    })

    await t.test("nobody waits for changes, and changed is the newest updated", async (t) => {
      const future = Math.floor(Date.now() / 1000) + 50
      const response = await get(`${base}/guests?since=${future}`, { prefer: "wait=50" })
      t.equal(response.status, 200)
      t.equal(response.headers.get("preference-applied"), null)
      const [newest] = await (await get(`${base}/guests?since=-1`)).json()
      const events = await (await get("/connector-b/v1/events")).json()
      const { changed } = events.find(({ id }: { id: string }) => id === event)
      t.equal(changed, newest.updated)
    })

    await t.test("check warns of them once, and of no lost triggers", async (t) => {
      const warnings = await world.warnings(false)
      t.match(warnings, [{
        about: "address, consent, guest",
        message: /deletions cannot be known.*own_triggers/s,
      }])
      t.equal(warnings.length, 1)
    })
  })

  await t.test("views with own triggers: deletions are listed, and Next-Since is exact", async (t) => {
    t.strictSame(await world.warnings(true), [])
    const instance = await world.start(t, true)
    const get = await logInto(instance.fetch, "ann")
    const { paths } = await (await get("/openapi.json")).json() as { paths: Json }
    t.notMatch(paths["/connector-b/v1/events/{eventId}/guests/deletions"], {
      get: { "x-announced": true },
    })
    const read = async () => {
      const response = await get(`${base}/guests?since=-1`)
      return {
        etag: response.headers.get("etag") ?? "",
        next: Number(response.headers.get("next-since")),
      }
    }
    const first = await read()
    t.match(await get(`${base}/guests?since=-1`, { "if-none-match": first.etag }), { status: 304 })
    if (engine === "mysql") t.ok(Date.now() / 1000 - first.next < lag - 5, "not the lag")

    await sql`delete from own_guest where id = ${guest}`.execute(database.writer)
    t.match(await get(`${base}/guests?since=-1`, { "if-none-match": first.etag }), { status: 200 })
    const deletions = await get(`${base}/guests/deletions?since=${first.next}`)
    t.match(await deletions.json(), [{ id: guest }])
    t.equal((await get(`${base}/items/deletions`)).status, 200)
    t.equal((await instance.readiness()).ready, true)
    t.match(await instance.readiness(), { triggers: "ok" })
  })
})

interface World {
  readonly database: Database
  readonly event: string
  /** An event that the partner may not read. */
  readonly withheld: string
  readonly guest: string
  readonly lag: number
  start(t: Test, ownTriggers: boolean): Promise<Instance>
  /** Returns what `check` says about views and triggers. */
  warnings(ownTriggers: boolean): Promise<{ readonly about: string; readonly message: string }[]>
}

/**
 * Returns a database with views in the place of the guests. The triggers stay on the operator's tables, so they
 * log changes whether the configuration says so or not.
 */
async function worldOfViews(t: Test, engine: Engine): Promise<World> {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  const acme = await build.organization("acme")
  const event = await build.event(acme)
  const withheld = await build.event(acme)
  const guest = await build.guest(event)
  await build.item("tickets", event)
  await build.account("ann")
  await build.grant("ann", { event })
  const { writer } = database
  const replaced = ["guest", "consent", "address"]
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

  const planOf = async (own_triggers: boolean) => {
    const plan = await testConfig(url)
    return { ...plan, limits: generous, database: { ...plan.database, own_triggers } }
  }
  return {
    database,
    event,
    withheld,
    guest,
    lag: (await planOf(false)).polling.lag,
    async start(t, ownTriggers) {
      const instance = await startInstance(await planOf(ownTriggers), { log: scannedLog(t, []) })
      t.teardown(() => instance.close())
      return instance
    },
    async warnings(ownTriggers) {
      const { warnings } = await findTrouble(await planOf(ownTriggers))
      return warnings.filter(({ about }) => !/^(account |organization |limits)/.test(about))
    },
  }
}
