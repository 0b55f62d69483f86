import type { Kysely, Selectable } from "kysely"
import t from "tap"
import demonstration from "../../config/demo/demonstration.ts"
import type { Database } from "../../core/data/database.ts"
import type { Schema } from "../../core/data/schema.ts"
import { freshDatabase, onEmbedded } from "../support/database.ts"

await onEmbedded(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer: db } = database
  await fill(database)

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
