import { sql } from "kysely"
import {
  categories,
  type Database,
  isId,
  type LeftOut,
  type PageRequest,
  type Snapshot,
  type Warning,
} from "../../../core/capability.ts"
import { guest, guests, items, whole, wholeItems } from "../../../core/plugin.ts"

const aDay = 86_400

/**
 * Reads all records of all events, one event at a time, and finds those that partners do not get: of which a column
 * holds what its field cannot be, that have no time or one far ahead, that a view has twice, or whose ids are in upper case. Writes nothing.
 */
export async function findDataFaults(database: Database): Promise<Warning[]> {
  const events = await database.writer.selectFrom("event").select("id").execute()
  const warnings: Warning[] = []
  for (const { id } of events) {
    warnings.push(
      ...await database.longSnapshot(async (snapshot) => [
        ...await findWrong(snapshot, id),
        ...await findUnlisted(snapshot, id),
        ...await findTwice(snapshot, id),
        ...await findUpperCase(snapshot, id),
      ]),
    )
  }
  return warnings
}

async function findWrong(snapshot: Snapshot, eventId: string): Promise<Warning[]> {
  const scope = { eventId, access: "all", organizations: undefined } as never
  const leftOut: LeftOut[] = []
  const lists = [
    (page: PageRequest) => guests.list(snapshot, scope, page, whole(guest)),
    (page: PageRequest) => items.list(snapshot, scope, page, wholeItems),
  ]
  for (const list of lists) {
    let page: PageRequest = { since: -1, offset: 0, limit: 1000, terms: [], asLines: true }
    for (;;) {
      const found = await list(page)
      leftOut.push(...found.leftOut ?? [])
      if (Object.keys(found.next).length === 0) break
      page = { ...page, after: found.next }
    }
  }
  const columns = Map.groupBy(leftOut.filter(({ id }) => id !== undefined), ({ column }) => column)
  const warnings = [...columns].map(([column, [first, ...others]]) => ({
    about: `${column} of event ${eventId}`,
    message:
      `holds what the field cannot be in ${1 + others.length} records, which are left out, ` +
      `such as ${first?.id}`,
  }))
  const wrongIds = leftOut.filter(({ id }) => id === undefined).length + (isId(eventId) ? 0 : 1)
  return wrongIds === 0 ? warnings : [...warnings, {
    about: `event ${isId(eventId) ? eventId : "with an id that is no UUID"}`,
    message: `${wrongIds} ids are no UUIDs: what has them is left out`,
  }]
}

/** Finds records that no list has, or that come with every poll. */
async function findUnlisted({ db, dialect, run }: Snapshot, eventId: string): Promise<Warning[]> {
  const warnings: Warning[] = []
  for (const table of Object.values(categories)) {
    const ofEvent = db.selectFrom(table as "guest").where("event_id", "=", eventId)
    const [missing, ahead] = await Promise.all([
      run(ofEvent.select("id").where("updated", "is", null).limit(1)),
      run(
        ofEvent.select("id").where("updated", ">", sql<number>`${dialect.now} + ${sql.lit(aDay)}`)
          .limit(1),
      ),
    ])
    if (missing[0]) {
      warnings.push({
        about: `${table}.updated of event ${eventId}`,
        message: `is null, such as of ${missing[0].id}: no list has these records`,
      })
    }
    if (ahead[0]) {
      warnings.push({
        about: `${table}.updated of event ${eventId}`,
        message: `is more than a day ahead, such as of ${ahead[0].id}: write Unix seconds`,
      })
    }
  }
  return warnings
}

/** Finds rows of which a record may have one only. Tables have keys; views may not. */
async function findTwice({ db, run }: Snapshot, eventId: string): Promise<Warning[]> {
  const keys: Readonly<Record<string, readonly string[]>> = {
    ...Object.fromEntries(Object.values(categories).map((table) => [table, ["id"]])),
    consent: ["guest_id"],
    address: ["guest_id", "kind"],
  }
  const warnings: Warning[] = []
  for (const [table, columns] of Object.entries(keys)) {
    const [found] = await run(
      db.selectFrom(table as "guest").select(
        sql<string>`min(${sql.ref(columns[0] ?? "")})`.as("id"),
      )
        .where("event_id", "=", eventId).groupBy(columns as never)
        .having(sql<number>`count(*)`, ">", 1).limit(1),
    )
    if (found) {
      warnings.push({
        about: `${table} of event ${eventId}`,
        message:
          `has several rows with one ${columns.join(" and ")}, such as ${found.id}: which of ` +
          "them partners get is left to chance",
      })
    }
  }
  return warnings
}

/** Finds ids in upper case, unless their collation takes them for the same. */
async function findUpperCase({ db, run }: Snapshot, eventId: string): Promise<Warning[]> {
  const warnings: Warning[] = []
  for (const table of Object.values(categories)) {
    const [found] = await run(
      db.selectFrom(table as "guest").select("id").where("event_id", "=", eventId)
        .where("id", "<>", sql<string>`lower(id)`).limit(1),
    )
    if (found) {
      warnings.push({
        about: `${table}.id of event ${eventId}`,
        message:
          `is in upper case, such as ${found.id}: neither a bucket nor a request for one record has ` +
          "these. Write lower(…) in the view",
      })
    }
  }
  return warnings
}
