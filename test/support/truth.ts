import type mysql from "mysql2/promise"
import { categories, type Category } from "../../core/records/categories.ts"
import type { RecordCopy } from "./polling/reader.ts"
import type { PrivateMysql } from "../soak/chaos/private-mysql.ts"

/** The records of an event as its tables have them, in the form of the custom export. */
export type Truth = Readonly<Record<Category, readonly RecordCopy[]>>

/** Reads an event's tables and writes their rows as records, without any code of the service. */
export async function readTruth(
  server: Pick<PrivateMysql, "connected">,
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

function recordOf(row: Row): RecordCopy {
  const entries = Object.entries(row).map(([column, value]) => [fieldOf(column), value])
  return Object.fromEntries(entries)
}

function fieldOf(column: string): string {
  return column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
