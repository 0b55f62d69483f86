import { sql } from "kysely"
import t from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { startInstance } from "../../../core/kernel/instance.ts"
import { findTrouble } from "../../../plugins/capabilities/check/trouble.ts"
import { testConfig } from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { freshUrl, openFor, withoutMysql } from "../../support/database.ts"
import { openPlatform } from "../../support/handbook-platform.ts"
import { logInto } from "../../support/service.ts"

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
      select gala_uuid as event_id, uuid as guest_id, 'x' as status from ${name}.attendee;
    create or replace view organization as
      select unhex(replace(uuid, '-', '')) as id, short_name as slug, title as name, changed_at as updated
      from ${name}.charity;
    create or replace view event as select changed_at as updated, changed_at as starts, uuid as id
      from ${name}.gala`)
    t.match(await errors(), [
      /event.organization_id, .* consent.asked, consent.channels: run "event-export migrate"/,
      "in the database, event.updated is datetime, and must be a number",
      "in the database, event.starts is datetime, and must be a number",
      "in the database, organization.id is varbinary, and must be text",
    ])
    await t.rejects(startInstance(config, { log }))
  },
)

t.test("no page of a view is cached, although the change log has older rows of the event", async (t) => {
  const url = await freshUrl(t, "sqlite")
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  const guest = await build.guest(event, { first_name: "Ada" })
  await build.account("ann")
  await build.grant("ann", { organization: "acme" })
  const { writer } = database
  await sql`pragma foreign_keys = off`.execute(writer)
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'trigger' and tbl_name = 'guest'`.execute(writer)
  for (const { name } of rows) await sql`drop trigger ${sql.id(name)}`.execute(writer)
  await sql`alter table guest rename to platform_guest`.execute(writer)
  await sql`create view guest as select * from platform_guest`.execute(writer)

  const instance = await startInstance(await testConfig(url), { log })
  t.teardown(() => instance.close())
  const get = await logInto(instance.fetch, "ann")
  const read = async () => await (await get(`/connector-b/v1/events/${event}/guests`)).json()
  t.match(await read(), [{ firstName: "Ada" }])
  await sql`update platform_guest set first_name = 'Grace' where id = ${guest}`.execute(writer)
  t.match(await read(), [{ firstName: "Grace" }])
})
