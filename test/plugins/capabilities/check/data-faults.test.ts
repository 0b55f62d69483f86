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
