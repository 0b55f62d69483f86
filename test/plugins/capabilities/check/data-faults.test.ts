import { sql } from "kysely"
import t from "tap"
import { findDataFaults } from "../../../../plugins/capabilities/check/data-faults.ts"
import { Builder } from "../../../support/builder.ts"
import { freshApp } from "../../../support/app.ts"
import { copiedUrl, openFor } from "../../../support/database.ts"

// The embedded database: MySQL refuses such values in tables.
await t.test("on the embedded database", async (t) => {
  const database = await openFor(t, await copiedUrl(t, "sqlite"))
  const build = new Builder(database, { isAlone: true })
  const event = await build.event(await build.organization("acme"))
  const ids = await build.guests(event, 1200)
  await build.consent(event, ids[0] ?? "")
  await build.item("tickets", event)
  const run = (statement: string) => sql.raw(statement).execute(database.writer)

  await t.test("check --data finds nothing in tables that are right", async (t) => {
    t.strictSame(await findDataFaults(database), [])
  })

  await t.test("check --data names the column, the event and a record of each fault", async (t) => {
    await run(`update guest set sms_opt_in = 'N' where id = '${ids[7]}'`)
    await run("drop trigger guest_before_update")
    await run("drop trigger guest_after_update")
    await run(`update guest set updated = 1000 * updated where id = '${ids[9]}'`)
    await run(`update guest set id = upper(id) where id = '${ids[10]}'`)
    await run("update ticket set categories = 'travel, food'")
    await run("update event set starts = 0.5")
    await build.address(event, ids[0] ?? "", { country: "England" })
    const found = await findDataFaults(database)
    const faults = found.map(({ about, message }) => [about.replace(event, "E"), message])
    for (
      const [about, message] of [
        ["event.starts", new RegExp(`in 1 records, which are left out, such as ${event}`)],
        ["guest.sms_opt_in of event E", new RegExp(`in 1 records.*${ids[7]}`)],
        ["guest.updated of event E", new RegExp(`ahead.*${ids[9]}`)],
        ["guest.id of event E", new RegExp(`upper case, such as ${ids[10]?.toUpperCase()}`)],
        ["ticket.categories of event E", /in 1 records/],
        [
          "address.country of event E",
          new RegExp(`more than the two letters of ISO 3166-1, such as in ${ids[0]}`),
        ],
      ] as const
    ) {
      t.ok(faults.some(([of, text = ""]) => of === about && message.test(text)), String(message))
    }
    t.equal(faults.length, 6)
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
