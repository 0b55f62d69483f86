import type { Category } from "../../../../core/capability.ts"
import type { World } from "../world.ts"

/** A record in the form of the JSON of its family. */
export type Fields = Readonly<Record<string, unknown>>

/** The records of an event, by category and id as `tickets 651adcf6-…`. */
export type Records = ReadonlyMap<string, Fields>

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

/** Reads the records of an event from its tables, without any code of the service, as a family has them. */
export async function readRecords(
  { tables }: Pick<World, "tables">,
  event: string,
  family: string,
): Promise<Records> {
  const truth = await tables.recordsOf(event)
  const isLean = family.startsWith("/connector-")
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
