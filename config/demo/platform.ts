import { type Kysely, sql } from "kysely"

/**
 * The tables of the platform, as an organizer's own software has them: nothing in them is made for the service.
 * `platform.yaml` says what the service makes of them. Times are in UTC, prices in pounds or the currency of the gala.
 */
export interface Platform {
  charity: { id: number; uuid: string; short_name: string; title: string }
  gala: {
    id: number
    /** What other systems call it. */
    uuid: string
    charity_id: number
    code: string | null
    title: string
    state: string
    currency: string
    zone: string
    opens_at: string
    closes_at: string
    created_at: string
  }
  person: {
    id: number
    forename: string
    surname: string
    mail: string
    phone: string
    employer: string | null
  }
  /** A person at a gala, and what they have agreed to there. */
  attendee: {
    id: number
    gala_id: number
    person_id: number
    reference: string
    texts: number
    asked: number | null
    agreed: number | null
    ways: string | null
    registered_at: string
    deleted_at: string | null
  }
  residence: {
    person_id: number
    purpose: Purpose
    label: string
    line1: string
    line2: string | null
    line3: string | null
    line4: string | null
    town: string
    postcode: string
    county: string | null
    country: string
    recipient: string
  }
  /** Whatever is for sale at a gala. Which columns matter depends on the type. */
  product: {
    id: number
    gala_id: number
    type: ProductType
    title: string
    state: string
    stream: string
    reference: string | null
    tags: string
    tax_class: string | null
    blurb: string | null
    terms: string | null
    price: string | null
    estimate: string | null
    vat: number | null
    stock: number | null
    seats: number | null
    lot: number | null
    bid_steps: string | null
    ends_at: string | null
    licence: string | null
    regulator: string | null
    created_at: string
    deleted_at: string | null
  }
}

/** What an address is for. */
export type Purpose = "main" | "gift aid" | "tax receipt"

/** What a product is. */
export type ProductType = "shop" | "auction" | "donation" | "raffle" | "licensed raffle" | "ticket"

/** Rows of the platform by table, in the order in which they are inserted. */
export type Rows = { readonly [Table in keyof Platform]?: readonly Platform[Table][] }

const tables = [
  `charity (id integer primary key, uuid char(36) not null, short_name varchar(50) not null,
    title varchar(200) not null)`,
  `gala (id integer primary key, uuid char(36) not null, charity_id integer not null, code varchar(50),
    title varchar(200) not null, state varchar(20) not null, currency char(3) not null, zone varchar(50) not null,
    opens_at datetime not null, closes_at datetime not null, created_at datetime not null,
    foreign key (charity_id) references charity (id))`,
  `person (id integer primary key, forename varchar(100) not null, surname varchar(100) not null,
    mail varchar(250) not null, phone varchar(30) not null, employer varchar(200))`,
  `attendee (id integer primary key, gala_id integer not null, person_id integer not null,
    reference varchar(50) not null, texts smallint not null, asked smallint, agreed smallint, ways varchar(50),
    registered_at datetime not null, deleted_at datetime, unique (gala_id, person_id),
    foreign key (gala_id) references gala (id), foreign key (person_id) references person (id))`,
  `residence (person_id integer not null, purpose varchar(20) not null, label varchar(100) not null,
    line1 varchar(200) not null, line2 varchar(200), line3 varchar(200), line4 varchar(200), town varchar(100) not null,
    postcode varchar(30) not null, county varchar(100), country char(2) not null, recipient varchar(200) not null,
    primary key (person_id, purpose), foreign key (person_id) references person (id))`,
  `product (id integer primary key, gala_id integer not null, type varchar(20) not null, title varchar(200) not null,
    state varchar(20) not null, stream varchar(20) not null, reference varchar(50), tags varchar(200) not null,
    tax_class varchar(50), blurb text, terms text, price decimal(10, 2), estimate decimal(10, 2), vat decimal(6, 3),
    stock integer, seats integer, lot integer, bid_steps varchar(500), ends_at datetime, licence varchar(50),
    regulator varchar(100), created_at datetime not null, deleted_at datetime,
    foreign key (gala_id) references gala (id))`,
]

/** Keeps a statement below SQLite's limit of 32,766 bound values. */
const rowsPerStatement = 400

/** Creates the tables of a platform and fills them, completely or not at all. Leaves one alone that is filled. */
export async function fillPlatform(db: Kysely<Platform>, batches: Iterable<Rows>): Promise<void> {
  for (const table of tables) await sql.raw(`create table if not exists ${table}`).execute(db)
  if (await isFilled(db)) return
  try {
    await db.transaction().execute(async (transaction) => {
      for (const rows of batches) await insertRows(transaction, rows)
    })
  } catch (error) {
    // Another process has filled it meanwhile.
    if (!await isFilled(db)) throw error
  }
}

async function isFilled(db: Kysely<Platform>): Promise<boolean> {
  return await db.selectFrom("charity").select("id").limit(1).executeTakeFirst() !== undefined
}

/** Inserts rows table by table. `db` may be a transaction. */
export async function insertRows(db: Kysely<Platform>, rows: Rows): Promise<void> {
  for (const [table, all] of Object.entries(rows)) {
    for (let start = 0; start < all.length; start += rowsPerStatement) {
      await db.insertInto(table as keyof Platform).values(
        all.slice(start, start + rowsPerStatement),
      )
        .execute()
    }
  }
}

/** Returns Unix seconds as the platform has times. */
export function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ")
}
