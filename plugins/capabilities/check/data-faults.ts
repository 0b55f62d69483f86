import { type RawBuilder, sql, type SqlBool } from "kysely"
import {
  categories,
  type Database,
  isId,
  type OmittedRecord,
  type Snapshot,
  type Warning,
} from "../../../core/capability.ts"
import type { PageRequest } from "../../../core/lists.ts"
import { event, events, guest, guests, items, whole, wholeItems } from "../../../core/plugin.ts"

const aDay = 86_400

/**
 * Reads all events, and all their records, one event at a time, and finds what partners do not get: records with a value
 * that its field cannot have, with a time far ahead, or with an id in upper case. Writes nothing.
 */
export async function findDataFaults(database: Database): Promise<Warning[]> {
  const rows = await database.writer.selectFrom("event").select(["id", "organization_id"]).execute()
  const organizationIds = rows.map(({ organization_id }) => organization_id)
  const warnings = await database.longSnapshot(async (snapshot) => [
    ...await findWrongEvents(snapshot, organizationIds),
    ...await findOdd(snapshot, { event: ofRecords(snapshot) }),
  ])
  for (const id of new Set(rows.map(({ id }) => id))) {
    warnings.push(
      ...await database.longSnapshot(async (snapshot) => [
        ...await findWrong(snapshot, id),
        ...await findOdd(snapshot, oddities(snapshot), id),
      ]),
    )
  }
  return warnings
}

const tables = Object.values(categories)

type List = (page: PageRequest) => ReturnType<typeof guests.list>

async function findWrongEvents(
  snapshot: Snapshot,
  organizationIds: readonly string[],
): Promise<Warning[]> {
  const scope = { access: { organizationIds, eventIds: [] }, organizations: undefined } as never
  return describe(await readAll([(page) => events.list(snapshot, scope, page, whole(event))]))
}

async function findWrong(snapshot: Snapshot, eventId: string): Promise<Warning[]> {
  const scope = { eventId, access: "all", organizations: undefined } as never
  const leftOut = await readAll([
    (page) => guests.list(snapshot, scope, page, whole(guest)),
    (page) => items.list(snapshot, scope, page, wholeItems),
  ])
  const warnings = describe(leftOut, eventId)
  const wrongIds = leftOut.filter(({ id }) => id === undefined).length + (isId(eventId) ? 0 : 1)
  return wrongIds === 0 ? warnings : [...warnings, {
    about: `event ${isId(eventId) ? eventId : "with an id that is not a UUID"}`,
    message: `${wrongIds} ids are not UUIDs: records with them are left out`,
  }]
}

/** Reads lists to their ends. Returns what is left out of them. */
async function readAll(lists: readonly List[]): Promise<OmittedRecord[]> {
  const leftOut: OmittedRecord[] = []
  for (const list of lists) {
    let page: PageRequest = { since: -1, offset: 0, limit: 1000, terms: [], asLines: true }
    for (;;) {
      const found = await list(page)
      leftOut.push(...found.leftOut ?? [])
      if (Object.keys(found.next).length === 0) break
      page = { ...page, after: found.next }
    }
  }
  return leftOut
}

/** Describes the values for which records are left out. */
function describe(leftOut: readonly OmittedRecord[], eventId?: string): Warning[] {
  const wrong = leftOut.filter(({ id }) => id !== undefined)
  const columns = Map.groupBy(wrong, ({ column }) => column)
  return [...columns].map(([column, [first, ...others]]) => ({
    about: `${column}${place(eventId)}`,
    message:
      `has values that the field cannot have in ${
        1 + others.length
      } records, which are left out, ` +
      `such as ${first?.id}`,
  }))
}

/** Values of a column that no row should have, and what to say about them. */
interface Oddity {
  readonly column: string
  readonly is: RawBuilder<SqlBool>
  readonly message: (id: string) => string
  /** The column with the id of a row's record. */
  readonly id?: string
}

function oddities(snapshot: Snapshot): Readonly<Record<string, readonly Oddity[]>> {
  return {
    ...Object.fromEntries(tables.map((table) => [table, ofRecords(snapshot)])),
    address: ofAddresses,
  }
}

function ofRecords({ dialect }: Snapshot): Oddity[] {
  return [
    {
      column: "updated",
      is: sql`updated > ${dialect.now} + ${sql.lit(aDay)}`,
      message: (id) => `is more than a day ahead, such as in ${id}: write Unix seconds`,
    },
    {
      column: "id",
      is: sql`id <> lower(id)`,
      message: (id) =>
        `is in upper case, such as ${id}: no bucket has these records, and no request finds one. ` +
        "Delete them, and insert them with lower-case ids",
    },
  ]
}

const ofAddresses: readonly Oddity[] = [
  {
    column: "country",
    id: "guest_id",
    is: sql`length(country) > 2`,
    message: (id) =>
      `has more than the two letters of ISO 3166-1, such as in ${id}: strict programs refuse these guests`,
  },
]

/** Finds rows with such values, of one event or of all. */
async function findOdd(
  { db, run }: Snapshot,
  oddities: Readonly<Record<string, readonly Oddity[]>>,
  eventId?: string,
): Promise<Warning[]> {
  const warnings: Warning[] = []
  for (const [table, each] of Object.entries(oddities)) {
    for (const { column, is, message, id = "id" } of each) {
      const [found] = await run(
        rowsIn(db, table, eventId).select(sql.ref<string>(id).as("id")).where(is).limit(1),
      )
      if (found) {
        warnings.push({ about: `${table}.${column}${place(eventId)}`, message: message(found.id) })
      }
    }
  }
  return warnings
}

function rowsIn(db: Snapshot["db"], table: string, eventId: string | undefined) {
  const rows = db.selectFrom(table as "guest")
  return eventId === undefined ? rows : rows.where("event_id", "=", eventId)
}

function place(eventId: string | undefined): string {
  return eventId === undefined ? "" : ` of event ${eventId}`
}
