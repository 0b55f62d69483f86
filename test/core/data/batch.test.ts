import { setTimeout } from "node:timers/promises"
import fc from "fast-check"
import t from "tap"
import { Batch } from "../../../core/data/batch.ts"
import { Unavailable } from "../../../core/data/unavailable.ts"

/** Creates a log that keeps its entries. */
function keepingLog() {
  const entries: Record<string, unknown>[] = []
  const record = (fields: object, message: string) => void entries.push({ message, ...fields })
  return { entries, log: { debug: record, info: record, warn: record, error: record } }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await setTimeout(2)
}

/** Writes what waits all the time, until it is told to stop. */
function flushing(batch: Pick<Batch<unknown>, "flush">): () => void {
  const timer = setInterval(() => batch.flush(), 1)
  return () => clearInterval(timer)
}

const away = new Unavailable("away")
/** As the driver of MySQL reports it. */
const tooLong = Object.assign(new Error("Data too long for 'jane@example.org'"), {
  code: "ER_DATA_TOO_LONG",
  sqlState: "22001",
})
const denied = Object.assign(new Error("INSERT command denied"), {
  code: "ER_TABLEACCESS_DENIED_ERROR",
  sqlState: "42000",
})

t.test("Batch writes many items at a time, in their order", async (t) => {
  const writes: (readonly number[])[] = []
  const { log, entries } = keepingLog()
  const batch = new Batch<number>(async (items) => void writes.push(items), { log, name: "x" })
  const all = Array.from({ length: 450 }, (_, n) => n)
  for (const n of all) batch.add(n)
  await batch.close(60_000)
  t.strictSame(writes.flat(), all)
  t.strictSame(writes.map(({ length }) => length), [200, 200, 50])
  t.match(batch.numbers, { waiting: 0, age: 0, dropped: 0 })
  t.strictSame(entries, [])
})

for (const error of [away, denied]) {
  t.test(`Batch tries again by itself after "${error.message}", and keeps all items in order`, async (t) => {
    const written: number[] = []
    const { log, entries } = keepingLog()
    let attempts = 0
    let isFailing = true
    const batch = new Batch<number>(async (items) => {
      attempts++
      if (isFailing) throw error
      written.push(...items)
    }, { log, name: "x", pause: 1, longestPause: 2 })
    t.teardown(flushing(batch))
    for (let n = 0; n < 300; n++) batch.add(n)
    await until(() => attempts > 20)
    t.match(batch.numbers, { waiting: 300, dropped: 0 })
    t.ok(batch.numbers.age > 0)
    isFailing = false
    await until(() => batch.numbers.waiting === 0)
    t.strictSame(written, Array.from({ length: 300 }, (_, n) => n))
    t.match(entries[0], { message: "entries cannot be written now", name: "x", waiting: 300 })
    t.match(entries.at(-1), { message: "entries are written again" })
    const before = entries.length
    t.equal(before, 2, "its begin and its end")
    batch.add(300)
    await until(() => written.length === 301)
    await batch.close(60_000)
    t.equal(entries.length, before, "said once")
  })
}

t.test("Batch waits twice as long after each failure, up to a bound", async (t) => {
  const attempts: number[] = []
  const batch = new Batch<number>(() => {
    attempts.push(performance.now())
    return Promise.reject(away)
  }, { log: keepingLog().log, name: "x", pause: 5, longestPause: 70 })
  t.teardown(flushing(batch))
  batch.add(1)
  // Without the bound, this many attempts would take longer than a test may.
  await until(() => attempts.length === 13)
  await batch.close(0)
  const pauses = attempts.slice(1, 13).map((at, index) => at - (attempts[index] ?? 0))
  for (const [index, least] of [10, 20, 40, 70, 70, 70].entries()) {
    t.ok((pauses[index] ?? 0) > least - 2, `${index}: ${pauses.join(" ")}`)
  }
})

t.test("Batch drops and counts items that are too many, and says so once per attempt", async (t) => {
  const { log, entries } = keepingLog()
  const drops = { dropped: 7 }
  const batch = new Batch<number>(() => Promise.reject(away), {
    ...{ log, name: "audit", drops, most: 3 },
  })
  for (let n = 0; n < 5; n++) batch.add(n)
  await batch.flush()
  await until(() => entries.length === 2)
  t.match(batch.numbers, { waiting: 3, dropped: 9 })
  t.match(entries, [
    { message: "entries cannot be written now" },
    { message: "entries were dropped", name: "audit", dropped: 2, reason: "too many were waiting" },
  ])
  await batch.close(0)
})

t.test("Batch logs a refused item by the error's code, without its content", async (t) => {
  const { log, entries } = keepingLog()
  const written: string[] = []
  const batch = new Batch<string>(async (items) => {
    if (items.includes("bad")) throw tooLong
    written.push(...items)
  }, { log, name: "audit" })
  for (const item of ["a", "bad", "b", "bad"]) batch.add(item)
  await batch.flush()
  t.strictSame(written, ["a", "b"])
  t.equal(batch.numbers.dropped, 2)
  t.strictSame(entries, [{
    message: "entries were dropped",
    name: "audit",
    dropped: 2,
    reason: "the database refuses them: ER_DATA_TOO_LONG",
  }])
})

t.test("close writes what waits at once, and tries again until its time is up", async (t) => {
  const written: number[] = []
  let attempts = 0
  const batch = new Batch<number>(async (items) => {
    if (++attempts < 2) throw away
    written.push(...items)
  }, { log: keepingLog().log, name: "x", pause: 60_000, longestPause: 60_000 })
  batch.add(1)
  await batch.close(60_000)
  t.strictSame(written, [1])
})

t.test("close of a process that goes on waits for the database, and drops what it cannot write once the process ends", async (t) => {
  const written: number[] = []
  let isAway = true
  const open = () => {
    const batch = new Batch<number>((items) => {
      if (isAway) return Promise.reject(away)
      written.push(...items)
      return Promise.resolve()
    }, { log: keepingLog().log, name: "x", pause: 1, longestPause: 1 })
    batch.add(1)
    return batch
  }
  const ending = new AbortController()
  const closed = [open(), open()].map((batch) => batch.close(0, ending.signal))
  await setTimeout(20)
  t.strictSame(written, [])
  isAway = false
  await Promise.all(closed)
  t.strictSame(written, [1, 1], "though they may take no time at the end")
  isAway = true
  const last = open()
  const ended = last.close(0, ending.signal)
  ending.abort()
  await ended
  t.match(last.numbers, { waiting: 0, dropped: 1 })
})

t.test("close gives up a write that hangs, and counts and logs what was not written", async (t) => {
  const { log, entries } = keepingLog()
  let signal: AbortSignal | undefined
  const batch = new Batch<number>((_, limit) => {
    signal = limit
    return new Promise((_, reject) => limit.addEventListener("abort", () => reject(away)))
  }, { log, name: "audit" })
  batch.add(1)
  batch.add(2)
  await batch.close(20)
  t.equal(signal?.aborted, true)
  await setTimeout(1)
  t.match(batch.numbers, { waiting: 0, dropped: 2 }, "also after the write has failed")
  batch.add(3)
  t.match(batch.numbers, { waiting: 0, dropped: 3 })
  t.match(entries, [
    { message: "entries were dropped", dropped: 2, reason: /before the end/ },
    { message: "entries were dropped", dropped: 1, reason: /closed/ },
  ])
})

t.test("Batch ends a write at its time limit, and tries again", async (t) => {
  const written: number[] = []
  let attempts = 0
  const batch = new Batch<number>(async (items, signal) => {
    if (++attempts === 1) {
      await new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason as Error))
      )
    }
    written.push(...items)
  }, { log: keepingLog().log, name: "x", pause: 1, timeLimit: 5 })
  t.teardown(flushing(batch))
  batch.add(1)
  await until(() => written.length > 0)
  t.equal(attempts, 2)
})

interface Item {
  readonly id: number
  readonly kind: "good" | "refused" | "odd"
}

const errors = { refused: tooLong, odd: new Error("never heard of it") }

/** Returns a batch of items of these kinds, what it has written, and how often it tried. */
function batchOf(
  kinds: readonly Item["kind"][],
  { outage }: { outage?: () => Error | undefined } = {},
) {
  const written: Item[] = []
  const tried = { writes: 0 }
  const batch = new Batch<Item>(async (items) => {
    tried.writes++
    const error = outage?.()
    if (error) throw error
    for (const kind of ["odd", "refused"] as const) {
      if (items.some((item) => item.kind === kind)) throw errors[kind]
    }
    written.push(...items)
  }, { log: keepingLog().log, name: "x", pause: 0, longestPause: 0 })
  for (const [id, kind] of kinds.entries()) batch.add({ id, kind })
  return { batch, written, tried }
}

t.test("flush loses no item that the database takes, and writes none twice, whatever fails", async () => {
  const kinds = fc.array(fc.constantFrom<Item["kind"]>("good", "good", "good", "refused", "odd"))
  const outages = fc.option(fc.record({
    after: fc.nat(20),
    error: fc.constantFrom(away, denied),
  }))
  await fc.assert(fc.asyncProperty(kinds, outages, async (kinds, plan) => {
    let [left, isOver] = [plan?.after ?? 0, false]
    const outage = () => plan && !isOver && left-- <= 0 ? plan.error : undefined
    const { batch, written } = batchOf(kinds, { outage })
    const check = () => {
      const { waiting, dropped } = batch.numbers
      if (written.length + waiting + dropped !== kinds.length) throw new Error("an item is lost")
      const bad = kinds.filter((kind) => kind !== "good").length
      if (dropped > bad) throw new Error("a good item is dropped")
      if (written.some(({ id }, index) => id <= (written[index - 1]?.id ?? -1))) {
        throw new Error("out of order, or twice")
      }
    }
    await batch.flush()
    check()
    isOver = true
    for (let n = 0; n < 3; n++) await batch.flush()
    check()
  }))
})

t.test("flush drops an odd item once others are written after it, and keeps it until then", async (t) => {
  const outcome = async (...kinds: Item["kind"][]) => {
    const { batch } = batchOf(kinds)
    await batch.flush()
    const { waiting, dropped } = batch.numbers
    return [waiting, dropped]
  }
  t.strictSame(await outcome("odd", "good", "odd"), [1, 1])
  t.strictSame(await outcome("odd", "odd", "good"), [0, 2], "two in a row")
  t.strictSame(await outcome("odd", "odd", "odd", "good"), [4, 0], "and no third")
})

t.test("flush stops at the first write that the database cannot do now, and after a few if every item fails", async (t) => {
  const many = Array<"odd">(200).fill("odd")
  for (const [outage, writes] of [[() => away, 1], [undefined, 4]] as const) {
    const { batch, tried } = batchOf(many, outage && { outage })
    await batch.flush()
    t.equal(tried.writes, writes)
    t.match(batch.numbers, { waiting: 200, dropped: 0 })
  }
})
