import { randomUUID } from "node:crypto"
import t from "tap"
import {
  counts,
  coveredUntil,
  isBehind,
  isStuck,
  silentFrom,
  type SyncRow,
} from "../../../core/partners/definitions.ts"
import { judgedLists } from "../../../core/partners/list-conditions.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"
import { Random } from "../../support/random.ts"
import { emptyRow } from "../../support/sync-rows.ts"

const now = 1_750_000_000

await onEveryEngine(t, async (t, engine) => {
  await t.test("judgedLists says of random lists what the definitions say", async (t) => {
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
    for (const newest of [now - 10, now - 130, now - 5000, now - 20 * 86_400]) {
      await database.writer.deleteFrom("guest").execute()
      await build.guest(event, { updated: newest })
      const judged = await database.snapshot(({ db, run }) =>
        run(
          db
            .selectFrom(judgedLists({ db }, { now, accountId: undefined }).as("j"))
            .innerJoin("sync_state as s", (join) =>
              join.onRef("s.account_id", "=", "j.account_id").onRef("s.event_id", "=", "j.event_id")
                .onRef("s.list", "=", "j.list"))
            .selectAll("s")
            .select(["j.stuck", "j.behind", "j.counted", "j.covered", "j.newest as found_newest"]),
        )
      )
      t.equal(judged.length, rows.length)
      const wrong = judged.filter((row) => {
        const { stuck, behind, counted, covered, found_newest, ...own } = row
        const isCounted = counts(own, now)
        const isRead = own.walk_started !== null && isCounted
        return found_newest !== newest || covered !== coveredUntil(own) ||
          counted !== Number(isCounted) ||
          stuck !== Number(isRead && now <= silentFrom(own) && isStuck(own, now)) ||
          behind !== Number(isRead && isBehind(own, newest, now))
      })
      t.strictSame(wrong.slice(0, 3), [])
      if (newest !== now - 10) {
        t.ok(judged.some(({ behind }) => behind) && judged.some(({ behind }) => !behind))
      }
      t.ok(judged.some(({ stuck }) => stuck) && judged.some(({ stuck }) => !stuck))
    }
  })
})

function randomRow(random: Random, account_id: string, event_id: string): SyncRow {
  const time = () =>
    now - random.pick([0, 5, 59, 60, 61, 600, 3600, 3601, 10_000, 86_400, 14 * 86_400 + 1])
  const maybe = <T>(value: T) => random.below(4) === 0 ? null : value
  const starts = [time(), time(), time()].sort((a, b) => b - a).slice(0, random.below(4))
  const [walk_started = null, previous_started = null, third_started = null] = starts
  const completed = maybe(time())
  const error_at = maybe(time())
  return {
    ...emptyRow({ account_id, event_id, list: randomUUID(), kind: "guests" }),
    last_poll: maybe(time()),
    poll_interval: maybe(random.pick([60, 900, 86_400])),
    walk_started,
    walk_next: walk_started && walk_started - 2,
    previous_started,
    third_started,
    walk_completed: completed,
    completed_next: completed && maybe(time()),
    error_at,
  }
}
