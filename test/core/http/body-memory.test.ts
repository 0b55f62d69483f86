import t from "tap"
import { giveBack, takeMemory } from "../../../core/http/body-memory.ts"

t.test("memory that was given back is used again, and all views of it are empty", (t) => {
  const body = takeMemory(100_000)
  body.fill(1)
  const view = body.subarray(10)
  giveBack(body)
  giveBack(body)
  t.strictSame([body.byteLength, view.byteLength], [0, 0])
  const [next, other] = [takeMemory(70_000), takeMemory(70_000)]
  t.strictSame([next.byteLength, next[0], other.byteLength, other[0]], [70_000, 1, 70_000, 0])
  t.end()
})

t.test("no more than 32 MB wait to be used again, and nothing that is larger than 8 MB", (t) => {
  const bodies = Array.from({ length: 6 }, () => takeMemory(8 * 1024 * 1024))
  for (const [index, body] of bodies.entries()) {
    body.fill(index + 1)
    giveBack(body)
  }
  const again = bodies.map(() => takeMemory(8 * 1024 * 1024)[0])
  t.strictSame(again, [6, 5, 4, 3, 0, 0], "the newest")
  const large = takeMemory(8 * 1024 * 1024 + 1)
  large.fill(7)
  giveBack(large)
  t.equal(large[0], 7, "it is left to the garbage collector")
  t.end()
})
