import type mysql from "mysql2/promise"
import { categories, type Category } from "../../core/records/kinds/categories.ts"

/** A record in the form of the JSON of its family. */
export type Fields = Readonly<Record<string, unknown>>

/** A record of an event. */
export type RecordCopy = Readonly<{ id: string; updated: number } & Record<string, unknown>>

/** The records of an event, by category and id as `tickets 651adcf6-…`. */
export type Records = ReadonlyMap<string, Fields>

/** Where the tables are. */
export interface Connected {
  connected<T>(work: (connection: mysql.Connection) => Promise<T>): Promise<T>
}

/** The records of an event as its tables have them, in the form of the custom export. */
export type Truth = Readonly<Record<Category, readonly RecordCopy[]>>

/** Reads an event's tables and writes their rows as records, without any code of the service. */
export async function readTruth(
  server: Connected,
  eventId: string,
): Promise<Truth> {
  return await server.connected((connection) =>
    truthOf(async (table) => {
      const [found] = await connection.query<mysql.RowDataPacket[]>(
        `select * from chaos.${table} where event_id = ?`,
        [eventId],
      )
      return found as Row[]
    })
  )
}

/** Writes the rows of an event as records. `rows` returns those of a table, as it has them. */
export async function truthOf(rows: (table: string) => Promise<readonly Row[]>): Promise<Truth> {
  const consents = new Map((await rows("consent")).map((row) => [row["guest_id"], row]))
  const addresses = Map.groupBy(await rows("address"), (row) => row["guest_id"])
  const truth: Partial<Record<Category, RecordCopy[]>> = {}
  for (const [category, table] of Object.entries(categories) as [Category, string][]) {
    truth[category] = (await rows(table)).map((row) =>
      category === "guests"
        ? guestOf(row, consents.get(row["id"]), addresses.get(row["id"]) ?? [])
        : recordOf(row)
    )
  }
  return truth as Truth
}

const common = ["id", "eventId", "name", "status", "created", "updated"]
const draw = ["ticketPrice", "maxTickets", "draws"]
/** The fields of lean items, as the guide lists them. */
const lean: Readonly<Record<Exclude<Category, "guests">, readonly string[]>> = {
  buyNows: [...common, "price", "quantity"],
  auctionItems: [...common, "lotNumber", "closes"],
  pledges: [...common, "amount"],
  prizeDraws: [...common, ...draw],
  gliRaffles: [...common, ...draw, "licenceNumber", "regulator"],
  tickets: [...common, "price", "capacity", "admits"],
}
/** The fields of guests that only custom exports have. */
const ofCustomers = ["externalId", "smsOptIn", "companyName"]

/** Returns the records of an event as a family, such as `/acme/v1`, has them, without any code of the service. */
export function recordsOf(truth: Truth, family: string): Records {
  const isLean = /^\/(connector-|chosen)/.test(family)
  return new Map(
    Object.entries(truth).flatMap(([category, records]) =>
      records.map((record) => [
        `${category} ${record.id}`,
        isLean ? leanOf(category as Category, record) : record,
      ])
    ),
  )
}

function leanOf(category: Category, record: Fields): Fields {
  const has = (name: string) =>
    category === "guests" ? !ofCustomers.includes(name) : lean[category].includes(name)
  return Object.fromEntries(Object.entries(record).filter(([name]) => has(name)))
}

type Row = Record<string, unknown>

function guestOf(row: Row, consent: Row | undefined, addresses: readonly Row[]): RecordCopy {
  const addressOf = (kind: string) => {
    const found = addresses.find((address) => address["kind"] === kind)
    if (!found) return null
    const { event_id: _, guest_id: _g, kind: _k, ...address } = found
    return address
  }
  return {
    ...recordOf(row),
    smsOptIn: row["sms_opt_in"] === 1,
    mainAddress: addressOf("main"),
    giftAidAddress: addressOf("gift_aid"),
    taxReceiptAidAddress: addressOf("tax_receipt"),
    consentAsked: consent?.["asked"] === 1,
    consentStatus: consent?.["status"] ?? "inactive",
    consentChannels: consent?.["channels"] ?? "",
  }
}

/** No family here sends fields of the platform's own. */
function recordOf({ export_version: _, extra: __, ...row }: Row): RecordCopy {
  const entries = Object.entries(row).map(([column, value]) => [fieldOf(column), value])
  return Object.fromEntries(entries)
}

function fieldOf(column: string): string {
  return column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
