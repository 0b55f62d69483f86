import { randomUUID } from "node:crypto"
import fc from "fast-check"
import t from "tap"
import type { SyncRow } from "../../../../plugins/capabilities/partners/definitions.ts"
import {
  blankRow,
  mergeChanges,
  type SyncChange,
} from "../../../../plugins/capabilities/partners/sync-change.ts"
import { writeSync } from "../../../../plugins/capabilities/partners/write-sync.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"
import { watchStatements } from "../../../support/watched-statements.ts"

const hour = 1_700_002_800
const { signal } = new AbortController()

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer } = database
  const [account, event] = [randomUUID(), randomUUID()]
  const clear = async () => {
    await writer.deleteFrom("sync_state").execute()
    await writer.deleteFrom("partner_hour").execute()
  }
  t.afterEach(clear)
  const rows = async () =>
    (await writer.selectFrom("sync_state").selectAll().execute()).map((row) => ({ ...row }))
  const hours = async () =>
    (await writer.selectFrom("partner_hour").selectAll().orderBy("hour").execute())
      .map((row) => ({ ...row }))
  const write = (...changes: readonly SyncChange[]) => writeSync(database, changes, signal)

  /** A change of a list by a request at a time; an error if it may not be read. */
  const changeOf = (
    own: Partial<SyncRow> & Partial<Omit<SyncChange, "row">> & { readonly at?: number } = {},
  ): SyncChange => {
    const { at = hour, isReadable = true, starts = [], completed = [], hours, ...row } = own
    const result = isReadable ? { last_poll: at, poll_interval: 60, records: 1 } : {
      ...{ error_at: at, error_status: 404, error_code: "c", error_request: "r", first_error: at },
    }
    const key = { account_id: account, event_id: event, prefix: "/f/v1", list: "guests" }
    return {
      row: { ...blankRow({ ...key, family: "family", kind: "guests" }), ...result, ...row },
      ...{ isReadable, starts, completed },
      hours: hours ?? [{ hour, polls: 1, walks: 2, records: 3, errors: 4, lag: null }],
    }
  }

  await t.test("writeSync writes all or nothing, and fails with each of its statements", async (t) => {
    await writeSync(database, [], AbortSignal.abort())
    for (const failing of [1, 2, 3]) {
      const abort = new AbortController()
      let count = 0
      const watched = watchStatements(database, () => {
        if (++count === failing) abort.abort(new Error("too late"))
      })
      const changes = [changeOf({ isReadable: false }), changeOf({ list: "items" })]
      await t.rejects(writeSync(watched, changes, abort.signal), new Error("too late"))
      t.strictSame([await rows(), await hours()], [[], []])
    }
  })

  await t.test("writeSync adds errors to the list of the same batch, and to no list of another name", async (t) => {
    const denied = { isReadable: false } as const
    const [bob, other] = ["bob", randomUUID()]
    await write(
      changeOf(),
      changeOf({ account_id: bob, event_id: other }),
      changeOf({ ...denied, at: hour + 1 }),
      changeOf({ ...denied, account_id: bob }),
      changeOf({ ...denied, prefix: "/g/v1" }),
      changeOf({ ...denied, list: "items" }),
      changeOf({ ...denied, list: "items", event_id: other }),
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
    t.match((await hours()).toSorted((a, b) => b.polls - a.polls), [
      { account_id: account, hour, polls: 5, walks: 10, records: 15, errors: 20, lag: null },
      { account_id: bob, hour, polls: 2, walks: 4, records: 6, errors: 8, lag: null },
    ])
  })

  await t.test("writeSync adds up the counts of each hour, and keeps its greatest lag", async (t) => {
    const counts = { hour, polls: 1, walks: 2, records: 3, errors: 4, lag: null }
    const later = { ...counts, hour: hour + 3600, lag: 7 }
    await write(changeOf({ hours: [counts] }), changeOf({ account_id: "bob" }))
    await write(changeOf({ hours: [later, { ...counts, lag: 5 }] }))
    await write(changeOf({ hours: [{ ...later, lag: 6 }] }))
    const twice = { polls: 2, walks: 4, records: 6, errors: 8 }
    const own = (await hours()).filter(({ account_id }) => account_id === account)
    t.strictSame(own.map(({ account_id: _, ...each }) => each), [
      { hour, ...twice, lag: 5 },
      { hour: later.hour, ...twice, lag: 7 },
    ])
  })

  await t.test("writeSync locks rows in the same order, whatever the order of the changes", async (t) => {
    const keys = [{}, { account_id: "a" }, { account_id: "b" }, { list: "b" }, { prefix: "/a" }]
    const changes = keys.map((key) => changeOf(key))
    const orders = [changes, changes.toReversed(), [...changes.slice(2), ...changes.slice(0, 2)]]
    const written = []
    for (const order of orders) {
      const inserted: unknown[] = []
      const watched = watchStatements(database, (node) => {
        if (node.kind === "InsertQueryNode") inserted.push(node.values)
      })
      await writeSync(watched, order, signal)
      written.push(inserted)
    }
    t.strictSame(written.slice(1), [written[0], written[0]])
  })

  await t.test("writeSync remembers the last three walks and the first, in whatever order they come", async (t) => {
    const orders = ["1234", "4321", "2143", "1423", "3142", "2413", "2214", "1213", "3231"]
    for (const place of [0, 1, 2, 3]) {
      await write(...orders.map((order) => {
        const at = Number(order[place])
        const starts = [{ walk_started: at, walk_since: at, walk_next: at }]
        return changeOf({ list: order, starts, first_started: at })
      }))
    }
    const found = (await rows()).map((row) => [
      ...[row.list, row.walk_started, row.walk_since, row.walk_next],
      ...[row.previous_started, row.third_started, row.first_started],
    ])
    const expected = orders.map((order) => {
      const times = [...new Set(order)].map(Number).toSorted((a, b) => b - a)
      const [last = null, second = null, third = null] = times
      return [order, last, last, last, second, third, times.at(-1)]
    })
    t.strictSame(found.toSorted(), expected.toSorted())
  })

  await t.test("writeSync takes a since for asked again only if it was answered with a later Next-Since", async (t) => {
    const ask = async (at: number, walk_next: number) => {
      await write(changeOf({ starts: [{ walk_started: at, walk_since: hour - 60, walk_next }] }))
      return (await rows())[0]?.since_from
    }
    t.equal(await ask(hour, hour - 60), hour)
    t.equal(await ask(hour + 60, hour - 60), hour + 60, "a change is open")
    t.equal(await ask(hour + 120, hour + 100), hour + 120, "it was until now")
    t.equal(await ask(hour + 180, hour + 160), hour + 120, "it does not send what it was given")
  })

  await t.test("writeSync takes a list's family and kind from its last request", async (t) => {
    await write(changeOf())
    await write(changeOf({ at: hour + 1, family: "g", kind: "items" }))
    t.match(await rows(), [{ family: "g", kind: "items", last_poll: hour + 1 }])
  })

  await t.test("writeSync forgets an error from before the last page, and keeps the first one since", async (t) => {
    await write(changeOf({ isReadable: false, at: hour + 5 }), changeOf({ at: hour }))
    const fail = async (at: number) => {
      await write(changeOf({ isReadable: false, at }))
      return (await rows())[0]?.first_error
    }
    t.equal(await fail(hour + 9), hour + 5)
    const error = changeOf({ isReadable: false, at: hour + 12 })
    await write({ ...mergeChanges(changeOf({ at: hour + 10 }), error), isReadable: true })
    t.match(await rows(), [{ first_error: hour + 12 }])
    t.equal(await fail(hour + 14), hour + 12)
  })

  /** Writes walks from `since` to `next`, in batches. Returns what says whether a time is claimed to be covered. */
  const claimsOf = async (batches: readonly (readonly (readonly [number, number])[])[]) => {
    await clear()
    for (const batch of batches) {
      const completed = batch.map(([since, next]) => ({ at: next, since, next, reached: next }))
      await write(completed.map((walk) => changeOf({ completed: [walk] })).reduce(mergeChanges))
    }
    const [{ completed_next: end, skipped_from: from, skipped_to: to }] = await rows() as [SyncRow]
    return (time: number) =>
      time < (end ?? 0) && !(from !== null && to !== null && time >= from && time < to)
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
