import type { Snapshot } from "../../../core/capability.ts"
import { type Cause, causeOfStuck } from "./causes.ts"
import { doubtOf, isNewError, isStuck, lacksSkipped } from "./deadlines.ts"
import type { SyncRow } from "./definitions.ts"
import { doubtfulLists, type Selection } from "./list-conditions.ts"

/** A list that is in doubt. */
export type DoubtfulList = SyncRow & { readonly is_gap_filled: number }

/** Sums over an account's lists in doubt. Times are Unix seconds. */
export interface Doubts {
  readonly stuck: number
  /** Since when the account is stuck with the first of these. */
  readonly stuckSince: number | null
  /** The first error that no page came after. */
  readonly firstError: number | null
  /** Number of lists for which it is unknown whether the partner has all. */
  readonly partial: number
  /** Why lists are stuck, and why it is unknown whether the partner has all of them. */
  readonly causes: readonly Cause[]
  /** Lists with changes that its walks skipped. */
  readonly skipping: readonly DoubtfulList[]
}

/** Reads the doubts of accounts. An account without lists in doubt has no entry. */
export async function readDoubts(
  snapshot: Snapshot,
  selection: Selection,
): Promise<ReadonlyMap<string, Doubts>> {
  const { now } = selection
  const rows: readonly DoubtfulList[] = await snapshot.run(doubtfulLists(snapshot, selection))
  const byAccount = Map.groupBy(rows, ({ account_id }) => account_id)
  return new Map([...byAccount].map(([id, lists]) => {
    const stuck = lists.filter((list) => isStuck(list, now))
    const partial = lists.filter((list) => !isStuck(list, now))
      .flatMap((list) => doubtOf(list, list.is_gap_filled === 1) ?? [])
    return [id, {
      stuck: stuck.length,
      stuckSince: firstOf(stuck),
      firstError: firstOf(lists.filter(isNewError)),
      partial: partial.length,
      causes: [...stuck.map(causeOfStuck), ...partial],
      skipping: lists.filter((list) =>
        lacksSkipped(list, { now, isGapFilled: list.is_gap_filled === 1 })
      ),
    }]
  }))
}

function firstOf(lists: readonly SyncRow[]): number | null {
  const times = lists.flatMap(({ trouble_since }) => trouble_since ?? [])
  return times.length === 0 ? null : Math.min(...times)
}

/** When an account last polled, by recommended interval. Times are Unix seconds. */
export interface LastPolls {
  readonly lastPoll: number | null
  /** The shortest interval. */
  readonly pollInterval: number | null
  /** Per interval, the time from which all its lists are silent. */
  readonly silentFrom: readonly number[]
}

/** Reads when accounts last polled. MySQL skips from one account to the next in the indexes. */
export async function readLastPolls(
  { db, run }: Snapshot,
  { accountId }: Pick<Selection, "accountId">,
): Promise<ReadonlyMap<string, LastPolls>> {
  const lists = db.selectFrom("sync_state")
    .$if(accountId !== undefined, (query) => query.where("account_id", "=", accountId ?? ""))
  const polls = await run(
    lists.select("account_id").groupBy("account_id")
      .select((eb) => eb.fn.max<number | null>("last_poll").as("last_poll")),
  )
  const silent = await run(
    lists.select(["account_id", "poll_interval"]).groupBy(["account_id", "poll_interval"])
      .select((eb) => eb.fn.max<number | null>("silent_from").as("silent_from")),
  )
  const byAccount = Map.groupBy(silent, ({ account_id }) => account_id)
  return new Map(polls.map(({ account_id, last_poll }) => {
    const own = byAccount.get(account_id) ?? []
    const intervals = own.flatMap(({ poll_interval }) => poll_interval ?? [])
    return [account_id, {
      lastPoll: last_poll,
      pollInterval: intervals.length === 0 ? null : Math.min(...intervals),
      silentFrom: own.flatMap(({ silent_from }) => silent_from ?? []),
    }]
  }))
}

/** Reads the totals of some accounts, or of all. */
export async function readTotals({ db, run }: Snapshot, accountIds?: readonly string[]) {
  if (accountIds?.length === 0) return new Map<string, undefined>()
  const rows = await run(
    db
      .selectFrom("sync_state")
      .select("account_id")
      .select((eb) => [
        eb.fn.max<number | null>("walk_completed").as("lastCompleted"),
        eb.fn.sum<number>("records").as("records"),
        eb.fn.count<number>("walk_started").as("lists"),
      ])
      .$if(accountIds !== undefined, (query) => query.where("account_id", "in", accountIds ?? []))
      .groupBy("account_id"),
  )
  return new Map(
    rows.map((
      { account_id, records, ...row },
    ) => [account_id, { ...row, records: Number(records) }]),
  )
}
