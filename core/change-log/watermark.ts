import { type Kysely, sql } from "kysely"
import type { Database } from "../data/database.ts"
import type { Dialect } from "../data/dialect.ts"
import type { Schema } from "../data/schema.ts"
import type { Log } from "../log.ts"
import { type ChangeLogState, isOtherServer, readState } from "./change-state.ts"
import { clockMargin, type ClockStep } from "./clock-steps.ts"
import { type Floors, recordStep } from "./note-steps.ts"
import { markRange } from "./versions.ts"

/** What one look at the log says about every snapshot that begins after it. */
export interface Look {
  /** The database's time when the look began. */
  readonly clock: number
  /** All changes that such a snapshot lacks are, or will be, stamped with this time or later. */
  readonly watermark: number
  /** When the database's clock was set back. */
  readonly steps: readonly ClockStep[]
  /** The heartbeat of the server that was the primary before; undefined if this has been it. */
  readonly former: number | undefined
  /** The age of the oldest open change in seconds; 0 if none is open. */
  readonly oldestOpen: number
}

/** Compares a look with those at other servers, by its connection. Returns a step that it has noted, if it has. */
export type CompareLook = (look: Look, db: Kysely<Schema>) => Promise<ClockStep | undefined>

/** Seconds after which a number without a row never gets one: no server lets an insertion wait that long for a lock. */
const gapLife = 120

/** Numbers per group: the log is compared group by group. */
const portion = 1000

/** Numbers per statement, so that none takes longer than the database lets it. */
const span = 200 * portion

/**
 * Finds out which changes are open, and what that means for later snapshots. Makes nobody wait.
 *
 * 1. Reads the clock, and then the log above what is settled, with the rows that are not committed.
 * 2. Reads the same again as a new snapshot sees it. Changes that are only in the first are open.
 *
 * The order matters. A change that neither has seen is stamped after the clock was read, because its trigger appends to
 * the log first and takes the time then. A change that was committed in between is in every later snapshot. So the
 * watermark is the older of the clock and the oldest open change.
 *
 * If uncommitted rows cannot be read, it looks while nobody else writes: nothing is open then. While somebody does, the
 * result of the last look of any instance stays valid.
 *
 * Also moves up, in the database, what is settled: no row that is open or may still come is below. `floors` is null if
 * only the primary is read from; without it, the heartbeat keeps the floor that it has.
 *
 * @throws as the database does. The former result then stays valid.
 */
export async function findWatermark(
  { background, dialect }: Database,
  floors?: Floors | null,
  compare?: CompareLook,
): Promise<Look> {
  if (dialect.whileNobodyWrites) {
    const look = await dialect.whileNobodyWrites(background, (db) => lookOnce(db, dialect, floors))
    return look ?? await readLook(background, dialect)
  }
  // One connection, and so one server: what was found on another must not be written.
  return await background.connection().execute(async (db) => {
    const look = await lookOnce(db, dialect, floors)
    const step = await compare?.(look, db)
    return step ? { ...look, steps: [...look.steps, step] } : look
  })
}

/** Returns what the last look of any instance has found; without any, clients have to read everything again. */
async function readLook(db: Kysely<Schema>, dialect: Dialect): Promise<Look> {
  const { clock, known, watermark, steps } = await readState(db, dialect)
  const oldestOpen = known > 0 ? Math.max(0, clock - known) : 0
  return { clock, watermark: watermark ?? 0, steps, former: undefined, oldestOpen }
}

/** Logs that the server lacks commits, if it has an older heartbeat of the former primary than one that was seen. */
export function reportLostCommits({ former = Infinity }: Look, seen: number, log: Log): void {
  if (seen <= former) return
  log.error(
    { seconds: seen - former },
    'another server is the primary, and lacks commits of the former primary: run "event-export resync"',
  )
}

async function lookOnce(
  connection: Kysely<Schema>,
  dialect: Dialect,
  floors: Floors | null | undefined,
): Promise<Look> {
  const state = await readState(connection, dialect)
  const top = await uncommitted(connection, findTop)
  if (top !== undefined && top < state.settled) {
    await beginAgain(connection, dialect)
    return await lookOnce(connection, dialect, floors)
  }
  const existing: Group[] = []
  const doubtful = new Set<Group>()
  for (let after = state.settled; after < (top ?? 0); after += span) {
    const range = { after, upTo: after + span }
    const groups = await uncommitted(connection, (db) => readGroups(db, dialect, state, range))
    const seen = await readGroups(connection, dialect, state, range)
    const committed = new Map(seen.map((group) => [group.number, group]))
    for (const group of groups) {
      existing.push(group)
      if (!isEqual(group, committed.get(group.number))) doubtful.add(group)
    }
  }
  const oldest = await findOldestOpen(connection, dialect, [...doubtful])
  const steps = await recordStep(connection, dialect, {
    state,
    added: existing.map(({ added }) => added),
    floors,
  })
  const { clock } = state
  const watermark = Math.min(clock, oldest ?? clock) - clockMargin
  const isLatest = await advance(connection, state, {
    server: state.present,
    settled: settledBy(existing, doubtful, state),
    top: top ?? state.settled,
    watermark,
    floor: floorOf(state, watermark, floors),
  })
  if (!isLatest) return await lookOnce(connection, dialect, floors)
  if (floors) await addCommitted(connection, floors)
  return {
    clock,
    watermark,
    steps,
    former: isOtherServer(state) && state.known > 0 ? state.known : undefined,
    oldestOpen: oldest === undefined ? 0 : Math.max(0, clock - oldest),
  }
}

/** Returns the last number in the log; undefined if it is empty. */
async function findTop(db: Kysely<Schema>): Promise<number | undefined> {
  const { top } = await db.selectFrom("event_change")
    .select((eb) => eb.fn.max<number | null>("seq").as("top")).executeTakeFirstOrThrow()
  return top ?? undefined
}

/**
 * Begins again with a log whose numbers do: it was emptied, or copied without its sequence. Every event gets
 * a version that it has never had.
 */
async function beginAgain(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  await inTransaction(db, async (db) => {
    await db.updateTable("event_version").set({ seq: 0, mark: dialect.mark }).execute()
    await db.updateTable("change_state").set({ settled: 0, top: 0 }).execute()
  })
}

interface Group {
  readonly number: number
  readonly size: number
  readonly marks: number
  readonly first: number
  readonly last: number
  /** The earliest `at`. */
  readonly earliest: number
  /** The earliest `at` of the rows that were added since the last look; null if there are none. */
  readonly added: number | null
  /** The last row that is so old that missing numbers below it never get a row; null if there is none. */
  readonly lastOld: number | null
}

type Work<T> = (db: Kysely<Schema>) => Promise<T>

async function inTransaction<T>(db: Kysely<Schema>, work: Work<T>): Promise<T> {
  return await (db.isTransaction ? work(db) : db.transaction().execute(work))
}

/**
 * Also reads what is not committed. In a transaction during which nobody else writes, there is nothing of that kind.
 */
async function uncommitted<T>(db: Kysely<Schema>, work: Work<T>): Promise<T> {
  if (db.isTransaction) return await work(db)
  return await db.transaction().setIsolationLevel("read uncommitted").execute(work)
}

/** Finds rows by the primary key: a row is there first, and may wait for a lock before it is in the other index. */
async function readGroups(
  db: Kysely<Schema>,
  dialect: Dialect,
  { settled, top, clock }: ChangeLogState,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<Group[]> {
  // The number of a group is how far it begins behind what is settled. Deno's SQLite has no `floor`.
  const place = sql`(seq - ${sql.lit(settled)} - 1)`
  const { rows } = await sql<Group>`
    select ${place} - ${place} % ${sql.lit(portion)} as number, count(*) as size,
      sum(mark) % ${sql.lit(markRange)} as marks, min(seq) as first, max(seq) as last,
      min(at) as earliest, min(case when seq > ${sql.lit(top)} then at end) as added,
      max(case when at <= ${sql.lit(clock - gapLife)} then seq end) as lastOld
    from event_change ${dialect.byPrimaryKey}
    where seq > ${sql.lit(after)} and seq <= ${sql.lit(upTo)} group by 1 order by 1`.execute(db)
  return rows
}

function isEqual(one: Group, other: Group | undefined): boolean {
  return one.size === other?.size && one.marks === other.marks
}

/** Returns the `at` of the oldest open change; undefined if none is open. */
async function findOldestOpen(
  connection: Kysely<Schema>,
  dialect: Dialect,
  doubtful: readonly Group[],
): Promise<number | undefined> {
  const read = async (db: Kysely<Schema>, { first, last }: Group) => {
    const { rows } = await sql<{ seq: number; at: number }>`
      select seq, at from event_change ${dialect.byPrimaryKey}
      where seq >= ${sql.lit(first)} and seq <= ${sql.lit(last)}`.execute(db)
    return rows
  }
  let oldest: number | undefined
  for (const group of doubtful.toSorted((a, b) => a.earliest - b.earliest)) {
    if (oldest !== undefined && oldest <= group.earliest) break
    const existing = await uncommitted(connection, (db) => read(db, group))
    const committed = new Set((await read(connection, group)).map(({ seq }) => seq))
    for (const { seq, at } of existing) {
      if (!committed.has(seq)) oldest = Math.min(oldest ?? at, at)
    }
  }
  return oldest
}

/** Returns the number up to which all is settled. */
function settledBy(
  groups: readonly Group[],
  doubtful: ReadonlySet<Group>,
  state: ChangeLogState,
): number {
  let { settled } = state
  for (const group of groups) {
    if (doubtful.has(group)) break
    const hasGap = group.first !== settled + 1 || group.last - group.first + 1 !== group.size
    if (hasGap && group.lastOld !== group.last) return Math.max(settled, group.lastOld ?? 0)
    settled = group.last
  }
  return settled
}

/** A look may have read what a transaction wrote that never ends. */
async function addCommitted(db: Kysely<Schema>, floors: Floors): Promise<void> {
  const state = await db.selectFrom("change_state").select("watermark").where("id", "=", 1)
    .executeTakeFirst()
  if (typeof state?.watermark === "number") floors.add(state.watermark)
}

/** Never goes down, unless the clock was set back. */
function floorOf(
  { floor }: ChangeLogState,
  watermark: number,
  floors: Floors | null | undefined,
): number | null {
  if (!floors) return floors === null ? null : floor
  // A service without replicas has given watermarks meanwhile that may not have arrived everywhere.
  if (floor === null) floors.beginAgain()
  const known = [floor, floors.floor].filter((each) => typeof each === "number")
  return known.length === 0 ? null : Math.min(watermark, Math.max(...known))
}

/**
 * Writes once per second at most, whichever instance comes first. The row is the heartbeat that other servers get: it
 * is committed after everything that is stamped before its watermark.
 *
 * Returns false if another look has written an earlier time than this one's meanwhile. This one has not compared its
 * rows with that: if it wrote its last row, nobody would compare them any more.
 */
async function advance(
  db: Kysely<Schema>,
  { clock, known, server }: ChangeLogState,
  next: Pick<ChangeLogState, "settled" | "top" | "floor" | "server" | "watermark">,
): Promise<boolean> {
  if (clock === known && server === next.server) return true
  const { numUpdatedRows } = await db
    .updateTable("change_state")
    .set({
      ...next,
      clock,
      settled: sql`case when settled > ${next.settled} then settled else ${next.settled} end`,
    })
    .where("id", "=", 1)
    // Zero while a step is recorded.
    .where("clock", "in", [known, 0])
    .where("clock", "<", clock)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return true
  const latest = await db.selectFrom("change_state").select("clock").where("id", "=", 1)
    .executeTakeFirstOrThrow()
  return latest.clock >= clock
}
