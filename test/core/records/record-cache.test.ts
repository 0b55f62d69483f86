import { Buffer } from "node:buffer"
import fc from "fast-check"
import t from "tap"
import { leanGuest } from "../../../core/records/lean.ts"
import { pick } from "../../../core/records/projection.ts"
import { guest } from "../../../core/records/kinds/guest.ts"
import { JsonText } from "../../../core/records/json-text.ts"
import { type CachedRecords, RecordCache } from "../../../core/records/record-cache.ts"

const other = pick(guest, ["id"])

/** Returns a kept record; undefined if it is not known. */
function find(list: CachedRecords, id: string, version: number): string | undefined {
  const text = new JsonText()
  return list.write(id, version, text) ? Buffer.from(text.take().bytes).toString() : undefined
}

t.test("RecordCache finds what was added, by projection, event, epoch, id and version", (t) => {
  const cache = new RecordCache(10_000)
  const list = cache.of("e", "1")(leanGuest)
  list.add("a", 7, Buffer.from("{}"))
  t.equal(find(cache.of("e", "1")(leanGuest), "a", 7), "{}")
  t.equal(find(cache.of("e", "1")(other), "a", 7), undefined, "another projection")
  t.equal(find(cache.of("f", "1")(leanGuest), "a", 7), undefined, "another event")
  t.equal(find(cache.of("e", "2")(leanGuest), "a", 7), undefined, "another epoch")
  for (const [id, version] of [["b", 7], ["a", 8]] as const) {
    t.equal(find(list, id, version), undefined)
  }
  // It would change these keys.
  for (const [id, version] of [["\u0141", 1], ["a", 2 ** 53], ["a", NaN], ["a", 0.5]] as const) {
    list.add(id, version, Buffer.from("{}"))
    t.equal(find(list, id, version), undefined, `${id} ${version}`)
  }
  t.equal(find(list, "A", 1), undefined, "the low byte of the first id")
  t.end()
})

t.test("RecordCache keeps the latest entries, and none that is large beside it", (t) => {
  const cache = new RecordCache(80_000)
  const list = cache.of("e", "1")(leanGuest)
  for (let n = 0; n < 1000; n++) {
    list.add(`${n}`, n, Buffer.from("x".repeat(400)))
    if (!find(list, `${n}`, n)) throw new Error(`${n} has just been added`)
  }
  const kept = Array.from({ length: 1000 }, (_, n) => n).filter((n) => find(list, `${n}`, n))
  t.ok(kept.length > 80_000 / 2 / 432, `${kept.length} are left`)
  t.ok(kept.length <= 80_000 / 424)
  t.equal(cache.numbers.bytes, 80_000)
  list.add("large", 1, Buffer.from("x".repeat(20_000)))
  t.equal(find(list, "large", 1), undefined)
  t.end()
})

t.test("RecordCache never returns anything but what was added under a key", (t) => {
  const key = fc.record({
    list: fc.nat(2),
    id: fc.string({ maxLength: 3 }),
    version: fc.oneof(fc.nat(3), fc.maxSafeInteger()),
    size: fc.nat(300),
  })
  fc.assert(
    fc.property(
      fc.array(key, { maxLength: 200 }),
      fc.integer({ min: 600, max: 5000 }),
      (keys, size) => {
        const cache = new RecordCache(size)
        const lists = ["e", "f", "g"].map((event) => cache.of(event, "1")(leanGuest))
        const added = new Map<string, string>()
        for (const { list, id, version, size } of keys) {
          const name = JSON.stringify([list, id, version])
          const found = find(lists[list] as CachedRecords, id, version)
          if (found !== undefined && found !== added.get(name)) return false
          // Under one key there is one content: the second `add` is that of a request that ran at the same time.
          const json = added.get(name) ?? `${name}${"x".repeat(size)}`
          added.set(name, json)
          lists[list]?.add(id, version, Buffer.from(json))
        }
        return true
      },
    ),
    { numRuns: 200 },
  )
  t.end()
})
