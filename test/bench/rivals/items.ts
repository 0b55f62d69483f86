import type { Pool } from "mysql2/promise"
import type { GuestPage, Page, Shape } from "./guests.ts"

/** The six arrays of the bundle. */
const itemTables = {
  buyNows: "buy_now_item",
  auctionItems: "auction_item",
  pledges: "pledge",
  prizeDraws: "raffle",
  gliRaffles: "gli_raffle",
  tickets: "ticket",
} as const
type ItemKey = keyof typeof itemTables

const lean = ["id", "event_id", "name", "status", "created", "updated"]
const full = [
  ...lean,
  "revenue_stream_type",
  "external_id",
  "categories",
  "irs_subcategory",
  "description",
  "terms_description",
]
const draw = ["ticket_price", "max_tickets", "draws"]
const own: Record<ItemKey, Record<Shape, readonly string[]>> = {
  buyNows: {
    lean: ["price", "quantity"],
    full: ["price", "quantity", "tax_rate", "estimate"],
  },
  auctionItems: {
    lean: ["lot_number", "closes"],
    full: ["lot_number", "start_price", "increments", "estimate", "tax_rate", "closes"],
  },
  pledges: { lean: ["amount"], full: ["amount"] },
  prizeDraws: { lean: draw, full: draw },
  gliRaffles: {
    lean: [...draw, "licence_number", "regulator"],
    full: [...draw, "licence_number", "regulator"],
  },
  tickets: {
    lean: ["price", "capacity", "admits"],
    full: ["price", "capacity", "admits", "tax_rate"],
  },
}

/** Reads a page of each category, newest first. */
export async function readItems(
  pool: Pool,
  shape: Shape,
  { event, since, offset, limit }: GuestPage,
): Promise<Page> {
  const values = [event, since, String(limit), String(offset)]
  const arrays = (Object.keys(itemTables) as ItemKey[]).map(async (key) => {
    const [rows] = await pool.execute(itemStatement(key, shape), values)
    return [key, rows]
  })
  return { records: Object.fromEntries(await Promise.all(arrays)), headers: {} }
}

/** Its rows are the records. */
function itemStatement(key: ItemKey, shape: Shape): string {
  const columns = [...(shape === "full" ? full : lean), ...own[key][shape]]
  return `select ${columns.map((column) => `${column} as ${camelCase(column)}`).join(", ")}
    from ${itemTables[key]} where event_id = ? and updated >= ?
    order by updated desc, id desc limit ? offset ?`
}

function camelCase(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
