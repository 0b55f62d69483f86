import { sql } from "kysely"
import t from "tap"
import { startInstance } from "../../../core/kernel/instance.ts"
import { findTrouble } from "../../../plugins/capabilities/check/trouble.ts"
import { testConfig } from "../../support/app.ts"
import { withoutMysql } from "../../support/database.ts"
import { openPlatform } from "../../support/handbook-platform.ts"
import { freshWorkshop, logInto } from "../../support/service.ts"

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

t.test(
  "the views of the handbook serve tables of another shape like the service's own tables",
  { skip: withoutMysql },
  async (t) => {
    const { url, gala, name, connection, attend } = await openPlatform(t, { triggers: false })
    const attendee = await attend("Ada")
    await connection.query(
      `insert into ${name}.permission values ('${attendee}', '${gala}', true, true)`,
    )
    const config = await testConfig(url)
    const errors = async () => (await findTrouble(config)).errors
    t.strictSame(await errors(), [])
    const abouts = (await findTrouble(config)).warnings.map(({ about }) => about)
      .filter((about) => !/^(account|org)/.test(about))
    t.match(abouts, [/^address, auction_item, .* ticket$/], "and no lost triggers")
    t.equal(abouts.length, 1)

    const instance = await startInstance(config, { log })
    t.teardown(() => instance.close())
    const get = await logInto(instance.fetch, "ann")
    t.match(await (await get("/connector-b/v1/events")).json(), [{ id: gala, updated: 1700000000 }])
    const base = `/connector-b/v1/events/${gala}`
    t.match(await (await get(`${base}/guests?q=lovelace`)).json(), [{
      ...{ id: attendee, eventId: gala, firstName: "Ada", updated: 1700000001, mainAddress: null },
      ...{ consentAsked: true, consentStatus: "active", consentChannels: "email" },
    }])
    t.match(await (await get(`${base}/items`)).json(), { tickets: [], gliRaffles: [] })

    await connection.query(`
    create or replace view consent as
      select gala_uuid as event_id, uuid as guest_id, null as status, if(true, b'1', b'0') as asked,
        cast('sms' as binary) as channels from ${name}.attendee;
    create or replace view organization as
      select unhex(replace(uuid, '-', '')) as id, short_name as slug, title as name, changed_at as updated
      from ${name}.charity;
    create or replace view event as select changed_at as updated, changed_at as starts, uuid as id
      from ${name}.gala`)
    t.match(await errors(), [
      /event.organization_id, .* event.created: run "event-export migrate"/,
      "in the database, consent.asked is varbinary, and must be a number",
      "in the database, consent.channels is varbinary, and must be text",
      "in the database, event.updated is datetime, and must be a number",
      "in the database, event.starts is datetime, and must be a number",
      "in the database, organization.id is varbinary, and must be text",
    ])
    await t.rejects(startInstance(config, { log }))
  },
)

t.test("no page of a view is cached, although the change log has older rows of the event", async (t) => {
  const { build, database: { writer }, write, start } = await freshWorkshop(t)
  const event = await build.event(await build.organization("acme"))
  const guest = await build.guest(event, { first_name: "Ada" })
  await build.account("ann")
  await build.grant("ann", { organization: "acme" })
  await sql`pragma foreign_keys = off`.execute(writer)
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'trigger' and tbl_name = 'guest'`.execute(writer)
  for (const { name } of rows) await sql`drop trigger ${sql.id(name)}`.execute(writer)
  await sql`alter table guest rename to platform_guest`.execute(writer)
  await sql`create view guest as select * from platform_guest`.execute(writer)

  write("  - use: connector-b\n    with: { segment: b, organizations: [acme] }")
  const get = await logInto((await start()).fetch, "ann")
  const read = async () => await (await get(`/b/v1/events/${event}/guests`)).json()
  t.match(await read(), [{ firstName: "Ada" }])
  await sql`update platform_guest set first_name = 'Grace' where id = ${guest}`.execute(writer)
  t.match(await read(), [{ firstName: "Grace" }])
})

interface Guest {
  readonly id: string
  readonly updated: number
}

t.test("the triggers of the handbook", { skip: withoutMysql }, async (t) => {
  const { url, gala, connect, attend } = await openPlatform(t, { triggers: true })
  const write = await connect()
  const ada = await attend("Ada")
  // A table that becomes empty, or no longer is, changes the version of every event.
  await write("insert into permission values (uuid(), ?, true, true)", [gala])
  const plan = await testConfig(url)
  const config = {
    ...plan,
    database: { ...plan.database, own_triggers: true },
    polling: { ...plan.polling, lag: 3600 },
  }
  const { errors, warnings } = await findTrouble(config)
  t.strictSame(errors, [])
  t.strictSame(warnings.filter(({ about }) => !/^(account|organization) /.test(about)), [])

  const instance = await startInstance(config, { log })
  t.teardown(() => instance.close())
  const get = await logInto(instance.fetch, "ann")
  const base = `/connector-b/v1/events/${gala}`
  const poll = async (since: number, etag = "") => {
    const headers = { "if-none-match": etag }
    const response = await get(`${base}/guests?since=${since}`, etag ? headers : {})
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
    t.ok(now() - next < 3600, "Next-Since is not polling.lag behind")
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

  await t.test("a change of a permission is a change of the attendee", async (t) => {
    let { etag } = await poll(-1)
    const given = (value: boolean) =>
      [`update permission set given = ${value} where attendee_uuid = ?`, [ada]] as const
    const statements = [
      [["insert into permission values (?, ?, true, true)", [ada, gala]], "active"],
      [given(false), "inactive"],
      [given(true), "active"],
      [["delete from permission where attendee_uuid = ?", [ada]], "inactive"],
    ] as const
    for (const [[statement, values], consentStatus] of statements) {
      await write("update attendee set updated = 0 where uuid = ?", [ada])
      await write(statement, [...values])
      const changed = await poll(-1, etag)
      t.match(changed.guests.get(ada), { consentStatus }, statement)
      etag = changed.etag
      t.equal((await poll(-1, etag)).status, 304)
    }
  })

  await t.test("an attendee keeps its gala; a deleted one is listed, keeps its position, and may come back", async (t) => {
    const move = write("update attendee set gala_uuid = uuid() where uuid = ?", [ada])
    await t.rejects(move, /delete the attendee/)
    await attend("Grace")
    const { guests, next, etag } = await poll(-1)
    const [first = "", second] = guests.keys()
    await write("delete from attendee where uuid = ?", [first])
    t.equal((await poll(-1, etag)).status, 200)
    const deletions = async () => {
      const response = await get(`${base}/guests/deletions?since=${next}`)
      return (await response.json() as Guest[]).map(({ id }) => id)
    }
    t.strictSame(await deletions(), [first])
    const page = await get(`${base}/guests?since=-1&limit=1&offset=1`)
    t.match(await page.json(), [{ id: second }], "it moved up, and is still met")
    await attend("Again", first)
    t.strictSame(await deletions(), [])
    t.ok((await poll(next)).guests.has(first))
    await write("delete from attendee where uuid = ?", [first])
    t.strictSame(await deletions(), [first], "also the second time")
  })

  await t.test("events are logged, too", async (t) => {
    const before = Number((await get("/connector-b/v1/events")).headers.get("next-since"))
    await write("update gala set title = 'Ball' where uuid = ?", [gala])
    const response = await get(`/connector-b/v1/events?since=${before}`)
    t.match(await response.json(), [{ id: gala, name: "Ball" }])
  })
})
