import type { ProductType } from "../platform.ts"
import type { Work } from "./work.ts"

/** Returns the number of a random attendee or product of the event that is not deleted; undefined if there is none. */
export async function pick(
  { db, scene: { event, random } }: Work,
  table: "attendee" | "product",
  type?: ProductType,
): Promise<number | undefined> {
  const all = db.selectFrom(table as "product").where("gala_id", "=", event.row.id)
    .where("deleted_at", "is", null).$if(
      type !== undefined,
      (query) => query.where("type", "=", type as ProductType),
    )
  const { least, most } = await all.select(({ fn }) => [
    fn.min<number | null>("id").as("least"),
    fn.max<number | null>("id").as("most"),
  ]).executeTakeFirstOrThrow()
  if (least === null || most === null) return undefined
  const found = await all.select("id").where("id", ">=", random.between(least, most)).orderBy("id")
    .limit(1).executeTakeFirst()
  return found?.id
}
