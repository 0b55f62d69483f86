import { Buffer } from "node:buffer"
import fc from "fast-check"
import t, { type Test } from "tap"
import { type Body, slabs } from "../../../core/http/slabs.ts"
import { JsonText } from "../../../core/records/json-text.ts"

/** Fills memory that is given back, until the test ends. */
function poison(t: Test): void {
  slabs.onReturn = (memory) => memory.fill(0xee)
  t.teardown(() => void (slabs.onReturn = undefined))
}

const textOf = ({ bytes }: Body) => Buffer.from(bytes).toString()

t.test("JsonText.take returns what was written, whatever becomes of the texts before", (t) => {
  poison(t)
  const size = fc.oneof(fc.nat(100), fc.nat(70_000), fc.nat(3_000_000))
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
    { numRuns: 50 },
  )
  t.end()
})

t.test("JsonText.take hands over the memory that was written into, unless the text is short in it", (t) => {
  const text = new JsonText()
  const take = (size: number) => {
    for (let written = 0; written < size; written += 500) text.write("x".repeat(500))
    const written = text.from(0).buffer
    const body = text.take()
    t.equal(body.bytes.byteLength, size)
    return { body, isHandedOver: body.bytes.buffer === written }
  }
  const large = take(700_000)
  t.equal(large.isHandedOver, true)
  t.equal(large.body.slab?.bytes.byteLength, 1024 * 1024)
  const middling = take(500_000)
  t.equal(middling.isHandedOver, false)
  t.equal(middling.body.slab?.bytes.byteLength, 512 * 1024)
  const small = take(500)
  t.equal(small.isHandedOver, false)
  t.equal(small.body.slab, undefined)
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
