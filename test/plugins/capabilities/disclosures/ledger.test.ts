import t from "tap"
import {
  addDisclosures,
  type Disclosure,
  fieldSetOf,
} from "../../../../plugins/capabilities/disclosures/ledger.ts"
import { pruneDisclosures } from "../../../../plugins/capabilities/disclosures/prune.ts"
import { itemCategories } from "../../../../core/records/kinds/items.ts"
import { past } from "../../../support/builder.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { startLedger } from "../../../support/ledger.ts"
import { watchStatements } from "../../../support/watched-statements.ts"

type Bundle = Readonly<Record<string, readonly { readonly updated: number }[]>>

await onEveryEngine(t, async (t, engine) => {
  for (const filter of ["", "&q=item"]) {
    for (const walk of ["cursor", "offset"] as const) {
      await t.test(`a page of items by ${walk}${filter}: its range has each of its records`, async (t) => {
        const { database, build, event, request, written, rowsOf } = await startLedger(engine)
        for (const [index, category] of itemCategories.entries()) {
          for (let n = 0; n < 3 + index % 2; n++) {
            const updated = past + 100_000 * n + 10_000 * index
            await build.item(category, event, { updated })
          }
        }
        const start = `items?since=${past}&limit=1${filter}`
        let next: string | undefined = start
        let pages = 0
        for (let offset = 1; next !== undefined; offset++) {
          const response: Response = await request(next)
          const body: Bundle = await response.json()
          const times = Object.values(body).flat().map(({ updated }) => updated)
          await written()
          const rows = await rowsOf("disclosure")
          await database.writer.deleteFrom("disclosure").execute()
          if (times.length === 0) break
          t.match(rows, [{ whole: Number(filter === "") }])
          const [row] = rows
          t.ok(row && row.from_time <= Math.min(...times) && Math.max(...times) <= row.to_time)
          if (filter !== "") {
            t.match(row, { from_time: Math.min(...times), to_time: Math.max(...times) })
          }
          pages++
          const cursor = /(\?cursor=[^>]*)>/.exec(response.headers.get("link") ?? "")?.[1]
          if (walk === "offset") next = `${start}&offset=${offset}`
          else next = cursor && `items${cursor}`
        }
        t.equal(pages, 4)
      })
    }
  }

  await t.test("a whole walk by cursor is one row, from since to the time of the walk", async (t) => {
    const { build, event, request, written, rowsOf } = await startLedger(engine)
    await build.guests(event, 5)
    const far = Math.floor(Date.now() / 1000) + 5000
    await build.guest(event, { updated: far })
    let next: string | undefined = `guests?since=${past - 9}&limit=2`
    for (; next !== undefined;) {
      const { headers }: Response = await request(next)
      const cursor = /(\?cursor=[^>]*)>/.exec(headers.get("link") ?? "")?.[1]
      next = cursor && `guests${cursor}`
    }
    await written()
    const rows = await rowsOf("disclosure")
    t.match(rows, [{ from_time: past - 9, to_time: far }])
    t.equal(rows.length, 1)
  })

  const { database } = await startLedger(engine)
  const one: Disclosure = {
    eventId: "an event",
    accountId: "an account",
    prefix: "/p",
    list: "guests",
    fields: ["Guest.email", "Guest.id"],
    whole: true,
    from: 1000,
    to: 1900,
    at: 2000,
    next: 1990,
  }
  /** Adds disclosures to an empty ledger, one call after the other, and returns its rows. */
  const rowsAfter = async (...calls: (readonly Disclosure[])[]) => {
    await database.writer.deleteFrom("disclosure").execute()
    const { signal } = new AbortController()
    for (const call of calls) {
      await addDisclosures(database, call, { near: 5, known: new Set(), signal })
    }
    const rows = await database.writer.selectFrom("disclosure").selectAll().orderBy("seq").execute()
    return rows.map(({ from_time, to_time, first_at, last_at, first_next }) => [
      ...[from_time, to_time, first_at, last_at, first_next],
    ])
  }

  await t.test("addDisclosures makes one row of ranges that meet, with the earliest Next-Since of their walks", async (t) => {
    const earlier = { ...one, from: 1200, to: 1500, at: 1510, next: 1480 }
    const later = { ...one, from: 1905, to: 2500, at: 2600, next: 2590 }
    for (
      const [other, row] of [
        [earlier, [1000, 1900, 1510, 2000, 1480]],
        [later, [1000, 2500, 2000, 2600, 1990]],
      ] as const
    ) {
      t.strictSame(await rowsAfter([one, other]), [row], "two walks in one batch")
      t.strictSame(await rowsAfter([other, one]), [row])
      t.strictSame(await rowsAfter([one], [other]), [row], "in one batch each")
      t.strictSame(await rowsAfter([other], [one]), [row])
    }
    t.strictSame((await rowsAfter([one, { ...later, from: 1906 }])).length, 2, "they do not meet")
    t.strictSame((await rowsAfter([one], [{ ...later, from: 1906 }])).length, 2)
  })

  await t.test("addDisclosures makes one row of two that a range meets, with the most that they say", async (t) => {
    const far = { ...one, from: 3000, to: 3500, at: 3600, next: 3590 }
    const away = { ...one, from: 9000, to: 9500, at: 9600, next: 9590 }
    const between = { ...one, from: 1901, to: 2999, at: 3700, next: 1500 }
    t.strictSame(await rowsAfter([one, far, away], [between]), [
      [1000, 3500, 2000, 3700, 1500],
      [9000, 9500, 9600, 9600, 9590],
    ])
  })

  await t.test("addDisclosures makes one row of two that two instances have added, and touches no other", async (t) => {
    const stranger = { ...one, accountId: "another account" }
    const ended = { ...one, from: 100, to: 200, at: 300, next: 290 }
    await rowsAfter([stranger, one, ended])
    // The first range of a list, added by another instance at the same time.
    const other = { from_time: 900, to_time: 2100, first_at: 1700, last_at: 2200, first_next: 1690 }
    const row = await database.writer.selectFrom("disclosure").selectAll()
      .where("account_id", "=", one.accountId).where("from_time", "=", one.from)
      .executeTakeFirstOrThrow()
    const { seq: _, ...columns } = row
    await database.writer.insertInto("disclosure").values({ ...columns, ...other }).execute()
    const { signal } = new AbortController()
    await addDisclosures(database, [one], { near: 5, known: new Set(), signal })
    const rows = await database.writer.selectFrom("disclosure").selectAll().orderBy("from_time")
      .execute()
    t.match(rows, [
      { from_time: ended.from, to_time: ended.to, last_at: ended.at },
      { seq: row.seq, ...other },
      { account_id: stranger.accountId, from_time: one.from, to_time: one.to, last_at: one.at },
    ])
    t.equal(rows.length, 3)
  })

  await t.test("addDisclosures keeps each set of fields once, under an id that never changes", async (t) => {
    const { writer } = database
    const id = fieldSetOf(one.fields)
    t.equal(id, "13d4c5451988101c")
    t.not(fieldSetOf(["ab", "c"]), fieldSetOf(["a", "bc"]))
    await writer.deleteFrom("field_set").execute()
    const known = new Set<string>()
    const { signal } = new AbortController()
    await addDisclosures(database, [one, one], { near: 5, known, signal })
    t.strictSame([...known], [id])
    const rows = await writer.selectFrom("field_set").select(["id", "fields"]).execute()
    t.match(rows, [{ id, fields: JSON.stringify(one.fields) }])
  })

  await t.test("addDisclosures fails with each of its statements, gives up then, and writes nothing once aborted", async (t) => {
    const far = { ...one, from: 3000, to: 3500 }
    const between = { ...one, from: 1901, to: 2999 }
    for (const [before, batch] of [[[], one], [[one, far], between]] as const) {
      for (let failing = 1, isDone = false; !isDone; failing++) {
        await rowsAfter(before)
        const abort = new AbortController()
        let count = 0
        const failAt = watchStatements(database, () => {
          if (++count === failing) abort.abort(new Error("too late"))
        })
        const known = new Set<string>()
        const adding = addDisclosures(failAt, [batch], { near: 5, known, signal: abort.signal })
        isDone = await adding.then(() => true, ({ message }) => message !== "too late")
        t.equal(count, isDone ? failing - 1 : failing)
        t.equal(known.size, failing === 1 ? 0 : 1, "fields that were not written are not known")
      }
    }
  })

  await t.test("addDisclosures merges no ranges of different events, accounts, families, lists, fields and certainty", async (t) => {
    for (
      const part of [
        { eventId: "another event" },
        { accountId: "another account" },
        { prefix: "/q" },
        { list: "items" },
        { fields: ["Guest.email"] },
        { whole: false },
        { eventId: "an even", list: "tguests" },
      ]
    ) {
      const other = { ...one, ...part, from: 1500, to: 3000, at: 5000, next: 1 }
      const rows = [[1000, 1900, 2000, 2000, 1990], [1500, 3000, 5000, 5000, 1]]
      const name = Object.keys(part).join()
      const sorted = (rows: number[][]) => rows.toSorted(([a = 0], [b = 0]) => a - b)
      t.strictSame(sorted(await rowsAfter([one, other])), rows, name)
      t.strictSame(await rowsAfter([one], [other], [one], [other]), rows, name)
    }
  })

  await t.test("pruneDisclosures deletes ranges that were last sent, and notices from, before so many days", async (t) => {
    const { writer, dialect } = database
    await writer.deleteFrom("erasure_notice").execute()
    const { now } = await writer.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
    const [old, late] = [now - 7 * 86_400 - 1, now - 7 * 86_400 + 100]
    const other = { accountId: "another account" }
    await rowsAfter(
      [{ ...one, at: old }, { ...one, from: 3000, to: 4000, at: old - 9 }],
      [{ ...one, ...other, at: old }],
      [{ ...one, ...other, at: late }],
    )
    const notice = {
      ...{ kind: "told", event_id: "an event", account_id: "an account", prefix: "/p" } as const,
      ...{ list: "guests", from_time: 0, to_time: now },
    }
    await writer.insertInto("erasure_notice")
      .values([{ ...notice, at: old }, { ...notice, at: late }]).execute()
    const left = async () => [
      (await writer.selectFrom("disclosure").selectAll().execute())
        .map(({ first_at, last_at }) => [first_at, last_at]),
      (await writer.selectFrom("erasure_notice").select("at").execute()).map(({ at }) => at),
    ]
    t.equal(await pruneDisclosures(database, 7, AbortSignal.abort()), 0)
    t.equal(await pruneDisclosures(database, 8), 0)
    t.strictSame((await left()).map(({ length }) => length), [3, 2])
    t.equal(await pruneDisclosures(database, 7), 3)
    t.strictSame(await left(), [[[old, late]], [late]])
  })
})
