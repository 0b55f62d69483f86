import type { Database } from "../../../core/capability.ts"
import type { SourceKind } from "./kinds.ts"
import type { Places } from "./rows.ts"
import { decimalsOf } from "./values.ts"

/** A row that has been taken over before. */
export interface KnownRow {
  readonly id: string
  readonly eventId: string | null
  readonly hash: string
}

/** All rows of a kind, or those with these ids, or those of an event. */
export interface Cover {
  readonly ids?: readonly string[]
  readonly eventId?: string
}

/** Where rows come from: each compares with its own only. */
export type Origin = "database" | "file"

type Reading = Pick<Database, "readOnce">

/** Rows per statement, so that none takes long. */
const portion = 20_000

/** Returns the rows of a kind that were taken over from an origin, by their keys there. */
export async function readKnownRows(
  database: Reading,
  { origin, kind, ids, eventId }: Cover & { readonly origin: Origin; readonly kind: SourceKind },
): Promise<Map<string, KnownRow>> {
  const known = new Map<string, KnownRow>()
  // Each row comes with its own copy of the same few texts.
  const events = new Map<string | null, string | null>()
  for (let after = "";;) {
    const rows = await database.readOnce(({ db, run }) =>
      run(
        db.selectFrom("connect_row").select(["id", "event_id", "source_key", "hash"])
          .where("kind", "=", kind).where("id", ">", after).where("origin", "=", origin)
          .$if(ids !== undefined, (query) => query.where("id", "in", ids ?? []))
          .$if(eventId !== undefined, (query) => query.where("event_id", "=", eventId ?? ""))
          .orderBy("id").limit(portion),
      )
    )
    for (const { id, event_id, source_key, hash } of rows) {
      if (!events.has(event_id)) events.set(event_id, event_id)
      known.set(source_key, { id, eventId: events.get(event_id) ?? null, hash })
    }
    const last = rows.at(-1)
    if (rows.length < portion || !last) return known
    after = last.id
  }
}

/** Returns how many rows of each event and kind were taken over from an origin, by `event/kind`. */
export async function countKnownRows(
  database: Reading,
  origin: Origin,
): Promise<ReadonlyMap<string, number>> {
  const rows = await database.readOnce(({ db, run }) =>
    run(
      db.selectFrom("connect_row").select(["event_id", "kind"])
        .select(({ fn }) => fn.countAll().as("rows"))
        .where("origin", "=", origin).groupBy(["event_id", "kind"]),
    )
  )
  return new Map(
    rows.map(({ event_id, kind, rows }) => [`${event_id ?? ""}/${kind}`, Number(rows)]),
  )
}

/** Returns the organizations and events that were taken over from the database of the platform. */
export async function readPlaces(database: Reading): Promise<Places> {
  const rows = await database.readOnce(({ db, run }) =>
    run(
      db.selectFrom("connect_row as taken").leftJoin("event", "event.id", "taken.id")
        .select(["taken.id", "event.currency"])
        .where("origin", "=", "database").where("kind", "in", ["organization", "event"]),
    )
  )
  const events = rows.filter(({ currency }) => currency !== null)
  return {
    organizations: new Set(rows.filter(({ currency }) => currency === null).map(({ id }) => id)),
    events: new Map(events.map(({ id, currency }) => [id, decimalsOf(currency ?? "")])),
  }
}
