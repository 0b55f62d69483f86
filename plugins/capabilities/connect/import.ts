import { randomUUID } from "node:crypto"
import { type Database, UserError } from "../../../core/capability.ts"
import type { KindRows } from "./comparison.ts"
import type { FileRows } from "./files.ts"
import { plainName, type recordKinds } from "./kinds.ts"
import { portions } from "./sources/source.ts"
import { Lease } from "./state.ts"
import { assertOutcome, compareWith, deleteGone, type Outcome } from "./take-over.ts"
import { decimalsOf, type ReadingRules } from "./values.ts"

interface ImportOptions {
  readonly database: Database
  readonly kind: (typeof recordKinds)[number]
  readonly eventId: string
  readonly file: FileRows
  readonly rules: ReadingRules
  /** True if records of the event that were imported before, and are not in the file, are to be deleted. */
  readonly isWhole: boolean
  readonly acceptsDeletions: boolean
  /** True to change nothing. */
  readonly isPreview: boolean
}

/**
 * Takes over the records of a file for one event, and leaves those from the database alone. Compares, refuses and protects
 * as for a database. @throws {UserError} for wrong columns, or an event that does not exist.
 */
export async function importFile(options: ImportOptions): Promise<Outcome> {
  const { database, kind, eventId, rules, isPreview } = options
  const begun = performance.now()
  const lease = new Lease(database, randomUUID())
  const places = { organizations: new Set<string>(), events: await findEvent(database, eventId) }
  const work = async (): Promise<Outcome> => {
    const writing = { lease: isPreview ? undefined : lease, origin: "file" } as const
    const reading = { database, rules, places, file: eventId }
    const difference = await compareWith(partsOf(options), reading, writing)
    const { removed, held } = await deleteGone(options.isWhole ? difference.gone : [], {
      ...{ database, ...writing },
      isMeant: () => options.acceptsDeletions,
    })
    return { difference, removed, held, milliseconds: Math.round(performance.now() - begun) }
  }
  const outcome = isPreview ? await work() : await lease.use(work)
  assertOutcome(outcome)
  return outcome

  async function* partsOf({ file }: ImportOptions): AsyncGenerator<KindRows> {
    const { columns, rows } = withEvent(file, eventId)
    yield { kind, selection: { columns, rows: portions(rows) }, covers: { eventId } }
  }
}

async function findEvent(
  database: Pick<Database, "readOnce">,
  id: string,
): Promise<Map<string, number>> {
  const [event] = await database.readOnce(({ db, run }) =>
    run(db.selectFrom("event").select("currency").where("id", "=", id))
  )
  if (!event) throw new UserError(`There is no event ${id}. Nothing was changed.`)
  return new Map([[id, decimalsOf(event.currency)]])
}

/** Adds the event to each row; a record without an id has its `externalId` as one. */
function withEvent({ columns, rows }: FileRows, eventId: string): FileRows {
  const names = columns.map(plainName)
  const at = names.includes("id") ? names.indexOf("id") : names.indexOf("externalid")
  if (at < 0) {
    throw new UserError("The file has no column id, and no externalId. Nothing was changed.")
  }
  const left = ["id", "event", "eventid", "created", "updated"]
  const others = [...names.keys()].filter((index) => !left.includes(names[index] ?? ""))
  return {
    columns: ["id", "event", ...others.map((index) => columns[index] as string)],
    rows: rows.map((row) => [row[at], eventId, ...others.map((index) => row[index])]),
  }
}
