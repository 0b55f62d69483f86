import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import t, { type Test } from "tap"
import { foldEvent } from "../../../../core/change-log/versions.ts"
import { Database } from "../../../../core/data/database.ts"
import { migrate } from "../../../../core/data/migrate.ts"
import { Unavailable } from "../../../../core/data/unavailable.ts"
import { LiveLists } from "../../../../plugins/capabilities/memory/live-lists.ts"
import { freshApp } from "../../../support/app.ts"
import { onEmbedded } from "../../../support/database.ts"
import { OwnStatements } from "../../../support/own-statements.ts"
import { linkOf } from "../../../support/polling/link.ts"

/** Runs `work` while `replace` reads for the service, which gets what reads, and how many times that was asked for. */
async function whileReading<T>(
  replace: (read: () => Promise<unknown>, reads: number) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const { readOnce } = Database.prototype
  let reads = 0
  Database.prototype.readOnce = function (work) {
    return replace(() => readOnce.call(this, work), ++reads) as never
  }
  try {
    return await work()
  } finally {
    Database.prototype.readOnce = readOnce
  }
}

await onEmbedded(t, async (t, engine) => {
  const statements = new OwnStatements()
  const { build, database, logIn } = await freshApp(t, engine, { onStatement: statements.note })
  const { writer } = database
  const organization = await build.organization("acme")
  const event = await build.event(organization)
  await build.guests(event, 20)
  await build.items("tickets", event, 20)
  await build.items("pledges", event, 3)
  for (const name of ["partner", "other"]) {
    await build.account(name)
    await build.grant(name, { organization: "acme" })
  }
  const get = await logIn("partner")
  const path = `/connector-b/v1/events/${event}`

  let since = 0
  /** Reads a page that was not requested before, and returns its statements. */
  const read = async (list: "guests" | "items", rest = "") => {
    const response = await statements.observe(() => get(`${path}/${list}?since=${since++}${rest}`))
    return { response, body: await response.json(), number: statements.all.length }
  }
  /** Reads until all is in memory. */
  const warm = async (t: Test, rest = "") => {
    for (let turn = 0; turn < 3; turn++) await read("guests", rest)
    t.equal((await read("guests", rest)).number, 1)
  }
  const rename = (id: string, first_name: string) =>
    writer.updateTable("guest").set({ first_name }).where("event_id", "=", event)
      .where("id", "=", id).execute()
  const namesOf = (body: readonly { firstName: string }[]) => body.map((each) => each.firstName)

  for (const list of ["guests", "items"] as const) {
    await t.test(`GET ${list} takes one statement and no transaction once its keys and records are in memory`, async (t) => {
      const unknown = await read(list)
      const number = { guests: 3, items: 4 }[list]
      t.equal(
        (await read(list)).number,
        number,
        "the others read keys, and the records of each table",
      )
      const live = await read(list)
      t.equal(live.number, 1)
      t.strictSame(live.body, unknown.body)
      await foldEvent(database, event)
      t.equal((await read(list)).number, 1, "also if the log of changes has been folded")
    })

    await t.test(`GET ${list} cuts page by page from memory`, async (t) => {
      const whole = (await read(list)).body
      const first = await read(list, "&limit=9")
      t.equal(first.number, 1)
      const bodies = [first.body]
      for (let link = linkOf(first.response); link;) {
        const url = link
        const response = await statements.observe(() => get(url))
        bodies.push(await response.json())
        t.equal(statements.all.length, 1)
        link = linkOf(response)
      }
      t.equal(bodies.length, 3)
      const joined = list === "guests" ? bodies.flat() : Object.fromEntries(
        Object.keys(whole).map((name) => [name, bodies.flatMap((body) => body[name])]),
      )
      t.strictSame(joined, whole)
    })

    await t.test(`GET ${list} cuts at an offset from memory, and keeps the places of deleted records`, async (t) => {
      const before = await read(list, "&limit=5&offset=5")
      const [newest] = Object.values((await read(list, "&limit=1")).body).flat() as { id: string }[]
      await writer.deleteFrom(list === "guests" ? "guest" : "ticket")
        .where("event_id", "=", event).where("id", "=", newest?.id ?? "").execute()
      t.strictSame((await read(list, "&limit=5&offset=5")).body, before.body)
      t.equal((await read(list, "&limit=5&offset=5")).number, 1)
    })
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

  await t.test("GET guests reads a record again once it has changed, and only that", async (t) => {
    const { id } = (await read("guests")).body.at(-1)
    await rename(id, "Changed")
    t.match((await read("guests")).body[0], { id, firstName: "Changed" })
    const reading = statements.all.find((sql) => sql.includes("first_name"))
    t.match(reading, engine === "mysql" ? "json_table" : "json_each", "by its id")
    t.equal((await read("guests")).number, 1)
  })

  await t.test("GET guests?q= reads only the text and the record that have changed", async (t) => {
    const { id } = (await read("guests", "&q=guest7")).body[0]
    await rename(id, "Zoë")
    t.match((await read("guests", "&q=ZOE")).body, [{ id }])
    t.equal((await read("guests", "&q=zoe")).number, 1)
    await writer.deleteFrom("guest").where("event_id", "=", event).where("id", "=", id).execute()
    t.strictSame((await read("guests", "&q=zoe")).body, [])
    t.equal((await read("guests", "&q=guest7")).number, 1)
  })

  await t.test("GET guests?q= finds no record by a text from after the version of the page", async (t) => {
    const { id } = (await read("guests", "&q=guest8")).body[0]
    await rename(id, "Before")
    await read("guests")
    const { body } = await whileReading(async (read, reads) => {
      // The admission, and then the texts.
      if (reads === 2) await rename(id, "After")
      return await read()
    }, () => read("guests", "&q=after"))
    t.strictSame(namesOf(body), ["After"])
  })

  await t.test("GET guests?q= is read from the database where texts take too much memory", async (t) => {
    const { haveRoomFor } = LiveLists.prototype
    LiveLists.prototype.haveRoomFor = () => false
    t.teardown(() => LiveLists.prototype.haveRoomFor = haveRoomFor)
    await rename((await read("guests", "&q=guest9")).body[0].id, "Crowded")
    const { body, number } = await read("guests", "&q=crowded")
    t.strictSame([namesOf(body), number > 2], [["Crowded"], true])
    const again = await read("guests")
    t.equal(again.response.status, 200)
    t.equal(again.number, 2, "the keys stay, and the records are read")
  })

  await t.test("GET guests shows a new guest whom no trigger has logged", async (t) => {
    await warm(t)
    const trigger = engine === "mysql" ? "guest_insert" : "guest_after_insert"
    await sql`drop trigger ${sql.table(trigger)}`.execute(writer)
    const { updated } = await writer.selectFrom("guest")
      .select((eb) => eb.fn.max("updated").as("updated"))
      .where("event_id", "=", event).executeTakeFirstOrThrow()
    const id = await build.guest(event, { updated: updated + 1 })
    t.equal((await read("guests")).body[0].id, id)
    await migrate(database)
  })

  await t.test("GET guests keeps its list in memory if other requests overtake its admission", async (t) => {
    const getAsOther = await logIn("other")
    const { id } = (await read("guests")).body[0]
    await warm(t)
    let [isOther, overtaken] = [false, 0]
    await whileReading(async (read, reads) => {
      const result = await read()
      if (isOther || reads > 8) return result
      isOther = true
      await rename(id, `Overtaker ${overtaken++}`)
      await getAsOther(`${path}/guests?since=${since++}`)
      isOther = false
      return result
    }, () => get(`${path}/guests?since=${since++}`))
    t.ok(overtaken >= 2)
    t.equal((await read("guests")).number, 1)
  })

  await t.test("GET guests is admitted again if a record changes before it is read, and shows nothing from after the end of rights", async (t) => {
    const { id } = (await read("guests")).body[0]
    await warm(t)
    /** Reads after a change. `meanwhile` runs before the third reading, which is that of the record. */
    const change = async (meanwhile: () => Promise<unknown>) => {
      await rename(id, "Once")
      return await whileReading(async (read, reads) => {
        if (reads === 3) await meanwhile()
        return await read()
      }, () => read("guests"))
    }
    t.equal((await change(() => rename(id, "Twice"))).body[0].firstName, "Twice")
    await warm(t)
    const { response } = await change(async () => {
      await writer.deleteFrom("access_grant").execute()
      await rename(id, "Last")
    })
    t.equal(response.status, 404)
    await build.grant("partner", { organization: "acme" })
  })

  await t.test("GET guests is answered from the database if another request cannot read the keys", async (t) => {
    const other = await build.event(organization)
    await build.guests(other, 3)
    const page = (since: number) => get(`/connector-b/v1/events/${other}/guests?since=${since}`)
    await page(0)
    let fails = 0
    const responses = await whileReading(async (read) => {
      const result = await read()
      if (typeof result !== "object" || result === null || !("keys" in result)) return result
      // Meanwhile, all others have come to wait for it.
      await setTimeout(100)
      fails++
      throw new Unavailable("the keys cannot be read")
    }, () => Promise.all([1, 2, 3, 4].map(page)))
    t.equal(responses.filter(({ status }) => status === 200).length, 3)
    t.equal(fails, 1)
  })

  await t.test("GET guests reads its keys anew after ten minutes, as a change may be in no log", async (t) => {
    await warm(t)
    const { now } = performance
    t.teardown(() => void (performance.now = now))
    performance.now = () => now.call(performance) + 10 * 60_000
    t.ok((await read("guests")).number > 1)
    t.equal((await read("guests")).number, 1)
  })
})
