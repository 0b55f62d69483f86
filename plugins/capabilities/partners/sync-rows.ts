import type { Kysely } from "kysely"
import type { Dialect } from "../../../core/capability.ts"
import type { Schema } from "../../../core/tables.ts"
import { judge } from "./deadlines.ts"
import type { SyncRow } from "./definitions.ts"
import { blankRow, nameOf, type SyncList } from "./progress.ts"
import { partnersTables } from "./tables.ts"

/** The most rows per statement. */
const most = 200

const columns = Object.keys(partnersTables.sync_state.columns) as (keyof SyncRow)[]
const key = ["account_id", "event_id", "prefix", "list"] as const

/**
 * Changes the rows of lists in a transaction, by their names. Creates missing rows. Keeps all of them locked until all
 * are written.
 */
export async function changeRows(
  db: Kysely<Schema>,
  { dialect, lists, signal }: {
    readonly dialect: Dialect
    readonly lists: readonly SyncList[]
    readonly signal: AbortSignal
  },
  change: (rows: Map<string, SyncRow>) => void,
): Promise<void> {
  const { incoming } = dialect
  const byName = new Map(lists.map((list) => [nameOf(list), blankRow(list)]))
  const rows = new Map<string, SyncRow>()
  for (const part of inPortions([...byName.values()])) {
    const locking = db.insertInto("sync_state").values(part)
    await dialect.orUpdate(locking, key, { account_id: incoming("account_id") }).execute({ signal })
    const found = await db.selectFrom("sync_state").select(columns)
      .where((eb) =>
        eb.or(
          part.map(({ account_id, event_id, prefix, list }) =>
            eb.and({ account_id, event_id, prefix, list })
          ),
        )
      ).execute({ signal })
    for (const row of found) rows.set(nameOf(row), row)
  }
  change(rows)
  const changes = Object.fromEntries(
    columns.filter((column) => !(key as readonly string[]).includes(column))
      .map((column) => [column, incoming(column)]),
  )
  for (const part of inPortions([...rows.values()])) {
    const insert = db.insertInto("sync_state").values(part)
    await dialect.orUpdate(insert, key, changes).execute({ signal })
  }
}

/** Divides rows among statements. Every instance takes locks in the same order. */
function inPortions(rows: readonly SyncRow[]): readonly (readonly SyncRow[])[] {
  const inOrder = rows.toSorted((a, b) => nameOf(a) < nameOf(b) ? -1 : 1)
  return Array.from(
    { length: Math.ceil(rows.length / most) },
    (_, index) => inOrder.slice(index * most, (index + 1) * most),
  )
}

/** Finds rows that may have to change: at most `most`. */
export type FindLists = (db: Kysely<Schema>, most: number) => Promise<readonly SyncList[]>

/** Finds and changes rows until there are none left. Stops once the signal aborts. */
export async function changeFound(
  db: Kysely<Schema>,
  dialect: Dialect,
  { find, change, signal }: {
    readonly find: FindLists
    readonly change: (row: SyncRow) => SyncRow
    readonly signal: AbortSignal
  },
): Promise<void> {
  for (let lists = await find(db, most); lists.length > 0; lists = await find(db, most)) {
    if (signal.aborted) return
    const work = (db: Kysely<Schema>) =>
      changeRows(db, { dialect, lists, signal }, (rows) => {
        for (const [name, row] of rows) rows.set(name, change(row))
      })
    await (db.isTransaction
      ? work(db)
      : db.transaction().setIsolationLevel("read committed").execute(work))
  }
}

/**
 * Computes the deadlines of rows without any. Instances of version 1.3 may still write such rows. Stops once the signal
 * aborts.
 */
export async function judgeRows(
  db: Kysely<Schema>,
  dialect: Dialect,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const find: FindLists = (db, most) =>
    db.selectFrom("sync_state")
      .select(["account_id", "event_id", "prefix", "list", "family", "kind"])
      .where("silent_from", "is", null).limit(most).execute({ signal })
  await changeFound(db, dialect, { find, change: judge, signal })
}
