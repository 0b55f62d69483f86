import { randomUUID } from "node:crypto"
import fc from "fast-check"
import t from "tap"
import type { SyncRow } from "../../../../plugins/capabilities/partners/definitions.ts"
import {
  advance,
  blankRow,
  type Poll,
  type SyncList,
} from "../../../../plugins/capabilities/partners/progress.ts"
import { type ListPoll, writeSync } from "../../../../plugins/capabilities/partners/write-sync.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"
import { anyPoll, end, error, page } from "../../../support/polls.ts"
import { watchStatements } from "../../../support/watched-statements.ts"

const hour = 1_700_002_800
const { signal } = new AbortController()

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer } = database
  const [account, event] = [randomUUID(), randomUUID()]
  const clear = async () => void await writer.deleteFrom("sync_state").execute()
  t.afterEach(clear)
  const rows = async () =>
    (await writer.selectFrom("sync_state").selectAll().execute()).map((row) => ({ ...row }))
  const write = (...polls: readonly ListPoll[]) => writeSync(database, polls, signal)

  type Told = Partial<SyncList> & Partial<Pick<ListPoll, "isReadable" | "of">>

  const listPoll = (poll: Poll, own: Told = {}): ListPoll => {
    const { isReadable = true, of } = own
    const key = { account_id: account, event_id: event, prefix: "/f/v1", list: "guests" }
    const { isReadable: _, of: __, ...list } = own
    return {
      list: { ...key, family: "family", kind: "guests", ...list },
      ...{ poll, isReadable },
      ...of && { of },
    }
  }

  const pageOf = ({ at = hour, ...own }: Told & { readonly at?: number } = {}) =>
    listPoll(page(at), own)

  /** An error at a time, about an event that the account may not read. */
  const denied = ({ at = hour, ...own }: Told & { readonly at?: number } = {}) =>
    listPoll(
      error(at),
      { isReadable: false, ...own },
    )

  await t.test("writeSync writes all or nothing, and fails with each of its statements", async (t) => {
    await writeSync(database, [], AbortSignal.abort())
    for (const failing of [1, 2, 3, 4]) {
      const abort = new AbortController()
      let count = 0
      const watched = watchStatements(database, () => {
        if (++count === failing) abort.abort(new Error("too late"))
      })
      const polls = [denied(), pageOf({ list: "items" })]
      await t.rejects(writeSync(watched, polls, abort.signal), new Error("too late"))
      t.strictSame(await rows(), [])
    }
  })

  await t.test("writeSync adds errors to the list of the same batch, and to no list of another name", async (t) => {
    const [bob, other] = ["bob", randomUUID()]
    await write(
      pageOf(),
      pageOf({ account_id: bob, event_id: other }),
      denied({ at: hour + 1 }),
      denied({ account_id: bob }),
      denied({ prefix: "/g/v1" }),
      denied({ list: "items" }),
      denied({ list: "items", event_id: other }),
    )
    t.strictSame(
      (await rows()).map((row) => [
        ...[row.account_id, row.event_id, row.prefix, row.list],
        ...[row.last_poll, row.first_error, row.error_at],
      ]).toSorted(),
      [
        [account, event, "/f/v1", "guests", hour, hour + 1, hour + 1],
        [account, "", "/f/v1", "items", null, hour, hour],
        [account, "", "/g/v1", "guests", null, hour, hour],
        [bob, other, "/f/v1", "guests", hour, null, null],
        [bob, "", "/f/v1", "guests", null, hour, hour],
      ].toSorted(),
    )
  })

  await t.test("writeSync locks rows in the same order, whatever the order of the polls", async (t) => {
    const keys = [{}, { account_id: "a" }, { account_id: "b" }, { list: "b" }, { prefix: "/a" }]
    const polls = keys.map((key) => pageOf(key))
    const orders = [polls, polls.toReversed(), [...polls.slice(2), ...polls.slice(0, 2)]]
    const written = []
    for (const order of orders) {
      await clear()
      const inserted: unknown[] = []
      const watched = watchStatements(database, (node) => {
        if (node.kind === "InsertQueryNode") inserted.push(node.values)
      })
      await writeSync(watched, order, signal)
      t.equal(inserted.length, 2)
      written.push(inserted)
    }
    t.strictSame(written.slice(1), [written[0], written[0]])
  })

  await t.test("writeSync writes of polls in any grouping what advance makes of them one by one", async (t) => {
    const polls = fc.array(anyPoll, { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(polls, fc.nat(7), fc.nat(7), async (all, one, other) => {
        await clear()
        const cuts = [0, one, other, all.length].toSorted((a, b) => a - b)
        for (const [place, cut] of cuts.entries()) {
          await write(...all.slice(cut, cuts[place + 1]).map((poll) => listPoll(poll)))
        }
        const blank = blankRow(listPoll(page(0)).list)
        t.match(await rows(), [all.reduce((row, poll) => advance(row, poll), blank)])
      }),
      { numRuns: 25, seed: 7 },
    )
  })

  await t.test("writeSync loses no poll of two processes that write the same lists at once", async (t) => {
    const lists = ["a", "b", "c", "d"]
    const batches = Array.from(
      { length: 8 },
      (_, n) => (n % 2 ? lists : lists.toReversed()).map((list) => pageOf({ list, at: hour + n })),
    )
    await Promise.all(batches.map((batch) => write(...batch)))
    t.match(await rows(), lists.map((list) => ({ list, records: 8, last_poll: hour + 7 })))
  })

  await t.test("writeSync takes a list's family and kind from its last request", async (t) => {
    await write(pageOf())
    await write(pageOf({ at: hour + 1, family: "g", kind: "items" }))
    t.match(await rows(), [{ family: "g", kind: "items", last_poll: hour + 1 }])
  })

  /** Writes walks from `since` to `next`, in batches. Returns what says whether a time is claimed to be covered. */
  const claimsOf = async (batches: readonly (readonly (readonly [number, number])[])[]) => {
    await clear()
    for (const batch of batches) {
      await write(
        ...batch.map(([since, next]) => listPoll(end(since, next))),
      )
    }
    const [{ completed_next: covered, skipped_from: from, skipped_to: to }] = await rows() as [
      SyncRow,
    ]
    return (time: number) =>
      time < (covered ?? 0) && !(from !== null && to !== null && time >= from && time < to)
  }

  await t.test("writeSync keeps one gap that walks left out, until others have filled it", async (t) => {
    const cases = [
      { walks: [[0, 3], [5, 8]], gap: [3, 5] },
      { walks: [[0, 3], [5, 8], [3, 5]], gap: [null, null] },
      { walks: [[0, 3], [5, 8], [0, 9]], gap: [null, null] },
      { walks: [[0, 3], [5, 8], [2, 4]], gap: [4, 5] },
      { walks: [[0, 3], [5, 8], [4, 6]], gap: [3, 4] },
      { walks: [[0, 3], [5, 8], [10, 12]], gap: [3, 10] },
      { walks: [[5, 8]], gap: [0, 5] },
      { walks: [[5, 8], [0, 4]], gap: [4, 5] },
    ] as const
    for (const { walks, gap } of cases) {
      await claimsOf(walks.map((walk) => [walk]))
      const [row] = await rows()
      t.strictSame([row?.skipped_from, row?.skipped_to], gap, JSON.stringify(walks))
    }
  })

  const times = Array.from({ length: 14 }, (_, time) => time)

  await t.test("writeSync claims of walks in any order only what they cover", async (t) => {
    const walks = fc.array(fc.tuple(fc.nat(12), fc.nat(12)), { minLength: 1, maxLength: 6 })
      .map((all) => all.map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const))
    await fc.assert(
      fc.asyncProperty(walks, fc.nat(5), async (all, cut) => {
        const batches = [all.slice(0, cut), all.slice(cut)].filter(({ length }) => length > 0)
        const claims = await claimsOf(batches)
        for (const time of times.filter(claims)) {
          t.ok(all.some(([since, next]) => since <= time && time < next))
        }
      }),
      { numRuns: 30, seed: 11 },
    )
  })

  await t.test("writeSync claims all that walks cover if each begins where one ended, though two are swapped", async (t) => {
    const chain = [[0, 3], [3, 5], [5, 5], [5, 8], [7, 11]] as const
    // Of two processes, one may write what it has seen a moment later.
    for (const swapped of [[], [0], [1], [2], [3], [0, 2], [0, 3], [1, 3]]) {
      const all = [...chain] as (readonly [number, number])[]
      for (const place of swapped) all.splice(place, 2, all[place + 1]!, all[place]!)
      const claims = await claimsOf(all.map((walk) => [walk]))
      t.strictSame(times.filter(claims), times.slice(0, 11), `swapped ${swapped}`)
    }
  })
})
