import { readFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { type Compilable, CompiledQuery } from "kysely"
import mysql from "mysql2/promise"
import t, { type Test } from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import type { Database, Snapshot } from "../../../core/data/database.ts"
import { findTrouble } from "../../../plugins/capabilities/check/trouble.ts"
import { startInstance } from "../../../core/kernel/instance.ts"
import { guest } from "../../../core/records/kinds/guest.ts"
import { newestKeys, queryPage } from "../../../core/records/newest-first.ts"
import { pick } from "../../../core/records/projection.ts"
import { testConfig } from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { freshUrl, openFor, withoutMysql } from "../../support/database.ts"
import { scannedLog } from "../../support/scanned-log.ts"
import { logInto } from "../../support/service.ts"

const page = readFileSync("config/handbook/tables.md", "utf8")
/** The statements, without what only the command `mysql` understands. */
const example = [...page.matchAll(/```sql\n(.*?)```/gs)].map(([, sql = ""]) => sql).join("\n")
  .replaceAll(/^ *delimiter .*$/gm, "").replaceAll("//", ";")

t.test("the triggers of the handbook", { skip: withoutMysql }, async (t) => {
  const { url, database, gala, connect } = await openPlatform(t)
  const write = await connect()
  const attend = async (forename: string) => {
    const uuid = crypto.randomUUID()
    await write(
      `insert into attendee (uuid, gala_uuid, forename, surname, mail, phone, crm_key, wants_texts, created_at)
      values (?, ?, ?, 'X', 'x@example.org', '', '', false, now())`,
      [uuid, gala, forename],
    )
    return uuid
  }
  const ada = await attend("Ada")
  // A table that becomes empty, or no longer is, changes the version of every event.
  await write("insert into permission values (uuid(), ?, true, true)", [gala])
  const plan = await testConfig(url)
  const config = { ...plan, database: { ...plan.database, own_triggers: true } }
  const { errors, warnings } = await findTrouble(config)
  t.strictSame(errors, [])
  t.strictSame(warnings.filter(({ about }) => !/^(account|organization) /.test(about)), [])

  const instance = await startInstance(config, { log: scannedLog(t, []) })
  t.teardown(() => instance.close())
  const get = await logInto(instance.fetch, "ann")
  const base = `/connector-b/v1/events/${gala}`
  const poll = async (since: number, etag = "") => {
    const response = await get(
      `${base}/guests?since=${since}`,
      etag ? { "if-none-match": etag } : {},
    )
    const guests = response.status === 200 ? await response.json() as Guest[] : []
    return {
      status: response.status,
      guests: new Map(guests.map((guest) => [guest.id, guest])),
      next: Number(response.headers.get("next-since")),
      etag: response.headers.get("etag") ?? "",
    }
  }
  const now = () => Math.floor(Date.now() / 1000)

  await t.test("stamp with the real time, so that a poll with Next-Since misses nothing", async (t) => {
    const before = now()
    const { guests, next, etag } = await poll(-1)
    t.strictSame([...guests.keys()], [ada])
    t.ok(now() - next < 10, "Next-Since is not polling.lag behind")
    t.equal((await poll(-1, etag)).status, 304)
    // The session's clock is not the real one.
    await write("set timestamp = 1000000000")
    await write("update attendee set surname = 'Y', updated = 5 where uuid = ?", [ada])
    await write("set timestamp = default")
    const second = await poll(-1, etag)
    t.equal(second.status, 200)
    const updated = second.guests.get(ada)?.updated ?? 0
    t.ok(updated >= before && updated <= now() + 1)
    t.equal((await poll(next)).guests.size, 1)
  })

  await t.test("Next-Since stays behind a long transaction, which then is read", async (t) => {
    const long = await connect()
    await long("start transaction")
    await long("update attendee set surname = 'Long' where uuid = ?", [ada])
    const began = now()
    await setTimeout(4500)
    const grace = await attend("Grace")
    const during = await poll(began - 3)
    t.ok(during.guests.has(grace))
    t.not(during.guests.get(ada)?.lastName, "Long")
    t.ok(during.next <= began, `${during.next} is not after ${began}`)
    await long("commit")
    const after = await poll(during.next, during.etag)
    t.equal(after.status, 200, "not 304")
    t.equal(after.guests.get(ada)?.lastName, "Long")
    let { next } = after
    while (next < began + 4) {
      await setTimeout(200)
      next = (await poll(next)).next
    }
    t.pass("then it moves on")
  })

  await t.test("a change of a permission is a change of the attendee", async (t) => {
    let { etag } = await poll(-1)
    const expectStatus = async (statement: string, values: unknown[], consentStatus: string) => {
      await write("update attendee set updated = 0 where uuid = ?", [ada])
      await write(statement, values)
      const changed = await poll(-1, etag)
      t.match(changed.guests.get(ada), { consentStatus }, statement)
      etag = changed.etag
      t.equal((await poll(-1, etag)).status, 304)
    }
    await expectStatus("insert into permission values (?, ?, true, true)", [ada, gala], "active")
    await expectStatus(
      "update permission set given = false where attendee_uuid = ?",
      [ada],
      "inactive",
    )
    await expectStatus(
      "update permission set given = true where attendee_uuid = ?",
      [ada],
      "active",
    )
    await expectStatus("delete from permission where attendee_uuid = ?", [ada], "inactive")
  })

  await t.test("an attendee keeps its id and its gala", async (t) => {
    const [error] = await Promise.allSettled([
      write("update attendee set gala_uuid = ? where uuid = ?", [crypto.randomUUID(), ada]),
    ])
    t.match(error, { reason: /delete the attendee/ })
  })

  await t.test("a deleted attendee is listed, keeps its position, and may come back", async (t) => {
    const { guests, next, etag } = await poll(-1)
    const [first, second] = guests.keys()
    await write("delete from attendee where uuid = ?", [first])
    t.equal((await poll(-1, etag)).status, 200)
    const deletions = async () => {
      const response = await get(`${base}/guests/deletions?since=${next}`)
      return (await response.json() as Guest[]).map(({ id }) => id)
    }
    t.strictSame(await deletions(), [first])
    const page = await get(`${base}/guests?since=-1&limit=1&offset=1`)
    t.match(await page.json(), [{ id: second }], "it moved up, and is still met")
    await write(
      `insert into attendee (uuid, gala_uuid, forename, surname, mail, phone, crm_key, wants_texts, created_at)
      values (?, ?, 'Again', 'X', '', '', '', false, now())`,
      [first, gala],
    )
    t.strictSame(await deletions(), [])
    t.ok((await poll(next)).guests.has(first ?? ""))
    await write("delete from attendee where uuid = ?", [first])
    t.strictSame(await deletions(), [first], "also the second time")
  })

  await t.test("events are logged, too", async (t) => {
    const before = Number((await get("/connector-b/v1/events")).headers.get("next-since"))
    await write("update gala set title = 'Ball' where uuid = ?", [gala])
    const response = await get(`/connector-b/v1/events?since=${before}`)
    t.match(await response.json(), [{ id: gala, name: "Ball" }])
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
    const queries = {
      "a first page": first({}),
      "a page of changes": first({ since: now() }),
      "a page by cursor": first({ after: { guests: [now(), crypto.randomUUID()] } }),
      "the keys of a page by offset": newestKeys(snapshot, listing).limit(100).offset(2000),
    }
    for (const [name, query] of Object.entries(queries)) {
      const { sql, parameters } = (query as unknown as Compilable).compile()
      const [step, ...others] = await explain(database, CompiledQuery.raw(sql, [...parameters]))
      t.match(step, { table: "attendee", key: "guest_newest" }, name)
      t.notMatch(step?.Extra, /filesort/, name)
      t.equal(others.length, 0, name)
    }
    const newest = CompiledQuery.raw("select max(updated) from guest where event_id = ?", [gala])
    t.match(await explain(database, newest), [{ Extra: /optimized away/ }])
  })
})

interface Guest {
  readonly id: string
  readonly lastName: string
  readonly updated: number
}

interface Step {
  readonly table: string | null
  readonly key: string | null
  readonly Extra: string | null
}

async function explain({ writer }: Database, { sql, parameters }: CompiledQuery): Promise<Step[]> {
  const { rows } = await writer.executeQuery<Step>(
    CompiledQuery.raw(`explain format=traditional ${sql}`, [...parameters]),
  )
  return rows
}

/** Runs the whole example, with a gala that was there before the triggers. */
async function openPlatform(t: Test) {
  const [url, platform] = [await freshUrl(t, "mysql"), await freshUrl(t, "mysql")]
  const database = await openFor(t, url)
  await migrate(database)
  const name = new URL(platform).pathname.slice(1)
  const connection = await mysql.createConnection({ uri: url, multipleStatements: true })
  t.teardown(() => connection.end())
  const [before = "", after = ""] = example
    .replaceAll("platform.", `${name}.`)
    .replaceAll("event_export.", `${new URL(url).pathname.slice(1)}.`)
    .split(/(?=alter table \S+gala add)/)
  await connection.query(before)
  await migrate(database)
  const [charity, gala] = [crypto.randomUUID(), crypto.randomUUID()]
  await connection.query(`
    insert into ${name}.charity values ('${charity}', 'acme', 'Acme', now());
    insert into ${name}.gala values ('${gala}', '${charity}', 'Gala', now(), now() + interval 1 day, now(), now())`)
  await connection.query(after)
  const build = new Builder(database)
  await build.account("ann")
  await build.grant("ann", { organization: "acme" })
  const connect = async () => {
    const own = await mysql.createConnection(platform)
    t.teardown(() => own.end())
    return async (statement: string, values: unknown[] = []) => {
      await own.query(statement, values)
    }
  }
  return { url, database, gala, connect }
}
