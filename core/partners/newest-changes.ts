import { sql } from "kysely"
import type { Reader } from "../data/database.ts"
import type { ListKind, Schema } from "../data/schema.ts"
import { categories, type Category } from "../records/categories.ts"

/** The newest change of each event that somebody reads, by kind of list: rows of `event_id`, `kind` and `at`. */
export function newestChanges({ db }: Pick<Reader, "db">, eventId?: string) {
  const all = Object.entries(categories) as [Category, keyof Schema][]
  const branches = all.flatMap(([category, table]) => {
    const name = category === "guests" ? "guest" : "item"
    // The order lets every database stop at the first entry of the index.
    return [
      branch(
        { db },
        `${name}s`,
        sql<number | null>`(select r.updated from ${sql.table(table)} as r
        where r.event_id = event.id order by r.updated desc limit 1)`,
        eventId,
      ),
      branch(
        { db },
        `${name} deletions`,
        sql<number | null>`(select d.at from deletion as d
        where d.event_id = event.id and d.category = ${category} order by d.at desc limit 1)`,
        eventId,
      ),
    ]
  })
  const [first, ...others] = branches
  if (!first) throw new TypeError("there are no categories")
  const united = others.reduce((before, each) => before.unionAll(each), first)
  return db
    .selectFrom(united.as("each_change"))
    .select(["event_id", "kind"])
    .select((eb) => eb.fn.max<number>("at").as("at"))
    .where("at", "is not", null)
    .groupBy(["event_id", "kind"])
}

function branch(
  { db }: Pick<Reader, "db">,
  kind: string,
  at: ReturnType<typeof sql<number | null>>,
  eventId: string | undefined,
) {
  return db
    .selectFrom("event")
    .select(["event.id as event_id", sql.lit(kind as ListKind).as("kind"), at.as("at")])
    .where(({ exists, selectFrom, eb }) =>
      eventId === undefined
        ? exists(
          selectFrom("sync_state").select("sync_state.account_id").whereRef(
            "sync_state.event_id",
            "=",
            "event.id",
          ),
        )
        : eb("event.id", "=", eventId)
    )
}
