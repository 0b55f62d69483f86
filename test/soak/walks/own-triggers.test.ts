import { setTimeout } from "node:timers/promises"
import { type Compilable, CompiledQuery } from "kysely"
import t from "tap"
import type { Snapshot } from "../../../core/data/database.ts"
import { startInstance } from "../../../core/kernel/instance.ts"
import { guest } from "../../../core/records/kinds/guest.ts"
import { newestKeys, queryPage } from "../../../core/records/newest-first.ts"
import { pick } from "../../../core/records/projection.ts"
import { testConfig } from "../../support/app.ts"
import { withoutMysql } from "../../support/database.ts"
import { openPlatform } from "../../support/handbook-platform.ts"
import { scannedLog } from "../../support/scanned-log.ts"
import { logInto } from "../../support/service.ts"

const now = () => Math.floor(Date.now() / 1000)

t.test("the triggers of the handbook", { skip: withoutMysql }, async (t) => {
  const { url, database, gala, connect, attend } = await openPlatform(t, { triggers: true })
  const write = await connect()
  const ada = await attend("Ada")

  await t.test("Next-Since stays behind a long transaction, which then is read", async (t) => {
    const plan = await testConfig(url)
    const config = { ...plan, database: { ...plan.database, own_triggers: true } }
    const instance = await startInstance(config, { log: scannedLog(t, []) })
    t.teardown(() => instance.close())
    const get = await logInto(instance.fetch, "ann")
    const poll = async (since: number, etag = "") => {
      const headers: Record<string, string> = etag ? { "if-none-match": etag } : {}
      const response = await get(`/connector-b/v1/events/${gala}/guests?since=${since}`, headers)
      const guests = response.status === 200 ? await response.json() : []
      return {
        status: response.status,
        names: new Map(
          guests.map((each: { id: string; lastName: string }) => [each.id, each.lastName]),
        ),
        next: Number(response.headers.get("next-since")),
        etag: response.headers.get("etag") ?? "",
      }
    }
    const long = await connect()
    await long("start transaction")
    await long("update attendee set surname = 'Long' where uuid = ?", [ada])
    const began = now()
    await setTimeout(4500)
    const grace = await attend("Grace")
    const during = await poll(began - 3)
    t.ok(during.names.has(grace))
    t.not(during.names.get(ada), "Long")
    t.ok(during.next <= began, `${during.next} is not after ${began}`)
    await long("commit")
    const after = await poll(during.next, during.etag)
    t.equal(after.status, 200, "not 304")
    t.equal(after.names.get(ada), "Long")
    let { next } = after
    while (next < began + 4) {
      await setTimeout(200)
      next = (await poll(next)).next
    }
    t.pass("then it moves on")
  })

  await t.test("the index on the table serves the order of the view", async (t) => {
    for (let portion = 0; portion < 4; portion++) {
      await write(
        `insert into attendee (uuid, gala_uuid, forename, surname, mail, phone, crm_key, wants_texts, created_at)
        with recursive n as (select 1 as i union all select i + 1 from n where i < 1000)
        select uuid(), '${gala}', 'F', 'S', '', '', '', false, now() from n`,
      )
    }
    await write("analyze table attendee")
    const page = { since: -1, offset: 0, limit: 100, terms: [] }
    const projection = pick(guest, ["firstName"])
    const listing = { category: "guests", eventId: gala, page, projection } as const
    const snapshot = { db: database.writer, dialect: database.dialect } as unknown as Snapshot
    const first = (changes: object) => {
      const changed = { ...listing, page: { ...page, ...changes } }
      const query = queryPage(snapshot, changed, 0)
      if (!query) throw new TypeError("the list has ended")
      return query.query
    }
    const explain = async ({ sql, parameters }: CompiledQuery) => {
      const query = CompiledQuery.raw(`explain format=traditional ${sql}`, [...parameters])
      return (await database.writer.executeQuery<Step>(query)).rows
    }
    const queries = {
      "a first page": first({}),
      "a page of changes": first({ since: now() }),
      "a page by cursor": first({ after: { guests: [now(), crypto.randomUUID()] } }),
      "the keys of a page by offset": newestKeys(snapshot, listing).limit(100).offset(2000),
    }
    for (const [name, query] of Object.entries(queries)) {
      const { sql, parameters } = (query as unknown as Compilable).compile()
      const [step, ...others] = await explain(CompiledQuery.raw(sql, [...parameters]))
      t.match(step, { table: "attendee", key: "guest_newest" }, name)
      t.notMatch(step?.Extra, /filesort/, name)
      t.equal(others.length, 0, name)
    }
    const newest = CompiledQuery.raw("select max(updated) from guest where event_id = ?", [gala])
    t.match(await explain(newest), [{ Extra: /optimized away/ }])
  })
})

interface Step {
  readonly table: string | null
  readonly key: string | null
  readonly Extra: string | null
}
