import type { Kysely, Selectable } from "kysely"
import t, { type Test } from "tap"
import demonstration from "../../config/demo/demonstration.ts"
import type { Database } from "../../core/data/database.ts"
import type { Schema } from "../../core/data/schema.ts"
import { freshDatabase, onEmbedded } from "../support/database.ts"

await onEmbedded(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer: db } = database
  await fill(database)

  await t.test("the demonstration has all combinations of addresses, consent and nulls", async (t) => {
    const guests = await rowsOf(db, "guest")
    const addresses = await rowsOf(db, "address")
    const consents = await rowsOf(db, "consent")
    const kinds = new Map<string, string>()
    for (const { guest_id, kind } of addresses) {
      kinds.set(guest_id, [kinds.get(guest_id), kind].filter(Boolean).sort().join())
    }
    t.equal(new Set(guests.map((guest) => kinds.get(guest.id))).size, 8)
    bothWays(t, addresses, ["line2", "line3", "line4", "state"])
    bothWays(t, guests, ["company_name"])
    t.same(new Set(guests.map((guest) => guest.sms_opt_in)), new Set([0, 1]))

    t.ok(guests.length > consents.length, "some have no consent record")
    const answers = consents.map(({ asked, status, channels }) => `${asked} ${status} ${channels}`)
    t.same([...new Set(answers)].sort(), [
      "0 inactive ",
      "1 active email",
      "1 active email,post",
      "1 active email,sms",
      "1 active email,sms,post",
      "1 active post",
      "1 active sms",
      "1 inactive ",
    ])
  })

  await t.test("the demonstration has items with and without each optional value", async (t) => {
    const optional = ["external_id", "irs_subcategory", "description", "terms_description"]
    const own = {
      buy_now_item: ["quantity", "tax_rate", "estimate"],
      auction_item: ["estimate", "tax_rate", "closes"],
      pledge: ["amount"],
      raffle: ["max_tickets", "draws"],
      gli_raffle: ["max_tickets", "draws"],
      ticket: ["capacity", "tax_rate"],
    } as const
    for (const [table, columns] of Object.entries(own)) {
      const rows = await rowsOf(db, table as keyof typeof own)
      bothWays(t, rows, [...optional, ...columns])
      for (const row of rows) {
        const categories: unknown = JSON.parse(row.categories)
        if (!Array.isArray(categories)) t.fail(`${table}: categories is ${row.categories}`)
      }
    }
    const tickets = await rowsOf(db, "ticket")
    t.ok(tickets.some((ticket) => ticket.categories === "[]"))
    t.same(new Set(tickets.map((ticket) => ticket.admits)), new Set([1, 2, 10]))
    for (const { increments } of await rowsOf(db, "auction_item")) {
      for (const increment of JSON.parse(increments)) {
        if (!(increment.from >= 0 && increment.step > 0)) t.fail(increments)
      }
    }
    const limits = (await rowsOf(db, "raffle")).map(({ max_tickets, draws }) =>
      `${max_tickets === null} ${draws === null}`
    )
    t.equal(new Set(limits).size, 4)
  })

  await t.test("the demonstration has fictitious guests, with reserved e-mail domains and names in many scripts", async (t) => {
    const guests = await rowsOf(db, "guest")
    const email = /^[a-z0-9._-]+@example\.(com|org)$/
    t.same(guests.filter((guest) => !email.test(guest.email)), [])
    t.same(guests.filter((guest) => !/^\+\d{8,15}$/.test(guest.mobile)), [])
    const names = guests.map((guest) => guest.first_name + guest.last_name).join("")
    for (const script of ["Latin", "Cyrillic", "Greek", "Hebrew", "Arabic", "Thai", "Han"]) {
      t.match(names, new RegExp(`\\p{Script=${script}}`, "u"), script)
    }
    const countries = new Set((await rowsOf(db, "address")).map((address) => address.country))
    t.ok(countries.size >= 20)
    for (const country of countries) t.match(country, /^[A-Z]{2}$/)
  })
})

function fill({ writer, dialect }: Database): Promise<void> {
  return demonstration.fill({
    db: writer,
    dialect: dialect.name,
    hashPassword: (password) => Promise.resolve(`hash of ${password}`),
  })
}

function rowsOf<T extends keyof Schema>(
  db: Kysely<Schema>,
  table: T,
): Promise<Selectable<Schema[T]>[]> {
  const rows: Promise<unknown> = db.selectFrom(table as "guest").selectAll().execute()
  return rows as Promise<Selectable<Schema[T]>[]>
}

function bothWays(t: Test, rows: object[], columns: readonly string[]): void {
  for (const column of columns) {
    const nulls = rows.filter((row) => (row as Record<string, unknown>)[column] === null).length
    t.ok(nulls > 0 && nulls < rows.length, `${column} is null in ${nulls} of ${rows.length}`)
  }
}
