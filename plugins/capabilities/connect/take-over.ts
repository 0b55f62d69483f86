import { performance } from "node:perf_hooks"
import { type Database, translateError, Unavailable, UserError } from "../../../core/capability.ts"
import {
  compare,
  type Difference,
  type GoneRecords,
  type RefusedRow,
  type Taker,
} from "./comparison.ts"
import type { Taken } from "./convert.ts"
import { forget, readTold } from "./follow.ts"
import { idOf } from "./ids.ts"
import { kinds } from "./kinds.ts"
import type { Origin } from "./known-rows.ts"
import type { Mapping } from "./mapping.ts"
import { type HeldDeletions, isSuspicious } from "./protection.ts"
import type { Source } from "./sources/source.ts"
import { Lease, noteComparison, noteFailure, noteRefused, readState } from "./state.ts"
import { deleteRows, noteRows, portionOfWrites, writeRows } from "./write.ts"

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
  /** Events, by their ids or their keys in the source, whose deletions are meant. */
  readonly accepted?: readonly string[]
}

/** The mapping is another than the one in force, and nobody has accepted what changes by it. */
class MappingChanged extends UserError {}

const nothing: Taker = { write: () => Promise.resolve(), note: () => Promise.resolve() }

/**
 * Compares the whole source with what was taken over, and writes what differs. One process at a time.
 * @throws {UserError} if another process is at it, the mapping is not the one in force, or the source fails: what was written
 * until then stays, and nothing is deleted.
 */
export async function takeOver(options: TakeOverOptions): Promise<Outcome> {
  const { database, mapping, owner } = options
  const lease = new Lease(database, owner)
  if (!await lease.take()) {
    throw new UserError("Another process takes records over now. Nothing was changed.")
  }
  try {
    const state = await readState(database)
    if (
      state && state.mapping !== "" && state.mapping !== mapping.hash && !options.acceptsMapping
    ) {
      throw new MappingChanged(await describeChange(options))
    }
    return await takeOverWith(options, lease)
  } catch (error) {
    // If the service's own database is away, there is nowhere to note it.
    await noteFailure(database, describeFailure(error)).catch(() => {})
    throw error
  } finally {
    await lease.giveBack()
  }
}

/**
 * Takes over the records whose keys the source has told, up to some hundreds. Returns true if there is more to do at once;
 * `whole` says that the whole source should be compared, as rows that were refused before may fit now.
 * @throws as `takeOver` does.
 */
export async function takeUpTold(
  { database, source, mapping, owner }: TakeOverOptions,
): Promise<{ readonly hasMore: boolean; readonly whole: boolean }> {
  const lease = new Lease(database, owner)
  if (!await lease.take()) return { hasMore: false, whole: false }
  try {
    const told = await readTold(source, database, mapping)
    const refused = [...told.refused]
    for (const [, rows] of Map.groupBy(told.written, ({ kind }) => kind)) {
      refused.push(...await writePortions(database, rows))
    }
    // What is held is left to the comparison with the whole source, which tells the operator.
    const held = findHeld(told.gone, new Set())
    await deleteGone(database, told.gone, held, lease)
    await noteRefused(database, "database", refused, told.looked)
    await forget(source, told)
    return { hasMore: told.hasMore, whole: told.hasNewEvent || held.length > 0 }
  } finally {
    await lease.giveBack()
  }
}

/** Compares, and writes nothing. @throws as `takeOver` does. */
async function findDifference(
  { database, source, mapping }: Pick<TakeOverOptions, "database" | "source" | "mapping">,
): Promise<Difference> {
  return await source.snapshot((reader) => compare(reader, { database, mapping, taker: nothing }))
}

async function takeOverWith(options: TakeOverOptions, lease: Lease): Promise<Outcome> {
  const { database, source, mapping, accepted = [] } = options
  const begun = performance.now()
  const refusedHere: RefusedRow[] = []
  const taker: Taker = {
    async write(rows) {
      await lease.renew()
      refusedHere.push(...await writePortions(database, rows))
    },
    async note(rows) {
      if (rows.length > 0) await noteRows(database, rows)
    },
  }
  const found = await source.snapshot((reader) => compare(reader, { database, mapping, taker }))
  const difference = {
    ...{ rows: found.rows, added: found.added, changed: found.changed, gone: found.gone },
    refused: [...found.refused, ...refusedHere],
    refusedCount: found.refusedCount + refusedHere.length,
  }
  const meant = new Set(accepted.map((event) => idOf("event", event)))
  const held = findHeld(difference.gone, meant)
  const removed = await deleteGone(database, difference.gone, held, lease)
  const milliseconds = Math.round(performance.now() - begun)
  await noteRefused(database, "database", difference.refused)
  await noteComparison(database, { difference, removed, held, mapping: mapping.hash, milliseconds })
  return { difference, removed, held, milliseconds }
}

/** Writes rows. Returns those that the database refuses: each is tried by itself before it counts as one. */
export async function writePortions(
  database: Database,
  rows: readonly Taken[],
  origin: Origin = "database",
): Promise<readonly RefusedRow[]> {
  const refused: RefusedRow[] = []
  for (let first = 0; first < rows.length; first += portionOfWrites) {
    refused.push(
      ...await writeOrSplit(database, rows.slice(first, first + portionOfWrites), origin),
    )
  }
  return refused
}

async function writeOrSplit(
  database: Database,
  rows: readonly Taken[],
  origin: Origin,
): Promise<readonly RefusedRow[]> {
  try {
    await writeRows(database, rows, origin)
    return []
  } catch (error) {
    if (translateError(error) instanceof Unavailable) throw error
    const [first] = rows
    if (first && rows.length === 1) {
      const { kind, key } = first
      return [{ kind, key, reason: "refused by the database", column: "", hasCopy: false }]
    }
    const half = Math.ceil(rows.length / 2)
    return [
      ...await writeOrSplit(database, rows.slice(0, half), origin),
      ...await writeOrSplit(database, rows.slice(half), origin),
    ]
  }
}

/** Returns what is not deleted before somebody says that it is meant: the deletions of events that lose too much at once. */
export function findHeld(
  gone: readonly GoneRecords[],
  accepted: ReadonlySet<string>,
): HeldDeletions[] {
  const ofEvents = gone.filter(({ event }) => event !== "")
  return [...Map.groupBy(ofEvents, ({ event }) => event)].flatMap(([event, parts]) => {
    const sum = { gone: 0, known: 0 }
    for (const { ids, known } of parts) {
      sum.gone += ids.length
      sum.known += known
    }
    if (
      accepted.has(event) ||
      !parts.some((part) => isSuspicious(counted(part))) && !isSuspicious(sum)
    ) return []
    return parts.map((part) => ({ event, kind: part.kind, ...counted(part) }))
  })
}

function counted({ ids, known }: GoneRecords): { readonly gone: number; readonly known: number } {
  return { gone: ids.length, known }
}

/** Deletes what is gone and not held: records before their events, and those before their organizations. */
export async function deleteGone(
  database: Database,
  gone: readonly GoneRecords[],
  held: readonly HeldDeletions[],
  lease: Lease,
): Promise<number> {
  const heldEvents = new Set(held.map(({ event }) => event))
  let removed = 0
  for (const kind of kinds.toReversed()) {
    for (const { event, ids } of gone.filter((each) => each.kind === kind)) {
      if (heldEvents.has(event)) continue
      await lease.renew()
      const eventId = event === "" ? null : event
      const free = eventId === null ? await unused(database, kind as "event", ids) : ids
      await deleteRows(database, { kind, eventId, ids: free })
      removed += free.length
    }
  }
  return removed
}

/** Returns the events or organizations to which nothing belongs any more, and no grant is for. */
async function unused(
  database: Pick<Database, "readOnce">,
  kind: "organization" | "event",
  ids: readonly string[],
): Promise<readonly string[]> {
  return await database.readOnce(async ({ db, run }) => {
    const query = kind === "organization"
      ? db.selectFrom("organization as owner").select("owner.id").where("owner.id", "in", ids)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom("event").select("id").whereRef("organization_id", "=", "owner.id")))
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("access_grant").select("id").whereRef("organization_id", "=", "owner.id"),
            ),
          )
        )
      : db.selectFrom("event as owner").select("owner.id").where("owner.id", "in", ids)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom("connect_row").select("id").whereRef("event_id", "=", "owner.id")))
        )
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom("access_grant").select("id").whereRef("event_id", "=", "owner.id")))
        )
    return (await run(query)).map(({ id }) => id)
  })
}

async function describeChange(options: TakeOverOptions): Promise<string> {
  const { added, changed, gone, refusedCount } = await findDifference(options)
  const lost = gone.reduce((sum, { ids }) => sum + ids.length, 0)
  return `The mapping is not the one in force. It would add ${added} records, change ${changed}, delete ${lost} and refuse ` +
    `${refusedCount} rows. Nothing was changed: "event-export connect run" puts it in force.`
}

function describeFailure(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
