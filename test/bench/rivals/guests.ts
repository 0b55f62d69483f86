import type { Pool } from "mysql2/promise"

/** The set of a guest's fields to return. */
export type Shape = "full" | "lean"

/** A request for a page of guests. */
export interface GuestPage {
  readonly path: string
  readonly event: string
  readonly since: number
  readonly offset: number
  readonly limit: number
  /** Text to search for; an empty text finds all guests. */
  readonly q: string
  /** The last guest of the page before, as `updated,id`; an empty text for a page that begins at `offset`. */
  readonly after: string
}

const addressColumns = [
  "name",
  "line1",
  "line2",
  "line3",
  "line4",
  "town",
  "postcode",
  "state",
  "country",
  "recipient_name",
]
const addresses = { main: "main", gift: "gift_aid", tax: "tax_receipt" }
const searchColumns = {
  lean: ["first_name", "last_name", "email", "mobile"],
  full: ["first_name", "last_name", "email", "mobile", "external_id", "company_name"],
}

const columns = [
  "g.id",
  "g.event_id",
  "g.first_name",
  "g.last_name",
  "g.email",
  "g.mobile",
  "g.created",
  "g.updated",
  "c.asked",
  "c.status",
  "c.channels",
  ...Object.keys(addresses).flatMap((alias) => addressColumns.map((name) => `${alias}.${name}`)),
]
const columnsOfFull = [...columns, "g.external_id", "g.sms_opt_in", "g.company_name"]

const joined = `left join consent c on c.event_id = g.event_id and c.guest_id = g.id
  ${
  Object.entries(addresses).map(([alias, kind]) =>
    `left join address ${alias} on ${alias}.event_id = g.event_id and ${alias}.guest_id = g.id
      and ${alias}.kind = '${kind}'`
  ).join(" ")
}`

/** The records of a response, and headers of its own. */
export interface Page {
  readonly records: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** Reads a page of guests. */
export async function readGuests(pool: Pool, shape: Shape, page: GuestPage): Promise<Page> {
  const sql = guestStatement(shape, page)
  const [rows] = await pool.execute({ sql, rowsAsArray: true }, guestValues(shape, page))
  const headers = linkToNext(rows as GuestRow[], page)
  return { records: (rows as GuestRow[]).map((row) => toGuest(row, shape)), headers }
}

/** Returns the statement for a page of guests, newest first. */
function guestStatement(shape: Shape, { q, after }: GuestPage): string {
  const select = `select ${(shape === "full" ? columnsOfFull : columns).join(", ")}`
  const matching = searchColumns[shape].map((name) => `g.${name} like ?`).join(" or ")
  // Written so that MySQL reads a range of the index; it finds none in (updated, id) < (?, ?).
  const following = "and g.updated <= ? and (g.updated < ? or g.id < ?)"
  const page = `where g.event_id = ? and g.updated >= ? ${q ? `and (${matching})` : ""}
    ${after ? following : ""}
    order by g.updated desc, g.id desc limit ? offset ?`
  return `${select} from guest g ${joined} ${page}`
}

/** Returns the values of `guestStatement`, in its order. */
function guestValues(shape: Shape, page: GuestPage): (string | number)[] {
  const pattern = `%${page.q.replace(/[\\%_]/g, "\\$&")}%`
  const matching = page.q ? searchColumns[shape].map(() => pattern) : []
  const [updated = "", id = ""] = page.after.split(",")
  const following = page.after ? [Number(updated), Number(updated), id] : []
  // Limits are text: the driver sends numbers as doubles, which the server rejects there.
  const range = [String(page.limit), String(page.offset)]
  return [page.event, page.since, ...matching, ...following, ...range]
}

/** Returns the `Link` header of a full page: the path of the next one. Other pages have none. */
function linkToNext(
  rows: readonly GuestRow[],
  { path, since, limit, q }: GuestPage,
): Record<string, string> {
  const last = rows.at(-1)
  if (!last || rows.length < limit) return {}
  const query = new URLSearchParams({ since: `${since}`, limit: `${limit}`, ...q && { q } })
  query.set("after", `${last[columns.indexOf("g.updated")]},${last[columns.indexOf("g.id")]}`)
  return { link: `<${path}?${query}>; rel="next"` }
}

type Cell = string | number | null
/** A row of `guestStatement`, as an array. */
type GuestRow = readonly Cell[]

/** Converts a row to the record that partners see. */
function toGuest(row: GuestRow, shape: Shape): Record<string, unknown> {
  const lean = {
    id: row[0],
    eventId: row[1],
    firstName: row[2],
    lastName: row[3],
    email: row[4],
    mobile: row[5],
    mainAddress: toAddress(row, 11),
    giftAidAddress: toAddress(row, 21),
    taxReceiptAidAddress: toAddress(row, 31),
    created: row[6],
    updated: row[7],
    consentAsked: row[8] === 1,
    consentStatus: row[9] ?? "inactive",
    consentChannels: row[10] ?? "",
  }
  if (shape === "lean") return lean
  return { ...lean, externalId: row[41], smsOptIn: row[42] === 1, companyName: row[43] }
}

function toAddress(row: GuestRow, first: number) {
  if (row[first] === null) return null
  return {
    name: row[first],
    line1: row[first + 1],
    line2: row[first + 2],
    line3: row[first + 3],
    line4: row[first + 4],
    town: row[first + 5],
    postcode: row[first + 6],
    state: row[first + 7],
    country: row[first + 8],
    recipient_name: row[first + 9],
  }
}
