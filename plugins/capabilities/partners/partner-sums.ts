import type { Snapshot } from "../../../core/capability.ts"
import type { Reading } from "./definitions.ts"
import {
  acknowledgedLists,
  lastPolls,
  longUnacknowledged,
  type Selection,
  summedLists,
} from "./list-conditions.ts"

/** A sum of lists of an account that have the same interval. */
type SumRow = Awaited<ReturnType<ReturnType<typeof summedLists>["execute"]>>[number]

/** Sums up the lists of each account. */
export async function readSums(snapshot: Snapshot, selection: Selection) {
  return sumsOf(await snapshot.run(summedLists(snapshot, selection)))
}

/** Sums up the lists of all accounts without reading all of them. The totals are those of lists that need a look. */
export async function readBriefSums(snapshot: Snapshot, by: Reading) {
  const { run } = snapshot
  const watched = await run(summedLists(snapshot, { ...by, isWatched: true }))
  const polls = await run(lastPolls(snapshot))
  const acknowledged = by.withDeletions ? await readAcknowledged(snapshot, by) : []
  return sumsOf([
    ...watched.map((row) => ({ ...row, oldest_acknowledged: null })),
    ...polls.map((row) => ({ ...noSum, ...row })),
    ...acknowledged.map(({ account_id, at }) => ({
      ...noSum,
      account_id,
      oldest_acknowledged: at,
    })),
  ])
}

/**
 * Returns the time of what each account loses next of what was deleted: exact for lists that have acknowledged nothing for
 * three days, else to an hour. Whoever has acknowledged something in these days has polled, so those lists count.
 */
async function readAcknowledged(snapshot: Snapshot, by: Reading) {
  const { run } = snapshot
  const edge = by.now - longUnacknowledged
  const lists = acknowledgedLists(snapshot, by)
  const all = await run(lists.all)
  const old = all.filter(({ at }) => at !== null && at < edge)
  if (old.length === 0) return all
  const counted = await run(lists.before(edge))
  const recent = await run(lists.since(edge, old.map(({ account_id }) => account_id)))
  return [...all.filter((row) => !old.includes(row)), ...counted, ...recent]
}

const noSum: Omit<SumRow, "account_id"> = {
  ...{ poll_interval: null, silent_from: 0, last_poll: null, error_at: null, walk_completed: null },
  ...{ records: 0, lists: 0, stuck: 0, stuck_since: null, trouble_since: null, ahead: 0 },
  ...{ skipping: 0, partial: 0, oldest_acknowledged: null },
}

function sumsOf(rows: readonly SumRow[]) {
  const byAccount = Map.groupBy(rows, ({ account_id }) => account_id)
  return new Map(
    [...byAccount].map(([id, sums]) => {
      const add = (
        column: "lists" | "stuck" | "ahead" | "skipping" | "partial" | "records",
      ) => sums.reduce((sum, row) => sum + Number(row[column]), 0)
      const all = (column: (typeof times)[number]) => sums.flatMap((row) => row[column] ?? [])
      const latest = (column: (typeof times)[number]) => all(column).sort((a, b) => b - a)[0]
      const first = (column: (typeof times)[number]) => all(column).sort((a, b) => a - b)[0]
      const byInterval = Map.groupBy(sums, ({ poll_interval }) => poll_interval)
      return [id, {
        pollInterval: first("poll_interval"),
        silentFrom: [...byInterval.values()].map((same) =>
          Math.max(...same.map(({ silent_from }) => silent_from))
        ),
        lastPoll: latest("last_poll"),
        lastError: latest("error_at"),
        lastCompleted: latest("walk_completed"),
        firstError: first("trouble_since"),
        records: add("records"),
        lists: add("lists"),
        stuck: add("stuck"),
        stuckSince: first("stuck_since"),
        ahead: add("ahead"),
        skipping: add("skipping"),
        partial: add("partial"),
        oldestAcknowledged: first("oldest_acknowledged"),
      }]
    }),
  )
}

/** Reads the totals of some accounts. */
export async function readTotals({ db, run }: Snapshot, accountIds: readonly string[]) {
  if (accountIds.length === 0) return new Map<string, undefined>()
  const rows = await run(
    db
      .selectFrom("sync_state")
      .select("account_id")
      .select((eb) => [
        eb.fn.max<number | null>("walk_completed").as("lastCompleted"),
        eb.fn.sum<number>("records").as("records"),
        eb.fn.count<number>("walk_started").as("lists"),
      ])
      .where("account_id", "in", accountIds)
      .groupBy("account_id"),
  )
  return new Map(
    rows.map((
      { account_id, records, ...row },
    ) => [account_id, { ...row, records: Number(records) }]),
  )
}

const times = [
  "poll_interval",
  "last_poll",
  "error_at",
  "walk_completed",
  "stuck_since",
  "trouble_since",
  "oldest_acknowledged",
] as const
