import { sql } from "kysely"
import t from "tap"
import { findDataFaults } from "../../../../plugins/capabilities/check/data-faults.ts"
import { Builder } from "../../../support/builder.ts"
import { freshApp } from "../../../support/app.ts"
import { freshUrl, openFor } from "../../../support/database.ts"
import { migrate } from "../../../../core/data/migrate.ts"

// Views of the embedded database: MySQL refuses such values in tables.
await t.test("on the embedded database", async (t) => {
  const database = await openFor(t, await freshUrl(t, "sqlite"))
  await migrate(database)
  const build = new Builder(database, { isAlone: true })
  const event = await build.event(await build.organization("acme"))
  const ids = await build.guests(event, 1200)
  await build.consent(event, ids[0] ?? "")
  await build.item("tickets", event)
  const run = (statement: string) => sql.raw(statement).execute(database.writer)

  await t.test("check --data finds nothing in tables that are right", async (t) => {
    t.strictSame(await findDataFaults(database), [])
  })

  await t.test("check --data names the column, the event and a record of each fault of a view", async (t) => {
    await run("alter table guest rename to attendee")
    await run("alter table consent rename to permission")
    await run(`create view guest as select event_id,
      case id when '${
      ids[10]
    }' then upper(id) else id end as id, first_name, last_name, email, mobile,
      external_id, case id when '${
      ids[7]
    }' then 'N' else sms_opt_in end as sms_opt_in, company_name, created,
      case id when '${ids[8]}' then null when '${
      ids[9]
    }' then 1000 * updated else updated end as updated,
      export_version from attendee union all select event_id, id, first_name, last_name, email, mobile,
      external_id, sms_opt_in, company_name, created, updated, export_version from attendee where id = '${
      ids[3]
    }'`)
    await run(`create view consent as select * from permission
      union all select event_id, guest_id, 0, 'inactive', '' from permission`)
    await run("update ticket set categories = 'travel, food'")
    const found = await findDataFaults(database)
    const faults = found.map(({ about, message }) => [about.replace(event, "E"), message])
    for (
      const [about, message] of [
        ["guest.sms_opt_in of event E", new RegExp(`in 1 records.*${ids[7]}`)],
        ["guest.updated of event E", new RegExp(`null.*${ids[8]}`)],
        ["guest.updated of event E", new RegExp(`ahead.*${ids[9]}`)],
        ["guest of event E", new RegExp(`several rows with one id.*${ids[3]}`)],
        ["consent of event E", new RegExp(`several rows with one guest_id.*${ids[0]}`)],
        ["guest.id of event E", new RegExp(`upper case, such as ${ids[10]?.toUpperCase()}`)],
        ["ticket.categories of event E", /in 1 records/],
      ] as const
    ) {
      t.ok(faults.some(([of, text = ""]) => of === about && message.test(text)), String(message))
    }
    t.equal(faults.length, 7)
  })

  await t.test("check --data names events that no list has, or that it has twice, and addresses that nobody gets", async (t) => {
    await build.address(event, ids[0] ?? "", { country: "GB" })
    await run("alter table event rename to gala")
    await run("alter table address rename to place")
    await run(
      `create view event as select id, organization_id, external_id, name, status, currency, timezone,
      starts + 0.5 as starts, ends, created, updated from gala
      union all select id, organization_id, external_id, name, status, currency, timezone,
      starts, ends, created, null from gala`,
    )
    await run(
      `create view address as select event_id, guest_id, upper(kind) as kind, name, line1, line2,
      line3, line4, town, postcode, state, 'England' as country, recipient_name from place`,
    )
    const found = (await findDataFaults(database)).map(({ about, message }) =>
      `${about}: ${message}`
    )
    for (
      const fault of [
        `event.starts: holds what the field cannot be in 1 records, which are left out, such as ${event}`,
        `event.updated: is null, such as of ${event}`,
        `event: has several rows with one id, such as ${event}`,
        `address.kind of event ${event}: is none of main, gift_aid and tax_receipt, such as of ${
          ids[0]
        }`,
        `address.country of event ${event}: has more than the two letters of ISO 3166-1, such as of ${
          ids[0]
        }`,
      ]
    ) {
      t.equal(found.filter((text) => text.startsWith(fault)).length, 1, fault)
    }
  })

  await t.test("GET /console shows which lists of which events leave out records", async (t) => {
    const { build, database: { writer }, logIn } = await freshApp(t, "sqlite")
    await build.account("ann")
    await build.account("operator", "operator")
    const event = await build.event(await build.organization("acme"), { name: "Gala" })
    await build.grant("ann", { organization: "acme" })
    await build.item("tickets", event)
    await sql`update ticket set price = 'ten'`.execute(writer)
    const [ann, operator] = [await logIn("ann"), await logIn("operator")]
    const read = async () => await (await operator("/console")).text()
    t.notMatch(await read(), event)
    for (let times = 0; times < 2; times++) await ann(`/connector-b/v1/events/${event}/items`)
    t.match(
      await read(),
      new RegExp(`Records are left out[^]*${event}[^]*>items</td><td[^>]*>2</td>`),
    )
  })
})
