import { Buffer } from "node:buffer"
import fc from "fast-check"
import t from "tap"
import { type Slab, Slabs } from "../../../core/http/slabs.ts"

const megabyte = 1024 * 1024

t.test("Slabs: memory has one owner at a time, whatever is taken and given back", (t) => {
  const take = fc.record({ bytes: fc.integer({ min: 1, max: 12 * megabyte }) })
  const give = fc.record({ slab: fc.nat() })
  fc.assert(
    fc.property(fc.array(fc.oneof(take, give), { maxLength: 60 }), (steps) => {
      const slabs = new Slabs()
      slabs.onReturn = (memory) => memory.fill(0xee, 0, 1)
      const owned = new Map<Slab, number>()
      const all: Slab[] = []
      let mark = 0
      for (const step of steps) {
        if ("bytes" in step) {
          const slab = slabs.take(step.bytes)
          if (slab.bytes.byteLength < step.bytes) return false
          slab.bytes[0] = mark = (mark + 1) % 128
          owned.set(slab, mark)
          all.push(slab)
        } else {
          // Also one that was given back.
          const slab = all[step.slab % all.length]
          slab?.giveBack()
          if (slab) owned.delete(slab)
        }
        if (slabs.freeBytes > 32 * megabyte) return false
        if (![...owned].every(([{ bytes }, mark]) => bytes[0] === mark)) return false
        if (!all.every((slab) => owned.has(slab) !== slab.isGone)) return false
      }
      return true
    }),
    { numRuns: 40 },
  )
  t.end()
})

t.test("Slab.giveBack empties whatever was made of the slab, once, and Slab.replace copies a part before", (t) => {
  const slabs = new Slabs()
  const slab = slabs.take(1000)
  const part = slab.bytes.subarray(0, 10)
  slab.giveBack()
  t.strictSame([slab.isGone, part.byteLength, slab.bytes.byteLength], [true, 0, 0])
  const free = slabs.freeBytes
  slab.giveBack()
  t.equal(slabs.freeBytes, free)
  const [next, other] = [slabs.take(1000), slabs.take(1000)]
  t.not(next.bytes.buffer, other.bytes.buffer)
  slabs.onReturn = (memory) => memory.fill(0xee)
  next.bytes.write("guests")
  t.equal(Buffer.from(next.replace(next.bytes.subarray(0, 6))).toString(), "guests")
  t.equal(next.isGone, true)
  t.end()
})

t.test("Slabs keep the newest 32 MB, and nothing of more than 8 MB", (t) => {
  const slabs = new Slabs()
  const [huge, ...many] = [9, ...Array.from({ length: 40 }, () => 1)]
    .map((size) => slabs.take(size * megabyte))
  huge?.giveBack()
  t.equal(slabs.freeBytes, 0)
  for (const [index, slab] of many.entries()) {
    slab.bytes[0] = index
    slab.giveBack()
  }
  t.equal(slabs.freeBytes, 32 * megabyte)
  const marks = Array.from({ length: 32 }, () => slabs.take(megabyte).bytes[0])
  t.strictSame(marks, Array.from({ length: 32 }, (_, index) => 39 - index))
  t.equal(slabs.freeBytes, 0, "all are in use again")
  t.end()
})
