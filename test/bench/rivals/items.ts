import type { Shape } from "./guests.ts"

/** The six arrays of the bundle. */
export const itemTables = {
  buyNows: "buy_now_item",
  auctionItems: "auction_item",
  pledges: "pledge",
  prizeDraws: "raffle",
  gliRaffles: "gli_raffle",
  tickets: "ticket",
} as const
/** A key of the bundle. */
export type ItemKey = keyof typeof itemTables

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

/** Returns the statement for a page of one category, newest first. Its rows are the records. */
export function itemStatement(key: ItemKey, shape: Shape): string {
  const columns = [...(shape === "full" ? full : lean), ...own[key][shape]]
  return `select ${columns.map((column) => `${column} as ${camelCase(column)}`).join(", ")}
    from ${itemTables[key]} where event_id = ? and updated >= ?
    order by updated desc, id desc limit ? offset ?`
}

function camelCase(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
