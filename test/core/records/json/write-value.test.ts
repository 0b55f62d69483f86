import fc from "fast-check"
import t from "tap"
import { writeInteger } from "../../../../core/records/json/write-value.ts"

const written = (value: number) => {
  const bytes = new Uint8Array(40)
  const end = writeInteger(new DataView(bytes.buffer), 5, value)
  return new TextDecoder().decode(bytes.subarray(5, end))
}

t.test("writeInteger writes whole numbers as JSON.stringify does", async (t) => {
  const powers = Array.from({ length: 16 }, (_, n) => 10 ** n)
  const edges = [0, 2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER]
  for (const value of [...powers.flatMap((power) => [power - 1, power, power + 1]), ...edges]) {
    t.equal(written(value), JSON.stringify(value))
    t.equal(written(0 - value), JSON.stringify(0 - value))
  }
  fc.assert(fc.property(fc.maxSafeInteger(), (value) => written(value) === JSON.stringify(value)))
})
