import { type Database, UserError } from "../../../core/capability.ts"
import {
  type ChangedRecord,
  compare,
  type ComparisonOptions,
  type Difference,
  type GoneRecords,
  type KindRows,
  type RefusedRow,
} from "./comparison.ts"
import { idOf } from "./ids.ts"
import { kinds, type SourceKind } from "./kinds.ts"
import { countKnownRows, type Origin, readKnownRows, readPlaces } from "./known-rows.ts"
import type { Mapping } from "./mapping.ts"
import { findHeld, type HeldDeletions } from "./protection.ts"
import type { Source, SourceReader, SourceRows } from "./sources/source.ts"
import { Lease, noteState, notingFailure, readState } from "./state.ts"
import { forget, readTold, type ToldKeys, toldParts } from "./told.ts"
import { deleteRecords, writeRecords } from "./write.ts"

/** What came of a takeover. */
export interface Outcome {
  readonly difference: Difference
  /** How many records were deleted. */
  readonly removed: number
  readonly held: readonly HeldDeletions[]
  readonly milliseconds: number
}

export interface TakeOverOptions {
  readonly database: Database
  readonly source: Source
  readonly mapping: Mapping
  /** A name that no other process has. */
  readonly owner: string
  /** Takes a mapping that is not the one in force. */
  readonly acceptsMapping?: boolean
  /** Events, by id or by key in the source, whose deletions an operator has confirmed; `all` stands for all. */
  readonly accepted?: readonly string[]
}

/**
 * Compares the whole source with what was taken over, and writes what differs. Returns undefined while another process does.
 * @throws {UserError} if the mapping is not the one in force, or the source fails: what was written until then stays, and
 * nothing is deleted.
 */
export async function takeOver(options: TakeOverOptions): Promise<Outcome | undefined> {
  const { database, owner } = options
  const lease = new Lease(database, owner)
  return await lease.use(() => notingFailure(database, () => takeOverWith(options, lease)))
}

/** @throws {UserError} if there is no outcome because another process takes over. */
export function assertOutcome(outcome: Outcome | undefined): asserts outcome {
  if (outcome) return
  throw new UserError("Another process takes records over now. Nothing was changed.")
}

/** Returns all rows of a source, kind by kind. */
export async function* wholeParts(
  reader: SourceReader,
  { selects }: Mapping,
): AsyncGenerator<KindRows> {
  for (const kind of kinds) {
    const select = selects.get(kind)
    yield {
      kind,
      selection: select === undefined ? select : await rowsOf(reader, kind, select),
      covers: {},
    }
  }
}

async function rowsOf(reader: SourceReader, kind: SourceKind, select: string): Promise<SourceRows> {
  try {
    return await reader.select(select)
  } catch (error) {
    throw new UserError(`The SELECT of ${kind} fails: ${(error as Error).message}`)
  }
}

async function takeOverWith(options: TakeOverOptions, lease: Lease): Promise<Outcome> {
  const { database, source, mapping, accepted = [] } = options
  const begun = performance.now()
  const state = await readState(database)
  if (state.mapping !== "" && state.mapping !== mapping.hash && !options.acceptsMapping) {
    throw new UserError(await describeChange(options))
  }
  // Keys that are in the same snapshot have been told in time.
  const isWatched = state.watching?.length === 0
  const { difference, told } = await source.snapshot(async (reader) => {
    const told = isWatched ? await readTold(reader, mapping) : undefined
    const parts = wholeParts(reader, mapping)
    const rules = await rulesOf(options)
    return { told, difference: await compareWith(parts, rules, { lease, told: told?.records }) }
  })
  const meant = new Set(accepted.map((event) => idOf("event", event)))
  const { removed, held } = await deleteGone(difference.gone, {
    ...{ database, lease, origin: "database" },
    isMeant: (event) => meant.has(event) || accepted.includes("all"),
  })
  const milliseconds = Math.round(performance.now() - begun)
  const { rows, added, changed, refused, refusedCount, untold } = difference
  await noteState(database, {
    ...{ mapping: mapping.hash, milliseconds, rows, changed: added + changed, removed },
    ...{ refused: refusedCount, refusals: JSON.stringify(refused), held: JSON.stringify(held) },
    ...{ compared_at: database.dialect.now, failed_at: null, failure: null },
    drift: told?.records ? untold : null,
  })
  if (told) await forget(source, told)
  return { difference, removed, held, milliseconds }
}

/**
 * Takes over the records whose keys the source has told. Returns true if the whole source is to be compared next: if too
 * many keys wait, if too much is gone, or if an event has changed, so that refused rows may now fit.
 * @throws as `takeOver` does.
 */
export async function takeUpTold(options: TakeOverOptions): Promise<boolean> {
  const { database, source, mapping, owner } = options
  const lease = new Lease(database, owner)
  const needsWhole = await lease.use(async () => {
    let hasNewPlace = false
    const found = await source.snapshot(async (reader) => {
      const told = await readTold(reader, mapping)
      if (!told.records) return undefined
      const parts = toldParts(reader, mapping, told.records)
      const difference = await compareWith(parts, await rulesOf(options), {
        lease,
        onWrite: (rows) => hasNewPlace ||= rows.some(({ eventId }) => eventId === null),
      })
      return { difference, told }
    })
    if (!found) return true
    const { difference, told } = found
    const { gone } = difference
    const { held } = await deleteGone(gone, { database, lease, origin: "database" })
    await noteTold(database, difference, told)
    const needsWhole = hasNewPlace || held.length > 0 || gone.some(({ event }) => event === "")
    // Until it has come to its end, the keys stay.
    if (!needsWhole) await forget(source, told)
    return needsWhole
  })
  return needsWhole ?? false
}

/** Replaces the refused rows that had one of the keys. */
async function noteTold(
  database: Database,
  { refused }: Difference,
  { records }: ToldKeys,
): Promise<void> {
  const { refused: count, refusals } = await readState(database)
  const rest = refusals.filter(({ kind, key }) => !records?.get(kind)?.has(key))
  if (refused.length === 0 && rest.length === refusals.length) return
  await noteState(database, {
    refused: count - refusals.length + rest.length + refused.length,
    refusals: JSON.stringify([...rest, ...refused]),
  })
}

/** Returns by which rules rows of the source are read, and what they may belong to. */
async function rulesOf({ database, mapping }: Pick<TakeOverOptions, "database" | "mapping">) {
  return { database, rules: mapping, places: await readPlaces(database) }
}

/** Compares with what was taken over from an origin, and writes what differs. */
export async function compareWith(
  parts: AsyncIterable<KindRows>,
  { database, ...options }:
    & Pick<TakeOverOptions, "database">
    & Pick<ComparisonOptions, "rules" | "places" | "file">,
  { origin = "database", lease, told, onWrite }: {
    readonly origin?: Origin
    /** Without it, nothing is written. */
    readonly lease?: Lease | undefined
    readonly told?: ToldKeys["records"]
    readonly onWrite?: (rows: readonly ChangedRecord[]) => void
  },
): Promise<Difference> {
  return await compare(parts, {
    ...options,
    readKnown: (kind, covers) => readKnownRows(database, { origin, kind, ...covers }),
    isTold: (kind, key) => told?.get(kind)?.has(key) ?? false,
    async write(rows): Promise<readonly RefusedRow[]> {
      onWrite?.(rows)
      return lease ? await writeRecords(database, rows, { origin, renew: () => lease.renew() }) : []
    },
  })
}

/** Deletes what is gone and not held: records before their events, and those before their organizations. */
export async function deleteGone(
  gone: readonly GoneRecords[],
  { database, lease, origin, isMeant = () => false }: {
    readonly database: Database
    /** Without it, nothing is deleted. */
    readonly lease: Lease | undefined
    readonly origin: Origin
    readonly isMeant?: (event: string) => boolean
  },
): Promise<{ readonly removed: number; readonly held: readonly HeldDeletions[] }> {
  if (gone.length === 0) return { removed: 0, held: [] }
  const held = findHeld(gone, await countKnownRows(database, origin), isMeant)
  const heldEvents = new Set(held.map(({ event }) => event))
  let removed = 0
  for (const kind of kinds.toReversed()) {
    for (const { event, ids } of gone.filter((each) => each.kind === kind)) {
      if (heldEvents.has(event) || !lease) continue
      await lease.renew()
      const free = event === "" ? await unused(database, kind as "event", ids) : ids
      await deleteRecords(database, { kind, event, ids: free })
      removed += free.length
    }
  }
  return { removed, held }
}

/** Returns the events or organizations to which nothing belongs any more, and no grant is for. */
async function unused(
  database: Pick<Database, "readOnce">,
  kind: "organization" | "event",
  ids: readonly string[],
): Promise<readonly string[]> {
  const [table, column] = kind === "event"
    ? ["connect_row", "event_id"] as const
    : ["event", "organization_id"] as const
  const rows = await database.readOnce(({ db, run }) =>
    run(
      db.selectFrom(kind).select("id").where("id", "in", ids).where(({ not, exists, selectFrom }) =>
        not(exists(
          selectFrom(table as "event").select("id")
            .whereRef(column as "organization_id", "=", `${kind}.id`),
        ))
      ).where(({ not, exists, selectFrom }) =>
        not(
          exists(selectFrom("access_grant").select("id").whereRef(`${kind}_id`, "=", `${kind}.id`)),
        )
      ),
    )
  )
  return rows.map(({ id }) => id)
}

async function describeChange(options: TakeOverOptions): Promise<string> {
  const { source, mapping } = options
  const rules = await rulesOf(options)
  const { added, changed, gone, refusedCount } = await source.snapshot((reader) =>
    compareWith(wholeParts(reader, mapping), rules, {})
  )
  const lost = gone.reduce((sum, { ids }) => sum + ids.length, 0)
  return `The mapping is not the one in force. It would add ${added} records, change ${changed}, delete ${lost} and refuse ` +
    `${refusedCount} rows. Nothing was changed: "event-export connect run" puts it in force.`
}
