import { randomUUID } from "node:crypto"
import { type Database, UserError } from "../../../core/capability.ts"
import { compareRows, countByEvent, Findings, type Taker } from "./comparison.ts"
import { RowReader } from "./convert.ts"
import type { FileRows } from "./files.ts"
import { plainName, recordKinds } from "./kinds.ts"
import { readKnownRows } from "./known-rows.ts"
import { deleteGone, findHeld, type Outcome, writePortions } from "./take-over.ts"
import { Lease, noteRefused } from "./state.ts"
import { decimalsOf } from "./values.ts"
import { noteRows } from "./write.ts"

interface ImportOptions {
  readonly database: Database
  readonly kind: (typeof recordKinds)[number]
  readonly eventId: string
  readonly file: FileRows
  readonly timeZone: string
  readonly money: "major" | "minor"
  /** True if records of the event that were imported before, and are not in the file, are to be deleted. */
  readonly isWhole: boolean
  readonly acceptsDeletions: boolean
  /** True to change nothing. */
  readonly isPreview: boolean
}

/**
 * Takes over the records of a file for one event: compares, refuses and protects as a takeover of a database does, and leaves
 * alone what came from there. @throws {UserError} for wrong columns, or an event that does not exist.
 */
export async function importFile(options: ImportOptions): Promise<Outcome> {
  const { database, kind, eventId, file, timeZone, money, isWhole } = options
  const begun = performance.now()
  const places = { organizations: new Set<string>(), events: await findEvent(database, eventId) }
  const { columns, rows } = withEvent(file, eventId)
  const reading = new RowReader(kind, columns, {
    mapping: { timeZone, money, hash: "file" },
    places,
  })
  const known = await readKnownRows(database, { kind, origin: "file", eventId })
  const sizes = countByEvent(known)
  const findings = new Findings()
  const lease = new Lease(database, randomUUID())
  if (!options.isPreview && !await lease.take()) {
    throw new UserError("Another process takes records over now. Nothing was changed.")
  }
  try {
    await compareRows(once(rows), {
      kind,
      reading,
      known,
      findings,
      taker: takerOf(options, findings),
    })
    if (isWhole) findings.addGone(kind, known, sizes)
    const held = options.acceptsDeletions ? [] : findHeld(findings.gone, new Set())
    let removed = 0
    if (!options.isPreview) {
      removed = await deleteGone(database, findings.gone, held, lease)
      await noteRefused(database, "file", findings.refused)
    }
    return {
      difference: findings,
      removed,
      held,
      milliseconds: Math.round(performance.now() - begun),
    }
  } finally {
    if (!options.isPreview) await lease.giveBack()
  }
}

function takerOf({ database, isPreview }: ImportOptions, findings: Findings): Taker {
  if (isPreview) return { write: () => Promise.resolve(), note: () => Promise.resolve() }
  return {
    async write(rows) {
      for (const row of await writePortions(database, rows, "file")) findings.refuse(row)
    },
    note: (rows) => noteRows(database, rows),
  }
}

async function findEvent(
  database: Pick<Database, "readOnce">,
  id: string,
): Promise<ReadonlyMap<string, number>> {
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
  const others = columns.map((_, index) => index)
    .filter((index) =>
      index !== names.indexOf("id") &&
      !["event", "eventid", "created", "updated"].includes(names[index] ?? "")
    )
  return {
    columns: ["id", "event", ...others.map((index) => columns[index] as string)],
    rows: rows.map((row) => [row[at], eventId, ...others.map((index) => row[index])]),
  }
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield await Promise.resolve(value)
}
