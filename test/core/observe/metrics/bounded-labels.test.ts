import fc from "fast-check"
import t from "tap"
import { BoundedLabels } from "../../../../plugins/capabilities/partners/bounded-labels.ts"

const other = { name: "other" }

t.test("BoundedLabels never has more sets of labels than its bound, and the first keep their place", (t) => {
  const uses = fc.array(fc.record({ name: fc.integer({ max: 20 }), wait: fc.nat({ max: 60 }) }))
  fc.assert(fc.property(uses, fc.integer({ min: 1, max: 5 }), (uses, most) => {
    const kept = new Set<string>()
    const forget = ({ name }: { name: string }) => kept.delete(name)
    const bounded = new BoundedLabels({ most, idle: 100, other, forget })
    let now = 0
    return uses.every(({ name, wait }) => {
      now += wait
      const key = String(name)
      const admitted = bounded.admit({ name: key }, now)
      const stays = kept.has(key)
      if (admitted === other) return !stays && kept.size === most
      kept.add(key)
      return kept.size <= most
    })
  }))
  t.end()
})

t.test("BoundedLabels gives the place of the one that was idle longest to a new one", (t) => {
  const forgotten: string[] = []
  const forget = ({ name }: { name: string }) => void forgotten.push(name)
  const bounded = new BoundedLabels({ most: 2, idle: 100, other, forget })
  bounded.admit({ name: "a" }, 0)
  bounded.admit({ name: "b" }, 10)
  bounded.admit({ name: "a" }, 20)
  t.equal(bounded.admit({ name: "c" }, 109), other)
  t.match(bounded.admit({ name: "c" }, 110), { name: "c" })
  t.strictSame(forgotten, ["b"])
  t.equal(bounded.admit({ name: "b" }, 110), other)
  t.end()
})
