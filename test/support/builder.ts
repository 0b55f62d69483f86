import { randomUUID } from "node:crypto"
import type { Insertable, Kysely } from "kysely"
import { hashPassword, methods } from "../../core/access/passwords.ts"
import { categories, type Category } from "../../core/records/kinds/categories.ts"
import type { Database } from "../../core/data/database.ts"
import { grantAccess } from "../../plugins/capabilities/accounts/grants.ts"
import type { Schema } from "../../core/data/schema.ts"
import type { Role } from "../../core/data/service-tables.ts"
import { addNeighbour } from "./neighbour.ts"
import { nextId } from "./same-ids.ts"

/** The password of all accounts that a builder inserts. */
export const password = "correct horse battery staple"

// Real costs would slow down all tests that log in.
methods.scrypt = "$scrypt$ln=4,r=8,p=1"
const cheapHash = hashPassword(password)

/** A time in the past, in Unix seconds: always earlier than a trigger's "now". */
export const past = 1_700_000_000

/** Databases to which a neighbour has been added. */
const withNeighbour = new WeakSet<Database["writer"]>()

/**
 * Inserts rows with sensible values. A test passes only the values that matter to it. Records of different events get
 * the same ids, and with its first event a database gets one of a neighbour.
 */
export class Builder {
  readonly #db: Database["writer"]
  readonly #database: Database

  /** `isAlone`: for tests that count what is in the database, which then gets no neighbour. */
  constructor(database: Database, { isAlone = false }: { readonly isAlone?: boolean } = {}) {
    if (isAlone) withNeighbour.add(database.writer)
    this.#database = database
    this.#db = database.writer
  }

  async organization(slug: string): Promise<string> {
    const id = randomUUID()
    await this.#db.insertInto("organization").values({ id, slug, name: slug, ...stamps }).execute()
    return id
  }

  async event(
    organization_id: string,
    values: Partial<Insertable<Schema["event"]>> = {},
  ): Promise<string> {
    // A transaction of the model has no dialect.
    if (this.#database.dialect && !withNeighbour.has(this.#db)) {
      withNeighbour.add(this.#db)
      await addNeighbour(this.#database)
    }
    const row = {
      id: randomUUID(),
      organization_id,
      external_id: null,
      name: "Autumn Gala",
      status: "running",
      currency: "GBP",
      timezone: "Europe/London",
      starts: past,
      ends: past + 18_000,
      ...stamps,
      ...values,
    }
    await this.#insert("event", [row])
    return row.id
  }

  async guest(
    event_id: string,
    values: Partial<Insertable<Schema["guest"]>> = {},
  ): Promise<string> {
    const id = values.id ?? nextId(event_id, "guests")
    const row = { ...guestDefaults, event_id, ...values, id }
    await this.#insert("guest", [row])
    return row.id
  }

  /** Inserts many guests at once, newest first. Returns their ids in that order. */
  async guests(
    event_id: string,
    count: number,
    valuesOf: (index: number) => Partial<Insertable<Schema["guest"]>> = () => ({}),
  ): Promise<string[]> {
    const rows = Array.from({ length: count }, (_, index) => {
      const values = valuesOf(index)
      return {
        ...guestDefaults,
        event_id,
        email: `guest${index}@example.org`,
        updated: past + count - index,
        ...values,
        id: values.id ?? nextId(event_id, "guests"),
      }
    })
    await this.#insert("guest", rows)
    return rows.map((row) => row.id)
  }

  async consent(
    event_id: string,
    guest_id: string,
    values: Partial<Insertable<Schema["consent"]>> = {},
  ): Promise<void> {
    const row = { asked: 1, status: "active", channels: "email", event_id, guest_id, ...values }
    await this.#db.insertInto("consent").values(row).execute()
  }

  async address(
    event_id: string,
    guest_id: string,
    values: Partial<Insertable<Schema["address"]>> = {},
  ): Promise<void> {
    const row = { ...addressDefaults, event_id, guest_id, ...values }
    await this.#db.insertInto("address").values(row).execute()
  }

  async item(
    category: Exclude<Category, "guests">,
    event_id: string,
    values: Record<string, unknown> = {},
  ): Promise<string> {
    const id = typeof values["id"] === "string" ? values["id"] : nextId(event_id, category)
    const row = { ...itemDefaults, ...ownDefaults[category], event_id, ...values, id }
    await this.#insert(categories[category], [row])
    return id
  }

  /** Inserts many items of one category, newest first. Returns their ids in that order. */
  async items(
    category: Exclude<Category, "guests">,
    event_id: string,
    count: number,
    valuesOf: (index: number) => { readonly id?: string; readonly name?: string } = () => ({}),
  ): Promise<string[]> {
    const rows = Array.from({ length: count }, (_, index) => {
      const values = valuesOf(index)
      return {
        ...itemDefaults,
        ...ownDefaults[category],
        event_id,
        updated: past + count - index,
        ...values,
        id: values.id ?? nextId(event_id, category),
      }
    })
    await this.#insert(categories[category], rows)
    return rows.map((row) => row.id)
  }

  async account(username: string, role: Role = "partner", own?: string): Promise<string> {
    const id = randomUUID()
    const hash = await (own === undefined ? cheapHash : hashPassword(own))
    const stored = role === "viewer" ? { role: "partner", viewer: 1 } as const : { role }
    await this.#db.insertInto("account")
      .values({ id, username, ...stored, password: hash }).execute()
    return id
  }

  async grant(
    username: string,
    target: { organization: string } | { event: string },
  ): Promise<void> {
    await grantAccess(this.#database, username, target)
  }

  // TypeScript finds no type that the tables share.
  async #insert(table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
    const insert = async (db: Kysely<Schema>) => {
      for (let start = 0; start < rows.length; start += 500) {
        await db.insertInto(table as "pledge").values(rows.slice(start, start + 500) as never)
          .execute()
      }
    }
    await withHistory(this.#database, insert)
  }
}

/** Runs `work` on a connection whose `updated` may be in the past. */
export async function withHistory<T>(
  { writer, dialect }: Database,
  work: (db: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  // A transaction of the model has no dialect.
  const keep = dialect?.keepHistory
  if (!keep) return await work(writer)
  return await writer.connection().execute(async (db) => {
    await keep.begin.execute(db)
    try {
      return await work(db)
    } finally {
      await keep.end.execute(db)
    }
  })
}

const stamps = { created: past, updated: past }

/** The values of a guest without its ids. */
export const guestDefaults: Omit<Insertable<Schema["guest"]>, "id" | "event_id"> = {
  first_name: "Ada",
  last_name: "Lovelace",
  email: "ada@example.org",
  mobile: "+44 20 7946 0000",
  external_id: "crm-1",
  sms_opt_in: 0,
  company_name: null,
  ...stamps,
}

const addressDefaults: Omit<Insertable<Schema["address"]>, "event_id" | "guest_id"> = {
  kind: "main",
  name: "Home",
  line1: "1 High Street",
  line2: null,
  line3: null,
  line4: null,
  town: "London",
  postcode: "N1 1AA",
  state: null,
  country: "GB",
  recipient_name: "Ada Lovelace",
}

const itemDefaults: Omit<Insertable<Schema["pledge"]>, "id" | "event_id" | "amount"> = {
  name: "Item",
  status: "active",
  revenue_stream_type: "donation",
  external_id: null,
  categories: "[]",
  irs_subcategory: null,
  description: null,
  terms_description: null,
  ...stamps,
}

const raffle = { ticket_price: 500, max_tickets: null, draws: null }

const ownDefaults: Readonly<Record<Exclude<Category, "guests">, Record<string, unknown>>> = {
  buyNows: { price: 2500, quantity: null, tax_rate: null, estimate: null },
  auctionItems: {
    lot_number: 1,
    start_price: 10_000,
    increments: '[{"from":0,"step":500}]',
    estimate: null,
    tax_rate: null,
    closes: null,
  },
  pledges: { amount: null },
  prizeDraws: raffle,
  gliRaffles: { ...raffle, licence_number: "GLI-1", regulator: "Gambling Commission" },
  tickets: { price: 7500, capacity: null, admits: 1, tax_rate: null },
}
