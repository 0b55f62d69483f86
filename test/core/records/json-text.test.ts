import { Buffer } from "node:buffer"
import { randomUUID } from "node:crypto"
import fc from "fast-check"
import t from "tap"
import { type Body, slabs } from "../../../core/http/slabs.ts"
import { JsonText } from "../../../core/records/json-text.ts"

const textOf = ({ bytes }: Body) => Buffer.from(bytes).toString()

t.test("JsonText.take returns what was written, whatever becomes of the texts before", (t) => {
  slabs.onReturn = (memory) => memory.fill(0xee)
  t.teardown(() => void (slabs.onReturn = undefined))
  const size = fc.oneof(fc.nat(100), fc.nat(70_000), fc.nat(800_000))
  const piece = fc.record({ letter: fc.constantFrom("a", "é", "€", "b"), size })
  const step = fc.record({ pieces: fc.array(piece, { maxLength: 5 }), isHeld: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const text = new JsonText()
      const held: [Body, string][] = []
      for (const { pieces, isHeld } of steps) {
        let expected = ""
        for (const { letter, size } of pieces) {
          const part = letter.repeat(size / 3)
          if (letter === "a") text.copy(Buffer.from(part), 0, part.length)
          else if (letter === "é") text.append(Buffer.from(part))
          else text.write(part)
          text.writeLetter(0x2c)
          expected += `${part},`
        }
        const body = text.take()
        if (textOf(body) !== expected) return false
        if (isHeld) held.push([body, expected])
        else body.slab?.giveBack()
      }
      return held.every(([body, expected]) => textOf(body) === expected)
    }),
    { numRuns: 12 },
  )
  t.end()
})

t.test("JsonText.clear forgets a text that was not taken, and memory of more than 8 MB", (t) => {
  const text = new JsonText()
  text.write("x".repeat(9_000_000))
  const large = text.from(0)
  text.clear()
  t.equal(large.byteLength, 0)
  text.write("y")
  t.equal(textOf(text.take()), "y")
  t.end()
})

t.test("JsonText.endRecord: which records end a segment depends on their ids, and not on their place", (t) => {
  const ends = (ids: readonly string[]) => {
    const text = new JsonText()
    for (const id of ids) {
      text.write(`{"id":"${id}"},`)
      text.endRecord(id)
    }
    const { bytes, borders = [] } = text.take()
    return borders.map((end) => Buffer.from(bytes).toString("latin1", end - 39, end - 3))
  }
  const ofVersion = {
    random: randomUUID,
    "of the time, as MySQL makes them": () => {
      const ticks = (3_000_000_000 + Math.floor(Math.random() * 1e9)).toString(16)
      return `${ticks}-baba-11f0-9564-5b8c656024db`
    },
    "of the time, then random": () => `019ac3f2-5a10-7${randomUUID().slice(15)}`,
  }
  for (const [name, make] of Object.entries(ofVersion)) {
    const ids = Array.from({ length: 3_000 }, make)
    const found = ends(ids)
    t.ok(found.length > 55 && found.length < 140, `one of 32 UUIDs: ${name}`)
    t.strictSame(ends(ids.toReversed()), found.toReversed(), `in any order: ${name}`)
  }
  const text = new JsonText()
  for (const end of ["take", "clear"] as const) {
    for (let n = 0; n < 500; n++) text.endRecord(randomUUID())
    text[end]()
    t.strictSame(text.take().borders, [], "the next text has its own")
  }
  t.end()
})
