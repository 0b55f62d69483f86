import type { Database } from "../../../core/capability.ts"
import type { Kind } from "./kinds.ts"

/** A row that has been taken over before. */
export interface KnownRow {
  readonly eventId: string | null
  readonly sourceHash: string
  readonly hash: string
}

/** Where rows come from: each compares with its own only. */
export type Origin = "database" | "file"

/** Rows per statement, so that none takes long. */
const portion = 20_000

/** Returns the rows of a kind that were taken over from an origin, by id; with `eventId`, those of one event. */
export async function readKnownRows(
  database: Pick<Database, "readOnce">,
  { kind, origin, eventId }: {
    readonly kind: Kind
    readonly origin: Origin
    readonly eventId?: string | undefined
  },
): Promise<Map<string, KnownRow>> {
  const known = new Map<string, KnownRow>()
  for (let after = "";;) {
    const rows = await database.readOnce(({ db, run }) =>
      run(
        db.selectFrom("connect_row").select(["id", "event_id", "source_hash", "hash"])
          .where("kind", "=", kind).where("id", ">", after).where("origin", "=", origin)
          .$if(eventId !== undefined, (query) => query.where("event_id", "=", eventId ?? ""))
          .orderBy("id").limit(portion),
      )
    )
    for (const { id, event_id, source_hash, hash } of rows) {
      known.set(id, { eventId: event_id, sourceHash: source_hash, hash })
    }
    const last = rows.at(-1)
    if (rows.length < portion || !last) return known
    after = last.id
  }
}
