import type { Transaction } from "kysely"
import type { Database } from "../../../core/capability.ts"
import type { Schema } from "../../../core/tables.ts"
import { advance, nameOf, type Poll, type SyncKey, type SyncList } from "./progress.ts"
import { changeRows } from "./sync-rows.ts"

/** What a request tells about an account's list. */
export interface ListPoll {
  readonly list: SyncList
  readonly poll: Poll
  /** The list whose walk ended, if that is another list. */
  readonly of?: SyncKey
  /** False for an error about an event that the account may not read, and which may not even exist. */
  readonly isReadable: boolean
}

/**
 * Adds polls to `sync_state` in order, all or none. Other instances may do so at the same time: each waits for rows
 * that another one is changing. Gives up once the signal aborts.
 *
 * An error about an event that the account may not read goes to the list's row if there is one, else to the row without
 * an event, so that nobody can fill the table with invented events.
 */
export async function writeSync(
  { writer, dialect }: Database,
  polls: readonly ListPoll[],
  signal: AbortSignal,
): Promise<void> {
  if (polls.length === 0) return
  await writer.transaction().setIsolationLevel("read committed").execute(async (db) => {
    const located = await locate(db, polls, signal)
    const lists = located.map(({ list }) => list)
    await changeRows(db, { dialect, lists, signal }, (rows) => {
      for (const each of located) {
        const row = rows.get(nameOf(each.list))
        const of = each.of ? rows.get(nameOf(each.of)) : row
        if (!row || !of) continue
        const { family, kind } = each.list
        rows.set(nameOf(row), { ...advance(row, each.poll, of), family, kind })
      }
    })
  })
}

/** Sets the event of each poll to that of the row it belongs to. */
async function locate(
  db: Transaction<Schema>,
  polls: readonly ListPoll[],
  signal: AbortSignal,
): Promise<readonly ListPoll[]> {
  const doubtful = polls.filter(({ isReadable }) => !isReadable)
  if (doubtful.length === 0) return polls
  const rows = await db
    .selectFrom("sync_state")
    .select(["account_id", "event_id", "prefix", "list"])
    .where("account_id", "in", [...new Set(doubtful.map(({ list }) => list.account_id))])
    .where("event_id", "in", [...new Set(doubtful.map(({ list }) => list.event_id))])
    .execute({ signal })
  const readable = polls.filter(({ isReadable }) => isReadable).map(({ list }) => list)
  const known = new Set([...rows, ...readable].map(nameOf))
  return polls.map((each) =>
    each.isReadable || known.has(nameOf(each.list))
      ? each
      : { ...each, list: { ...each.list, event_id: "" } }
  )
}
