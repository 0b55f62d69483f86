import t from "tap"
import { freshApp } from "../../support/app.ts"
import { foldEvent } from "../../../core/change-log/versions.ts"
import { Database } from "../../../core/data/database.ts"
import { onEveryEngine } from "../../support/database.ts"
import { OwnStatements } from "../../support/own-statements.ts"
import { linkOf } from "../../support/polling/link.ts"

await onEveryEngine(t, async (t, engine) => {
  const statements = new OwnStatements()
  const { build, database, logIn } = await freshApp(t, engine, { onStatement: statements.note })
  const organization = await build.organization("acme")
  const event = await build.event(organization)
  const [guest = ""] = await build.guests(event, 20)
  await build.items("tickets", event, 20)
  await build.items("pledges", event, 3)
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  const get = await logIn("partner")
  const path = `/connector-b/v1/events/${event}`

  let since = 0
  /** Reads a page that was not requested before, and returns its statements. */
  const read = async (list: "guests" | "items", rest = "") => {
    const response = await statements.observe(() => get(`${path}/${list}?since=${since++}${rest}`))
    return { response, body: await response.json(), number: statements.all.length }
  }

  for (const list of ["guests", "items"] as const) {
    await t.test(`GET ${list} takes two statements and no transaction once the records are known`, async (t) => {
      const unknown = await read(list)
      await read(list)
      const known = await read(list)
      t.equal(known.number, 2)
      t.strictSame(known.body, unknown.body)
      await foldEvent(database, event)
      t.equal((await read(list)).number, 2, "also if the log of changes has been folded")
    })

    await t.test(`GET ${list} returns known records page by page`, async (t) => {
      const whole = (await read(list)).body
      const first = await read(list, "&limit=9")
      t.equal(first.number, 2)
      const bodies = [first.body]
      for (let link = linkOf(first.response); link;) {
        const url = link
        const response = await statements.observe(() => get(url))
        bodies.push(await response.json())
        t.equal(statements.all.length, 2)
        link = linkOf(response)
      }
      t.equal(bodies.length, 3)
      const joined = list === "guests" ? bodies.flat() : Object.fromEntries(
        Object.keys(whole).map((name) => [name, bodies.flatMap((body) => body[name])]),
      )
      t.strictSame(joined, whole)
    })
  }

  await t.test("GET guests reads a known record again once it has changed, and only that", async (t) => {
    await read("guests")
    await database.writer.updateTable("guest").set({ first_name: "Changed" })
      .where("event_id", "=", event).where("id", "=", guest).execute()
    const { body, number } = await read("guests")
    t.ok(number > 2)
    t.equal(body.find(({ id }: { id: string }) => id === guest).firstName, "Changed")
    const reading = statements.all.find((sql) => sql.includes("first_name"))
    t.match(reading, engine === "mysql" ? "json_table" : "json_each", "by its id")
    t.equal((await read("guests")).number, 2)
  })

  await t.test("GET guests shows nobody a change from after the end of their rights", async (t) => {
    await read("guests")
    t.equal((await read("guests")).number, 2)
    const { readOnce } = Database.prototype
    let reads = 0
    Database.prototype.readOnce = async function (work) {
      // The second reading is that of the keys.
      if (++reads === 2) {
        await database.writer.deleteFrom("access_grant").execute()
        await database.writer.deleteFrom("guest").where("event_id", "=", event)
          .where("id", "=", guest).execute()
      }
      return await readOnce.call(this, work) as never
    }
    const { response } = await read("guests")
    Database.prototype.readOnce = readOnce
    t.equal(response.status, 404)
    t.equal(reads, 2)
  })
})
