import t from "tap"
import { Database } from "../../../../core/data/database.ts"
import { LiveLists } from "../../../../core/records/live/live-lists.ts"
import { freshApp } from "../../../support/app.ts"
import { onEmbedded } from "../../../support/database.ts"
import { OwnStatements } from "../../../support/own-statements.ts"

await onEmbedded(t, async (t, engine) => {
  const statements = new OwnStatements()
  const { build, database, logIn } = await freshApp(t, engine, { onStatement: statements.note })
  const organization = await build.organization("acme")
  const event = await build.event(organization)
  await build.guests(event, 20)
  await build.items("tickets", event, 20)
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  const get = await logIn("partner")
  const path = `/connector-b/v1/events/${event}`

  let since = 0
  /** Reads a page that was not requested before, and returns its statements. */
  const read = async (list: "guests" | "items", rest = "") => {
    const response = await statements.observe(() => get(`${path}/${list}?since=${since++}${rest}`))
    const body = await response.json()
    return { body, number: statements.all.length }
  }
  const rename = async (id: string, first_name: string) => {
    await database.writer.updateTable("guest").set({ first_name }).where("event_id", "=", event)
      .where("id", "=", id).execute()
  }

  for (const [list, q] of [["guests", "GUEST1"], ["items", "item 1"]] as const) {
    await t.test(`GET ${list}?q= takes one statement once keys, texts and records are in memory`, async (t) => {
      const unknown = await read(list, `&q=${q}`)
      for (let times = 0; times < 4; times++) await read(list, `&q=${q}`)
      const live = await read(list, `&q=${q}`)
      t.equal(live.number, 1)
      t.strictSame(live.body, unknown.body)
      t.equal((await read(list, "&q=nobody")).number, 1, "another search")
    })
  }

  await t.test("GET guests?q= reads only the text and the record that have changed", async (t) => {
    const { id } = (await read("guests", "&q=guest7")).body[0]
    await rename(id, "Zoë")
    const { body, number } = await read("guests", "&q=ZOE")
    t.strictSame(body.map((guest: { id: string }) => guest.id), [id])
    t.ok(number > 1)
    t.equal((await read("guests", "&q=zoe")).number, 1)
    await database.writer.deleteFrom("guest").where("event_id", "=", event).where("id", "=", id)
      .execute()
    t.strictSame((await read("guests", "&q=zoe")).body, [])
    t.equal((await read("guests", "&q=guest7")).number, 1)
  })

  await t.test("GET guests?q= finds no record by a text from after the version of the page", async (t) => {
    const { id } = (await read("guests", "&q=guest8")).body[0]
    await rename(id, "Before")
    t.equal((await read("guests")).body[0].firstName, "Before")
    const { readOnce } = Database.prototype
    let reads = 0
    Database.prototype.readOnce = async function (work) {
      // The admission, and then the texts.
      if (++reads === 2) await rename(id, "After")
      return await readOnce.call(this, work) as never
    }
    t.teardown(() => Database.prototype.readOnce = readOnce)
    const { body } = await read("guests", "&q=after")
    t.strictSame(body.map(({ firstName }: { firstName: string }) => firstName), ["After"])
    t.ok(reads > 3)
  })

  await t.test("GET guests?q= is read from the database where texts take too much memory", async (t) => {
    const { haveRoomFor } = LiveLists.prototype
    LiveLists.prototype.haveRoomFor = () => false
    t.teardown(() => LiveLists.prototype.haveRoomFor = haveRoomFor)
    const { id } = (await read("guests", "&q=guest9")).body[0]
    await rename(id, "Crowded")
    const { body } = await read("guests", "&q=crowded")
    t.strictSame(body.map((guest: { id: string }) => guest.id), [id])
    t.equal((await read("guests", "&q=crowded")).number > 2, true)
    t.equal((await read("guests")).number, 1, "the list stays")
  })
})
