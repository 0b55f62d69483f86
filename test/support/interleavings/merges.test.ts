import t from "tap"
import { countMerges, indexOf, mergeAt } from "./merges.ts"

t.test("counts the merges of two writers and of three with a walk of four requests", (t) => {
  t.equal(countMerges([3, 3, 4]), 4_200)
  t.equal(countMerges([3, 3, 3, 4]), 1_201_200)
  t.equal(countMerges([3, 3, 12]), 371_280)
  t.equal(countMerges([]), 1)
  t.end()
})

t.test("each merge has its index, and each index its merge", (t) => {
  const lengths = [3, 3, 4]
  const merges = Array.from({ length: countMerges(lengths) }, (_, index) => mergeAt(lengths, index))
  t.equal(new Set(merges.map(String)).size, 4_200)
  t.strictSame(merges.map((merge) => indexOf(lengths, merge)), [...merges.keys()])
  t.strictSame(merges.map(String), merges.map(String).toSorted(), "in the order of a dictionary")
  t.strictSame(merges[0], [0, 0, 0, 1, 1, 1, 2, 2, 2, 2])
  t.end()
})

t.test("refuses an index that no merge has", (t) => {
  for (const index of [-1, 4_200, 0.5, NaN]) {
    t.throws(() => mergeAt([3, 3, 4], index), /there is no merge .*: the last one is 4199/)
  }
  t.end()
})
