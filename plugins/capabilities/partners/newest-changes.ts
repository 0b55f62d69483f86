import { sql } from "kysely"
import { categories, type Category, itemCategories, type Reader } from "../../../core/capability.ts"
import type { ListKind } from "./tables.ts"

/** The kinds of lists that change: those of events. */
export const changingKinds = ["guests", "items", "guest deletions", "item deletions"] as const

type ChangingKind = (typeof changingKinds)[number]

/**
 * The newest change of the lists of a kind, by event: rows of `event_id` and `at`. Of one event, if it is given.
 * MySQL jumps from event to event in the indexes.
 */
export function newestOf({ db }: Pick<Reader, "db">, kind: ChangingKind, eventId?: string) {
  const only = kind.startsWith("guest") ? ["guests" as const] : itemCategories
  const branches = kind === "guests" || kind === "items"
    ? only.map((category: Category) =>
      db
        .selectFrom(categories[category] as "guest")
        .select("event_id")
        .select((eb) => eb.fn.max<number>("updated").as("at"))
        .$if(eventId !== undefined, (query) => query.where("event_id", "=", eventId ?? ""))
        .groupBy("event_id")
    )
    : [
      db
        .selectFrom("deletion")
        .select("event_id")
        .select((eb) => eb.fn.max<number>("at").as("at"))
        .where("category", "in", only)
        .$if(eventId !== undefined, (query) => query.where("event_id", "=", eventId ?? ""))
        .groupBy(["event_id", "category"]),
    ]
  const [first, ...others] = branches
  if (!first) throw new TypeError("there are no categories")
  return db
    .selectFrom(others.reduce((before, each) => before.unionAll(each), first).as("each_change"))
    .select("event_id")
    .select((eb) => eb.fn.max<number>("at").as("at"))
    .groupBy("event_id")
}

/** The newest changes of the lists of all kinds: rows of `event_id`, `kind` and `at`. */
export function newestChanges(reader: Pick<Reader, "db">, eventId?: string) {
  const ofKind = (kind: ChangingKind) =>
    reader.db
      .selectFrom(newestOf(reader, kind, eventId).as("newest"))
      .select(["event_id", "at", sql<ListKind>`${sql.lit(kind)}`.as("kind")])
  const [first, ...others] = changingKinds
  return others.reduce((before, kind) => before.unionAll(ofKind(kind)), ofKind(first))
}
