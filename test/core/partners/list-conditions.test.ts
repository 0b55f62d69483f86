import { randomUUID } from "node:crypto"
import t from "tap"
import {
  counts,
  isBehind,
  isStuck,
  silentFrom,
  type SyncRow,
} from "../../../core/partners/definitions.ts"
import { summedLists, unreadLists } from "../../../core/partners/list-conditions.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"
import { Random } from "../../support/random.ts"
import { emptyRow } from "../../support/sync-rows.ts"

const now = 1_750_000_000

await onEveryEngine(t, async (t, engine) => {
  await t.test("summedLists and unreadLists say of random lists what the definitions say", async (t) => {
    const database = await freshDatabase(t, engine)
    const build = new Builder(database)
    const event = await build.event(await build.organization("acme"))
    const account = await build.account("ann")
    await build.grant("ann", { event })
    const random = new Random(7)
    const rows = Array.from({ length: 2000 }, () => randomRow(random, account, event))
    for (let first = 0; first < rows.length; first += 500) {
      await database.writer.insertInto("sync_state").values(rows.slice(first, first + 500))
        .execute()
    }
    for (const newest of [now - 10, now - 130, now - 930, now - 5000, now - 20 * 86_400]) {
      await database.writer.deleteFrom("guest").execute()
      await build.guest(event, { updated: newest })
      const unread = await database.snapshot(({ db, run }) => run(unreadLists({ db }, { now })))
      const late = unread.filter(({ is_late }) => is_late).map(({ list }) => list).sort()
      const counted = rows.filter((row) => counts(row, now))
      const behind = counted.filter((row) => isBehind(row, newest, now)).map(({ list }) => list)
      t.strictSame(late, behind.sort())
      const sums = await database.snapshot(({ db, run }) => run(summedLists({ db }, { now })))
      const active = counted.filter((row) => now <= silentFrom(row))
      const stuck = active.filter((row) => isStuck(row, now))
      const isShort = ({ poll_interval }: SyncRow) => (poll_interval ?? 900) <= 1200
      const [short, long] = [rows.filter(isShort), rows.filter((row) => !isShort(row))]
      t.match(sums, [{
        account_id: account,
        stuck: stuck.length,
        poll_interval: 60,
        silent_from: Math.max(...short.map(silentFrom)),
        long_silent_from: Math.max(...long.map(silentFrom)),
      }])
      t.ok(stuck.length > 20 && stuck.length < active.length - 20)
      if (newest !== now - 10) t.ok(behind.length > 20 && behind.length < counted.length - 20)
    }
  })
})

function randomRow(random: Random, account_id: string, event_id: string): SyncRow {
  const time = () =>
    now - random.pick([0, 5, 59, 60, 61, 600, 3600, 3601, 10_000, 86_400, 14 * 86_400 + 1])
  const maybe = <T>(value: T) => random.below(4) === 0 ? null : value
  const last_poll = maybe(time())
  // Without a page there is no walk.
  const begun = last_poll === null ? 0 : random.below(4)
  const starts = [time(), time(), time()].sort((a, b) => b - a).slice(0, begun)
  const [walk_started = null, previous_started = null, third_started = null] = starts
  const completed = begun === 0 ? null : maybe(time())
  const error_at = maybe(time())
  return {
    ...emptyRow({ account_id, event_id, list: randomUUID(), kind: "guests" }),
    last_poll,
    poll_interval: maybe(random.pick([60, 900, 86_400])),
    walk_started,
    walk_next: walk_started && walk_started - 2,
    previous_started,
    third_started,
    walk_completed: completed,
    completed_next: completed && maybe(time()),
    error_at,
    first_error: error_at && error_at - random.pick([0, 600, 601, 9000, 9001, 90_000]),
  }
}
