import { readFileSync } from "node:fs"
import mysql from "mysql2/promise"
import t from "tap"
import { findTrouble } from "../../../core/kernel/check.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { hasLoggedTables } from "../../../core/records/tables.ts"
import { startInstance } from "../../../core/kernel/instance.ts"
import { testConfig } from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { freshUrl, openFor, withoutMysql } from "../../support/database.ts"
import { logInto } from "../../support/service.ts"

const section =
  readFileSync("config/README.md", "utf8").split("\n## ").find((each) =>
    each.startsWith("Serve your own tables")
  ) ?? ""
const example = [...section.matchAll(/```sql\n(.*?)```/gs)].map(([, sql = ""]) => sql).join("\n")

t.test(
  "the views of the operators' README serve tables of another shape like the service's own tables",
  { skip: withoutMysql },
  async (t) => {
    const [own, platform] = [await freshUrl(t, "mysql"), await freshUrl(t, "mysql")]
    const database = await openFor(t, own)
    await migrate(database)
    const connection = await mysql.createConnection({ uri: own, multipleStatements: true })
    t.teardown(() => connection.end())
    const name = new URL(platform).pathname.slice(1)
    await connection.query(example.replaceAll("platform.", `${name}.`))
    const [charity, gala, attendee] = Array.from({ length: 3 }, () => crypto.randomUUID())
    await connection.query(`
    insert into ${name}.charity values ('${charity}', 'acme', 'Acme', now());
    insert into ${name}.gala values
      ('${gala}', '${charity}', 'Gala', now(), now() + interval 1 day, now(), from_unixtime(1700000000));
    insert into ${name}.attendee values ('${attendee}', '${gala}', 'Ada', 'Lovelace', 'ada@example.org',
      '+44', 'crm-1', true, true, true, now(), from_unixtime(1700000001))`)

    const config = await testConfig(own)
    const errors = async () => (await findTrouble(config)).errors
    t.strictSame(await errors(), [])
    const { warnings } = await findTrouble(config)
    t.match(warnings.map(({ about }) => about).filter((about) => !/^(account|org)/.test(about)), [
      /guest/,
    ], "deletions, and no triggers")

    t.equal(await hasLoggedTables(database), false, "so no page is cached")

    const build = new Builder(database)
    await build.account("ann")
    await build.grant("ann", { organization: "acme" })
    const instance = await startInstance(config, {
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    })
    t.teardown(() => instance.close())
    const get = await logInto(instance.fetch, "ann")
    t.match(await (await get("/connector-b/v1/events")).json(), [{ id: gala, updated: 1700000000 }])
    const base = `/connector-b/v1/events/${gala}`
    t.match(await (await get(`${base}/guests?q=lovelace`)).json(), [{
      id: attendee,
      eventId: gala,
      firstName: "Ada",
      updated: 1700000001,
      consentAsked: true,
      consentStatus: "active",
      consentChannels: "email",
      mainAddress: null,
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
    t.strictSame(await errors(), [
      "the database lacks event.organization_id, event.name, event.status, event.currency, " +
      "event.timezone, event.ends, event.created, event.external_id, consent.asked, consent.channels: " +
      'run "event-export migrate", or bring views of these names and columns',
      "in the database, event.updated is datetime, and must be a number",
      "in the database, event.starts is datetime, and must be a number",
      "in the database, organization.id is varbinary, and must be text",
    ])
    await t.rejects(startInstance(config, {
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    }))
  },
)
