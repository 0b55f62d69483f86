import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import { Buffer } from "node:buffer"
import { gunzipSync } from "node:zlib"
import t from "tap"
import { freshApp } from "../../../support/app.ts"
import { foldEvent } from "../../../../core/change-log/versions.ts"
import { LiveLists } from "../../../../core/records/live/live-lists.ts"
import { Unavailable } from "../../../../core/data/unavailable.ts"
import { migrate } from "../../../../core/data/migrate.ts"
import { Database } from "../../../../core/data/database.ts"
import { onEmbedded } from "../../../support/database.ts"
import { OwnStatements } from "../../../support/own-statements.ts"
import { linkOf } from "../../../support/polling/link.ts"

await onEmbedded(t, async (t, engine) => {
  const statements = new OwnStatements()
  const { build, database, logIn } = await freshApp(t, engine, { onStatement: statements.note })
  const organization = await build.organization("acme")
  const event = await build.event(organization)
  await build.guests(event, 20)
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

  await t.test("GET guests, cut from memory, is put together of segments in gzip, and is the page", async (t) => {
    const large = await build.event(organization)
    await build.guests(large, 600)
    const encoded = async (encoding: string) => {
      const url = `/connector-b/v1/events/${large}/guests?since=${since++}`
      const headers = { "accept-encoding": encoding }
      const response = await statements.observe(() => get(url, { headers }))
      return Buffer.from(await response.arrayBuffer())
    }
    const whole = await encoded("gzip")
    for (let turn = 0; turn < 5; turn++) {
      await build.guest(large)
      const gzip = await encoded("gzip")
      if (turn > 0) t.not(gzip[9], whole[9], "an unknown system")
      t.ok(gunzipSync(gzip).equals(await encoded("identity")))
    }
    t.equal(statements.all.length, 1)
  })

  for (const list of ["guests", "items"] as const) {
    await t.test(`GET ${list} takes one statement and no transaction once its keys and records are in memory`, async (t) => {
      const unknown = await read(list)
      t.equal((await read(list)).number, 2, "one reads the keys")
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
      t.equal((await read(list, "&limit=5&offset=5")).number, 1)
      const table = list === "guests" ? "guest" : "ticket"
      const { id } = await database.writer.selectFrom(table).select("id")
        .where("event_id", "=", event).orderBy("updated", "desc").orderBy("id", "desc")
        .limit(1).executeTakeFirstOrThrow()
      await database.writer.deleteFrom(table).where("event_id", "=", event)
        .where("id", "=", id).execute()
      const after = await read(list, "&limit=5&offset=5")
      t.equal(after.number, 3, "one reads what has changed, and one which places are vacant")
      t.strictSame(after.body, before.body)
      t.equal((await read(list, "&limit=5&offset=5")).number, 1)
    })
  }

  for (const list of ["guests", "items"] as const) {
    await t.test(`GET ${list}/export cuts its portions from memory, as of its own snapshot`, async (t) => {
      const { body } = await read(list)
      const response = await statements.observe(async () => {
        const response = await get(`${path}/${list}/export?since=0`)
        return new Response(await response.text(), response)
      })
      const lines = (await response.text()).trimEnd().split("\n").map((line) => JSON.parse(line))
      const records = list === "guests"
        ? body
        : Object.entries<object[]>(body).flatMap(([category, items]) =>
          items.map((item) => ({ category, ...item }))
        )
      t.strictSame(lines.slice(0, -1), records)
      const reading = statements.all.filter((sql) =>
        /from .(guest|ticket|pledge). as .record/.test(sql)
      )
      t.strictSame(reading, [])
    })
  }

  await t.test("GET guests reads a record again once it has changed, and only that, for all projections", async (t) => {
    const guest = (await read("guests")).body.at(-1).id
    await database.writer.updateTable("guest").set({ first_name: "Changed" })
      .where("event_id", "=", event).where("id", "=", guest).execute()
    const { body, number } = await read("guests")
    t.ok(number > 1)
    t.equal(body[0].id, guest)
    t.equal(body[0].firstName, "Changed")
    const reading = statements.all.find((sql) => sql.includes("first_name"))
    t.match(reading, engine === "mysql" ? "json_table" : "json_each", "by its id")
    t.equal((await read("guests")).number, 1)
  })

  await t.test("GET guests shows a new guest whom no trigger has logged", async (t) => {
    t.equal((await read("guests")).number, 1)
    const db = database.writer
    const trigger = engine === "mysql" ? "guest_insert" : "guest_after_insert"
    await sql`drop trigger ${sql.table(trigger)}`.execute(db)
    const { updated } = await db.selectFrom("guest")
      .select((eb) => eb.fn.max("updated").as("updated"))
      .where("event_id", "=", event).executeTakeFirstOrThrow()
    const id = await build.guest(event, { updated: updated + 1 })
    t.equal((await read("guests")).body[0].id, id)
    await migrate(database)
    for (let turn = 0; turn < 3; turn++) await read("guests")
  })

  /** Runs `work` while `replace` reads for the service, which gets what reads, and how many times that was asked for. */
  const whileReading = async <T>(
    replace: (read: () => Promise<unknown>, reads: number) => Promise<unknown>,
    work: () => Promise<T>,
  ): Promise<T> => {
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

  await t.test("GET guests keeps its list in memory if other requests twice overtake its admission", async (t) => {
    await build.account("other")
    await build.grant("other", { organization: "acme" })
    const getAsOther = await logIn("other")
    const guest = (await read("guests")).body[0].id
    for (let turn = 0; turn < 3; turn++) await read("guests")
    let [isOther, overtaken] = [false, 0]
    await whileReading(async (read, reads) => {
      const result = await read()
      if (isOther || reads > 8) return result
      isOther = true
      await database.writer.updateTable("guest").set({ first_name: `Overtaker ${overtaken++}` })
        .where("event_id", "=", event).where("id", "=", guest).execute()
      await getAsOther(`${path}/guests?since=${since++}`)
      isOther = false
      return result
    }, () => get(`${path}/guests?since=${since++}`))
    t.ok(overtaken >= 2)
    t.equal((await read("guests")).number, 1)
  })

  await t.test("GET guests is admitted again if a record changes before it has been read by its id", async (t) => {
    const guest = (await read("guests")).body[0].id
    for (let turn = 0; turn < 3; turn++) await read("guests")
    const rename = (first_name: string) =>
      database.writer.updateTable("guest").set({ first_name })
        .where("event_id", "=", event).where("id", "=", guest).execute()
    await rename("Once")
    const { body, number } = await whileReading(async (read, reads) => {
      // The third reading is that of the record.
      if (reads === 3) await rename("Twice")
      return await read()
    }, () => read("guests"))
    t.equal(body[0].firstName, "Twice")
    t.equal(number, 5, "three admissions, and two by the id")
  })

  await t.test("GET guests counts the memory of a new guest", async (t) => {
    for (let turn = 0; turn < 3; turn++) await read("guests")
    const { keep } = LiveLists.prototype
    const sizes: number[] = []
    LiveLists.prototype.keep = function (eventId, categories, records) {
      sizes.push(records.size)
      return keep.call(this, eventId, categories, records)
    }
    t.teardown(() => void (LiveLists.prototype.keep = keep))
    const { length } = (await read("guests")).body
    await build.guest(event, { updated: Math.floor(Date.now() / 1000) })
    await read("guests")
    t.strictSame(sizes, [length + 1])
  })

  await t.test("GET guests is answered from the database if another request cannot read the keys", async (t) => {
    const other = await build.event(organization)
    await build.guests(other, 3)
    const url = (since: number) => `/connector-b/v1/events/${other}/guests?since=${since}`
    await get(url(0))
    let fails = 0
    const responses = await whileReading(async (read) => {
      const result = await read()
      if (typeof result !== "object" || result === null || !("keys" in result)) return result
      // Meanwhile, all others have come to wait for it.
      await setTimeout(200)
      fails++
      throw new Unavailable("the keys cannot be read")
    }, () => Promise.all([1, 2, 3, 4].map((since) => get(url(since)))))
    t.equal(responses.filter(({ status }) => status === 200).length, 3)
    t.equal(fails, 1)
  })

  await t.test("GET guests does not try again and again to keep a list that has an odd id", async (t) => {
    const other = await build.event(organization)
    await build.guest(other, { id: "odd" })
    await build.guests(other, 3)
    const numbers: number[] = []
    for (let since = 0; since < 6; since++) {
      const response = await statements.observe(() =>
        get(`/connector-b/v1/events/${other}/guests?since=${since}`)
      )
      t.equal((await response.json()).length, 3)
      numbers.push(statements.all.length)
    }
    const [first = 0, second = 0, third = 0, ...others] = numbers
    t.equal(second, first + 1, "one reads the keys")
    t.ok(third < first, "one reads keys and no other records")
    t.ok(others.every((number) => number === third), numbers.join(" "))
  })

  await t.test("GET guests shows nobody a change from after the end of their rights", async (t) => {
    const guest = (await read("guests")).body.at(-1).id
    t.equal((await read("guests")).number, 1)
    await database.writer.updateTable("guest").set({ first_name: "Later" })
      .where("event_id", "=", event).where("id", "=", guest).execute()
    const { readOnce } = Database.prototype
    let reads = 0
    Database.prototype.readOnce = async function (work) {
      // The third reading is that of the record that has changed.
      if (++reads === 3) {
        await database.writer.deleteFrom("access_grant").execute()
        await database.writer.updateTable("guest").set({ first_name: "Last" })
          .where("event_id", "=", event).where("id", "=", guest).execute()
      }
      return await readOnce.call(this, work) as never
    }
    const { response } = await read("guests")
    Database.prototype.readOnce = readOnce
    t.equal(response.status, 404)
    t.equal(reads, 4, "it is admitted again")
  })

  await t.test("GET guests reads its keys anew after ten minutes, as a change may be in no log", async (t) => {
    await build.grant("partner", { organization: "acme" })
    for (let turn = 0; turn < 3; turn++) await read("guests")
    t.equal((await read("guests")).number, 1)
    const { now } = performance
    t.teardown(() => void (performance.now = now))
    performance.now = () => now.call(performance) + 10 * 60_000
    t.ok((await read("guests")).number > 1)
    t.equal((await read("guests")).number, 1)
  })
})
