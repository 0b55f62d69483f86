import t from "tap"
import type { Node, Nodes } from "../../../../core/capability.ts"
import { Arrivals } from "../../../../plugins/capabilities/ping/arrivals.ts"

/** Opens arrivals at a primary and two copies that are asked in turn. A test sets their numbers, and the clock. */
function openArrivals({ areMany = true } = {}) {
  /** The numbers of the copies; undefined if one does not say. */
  const numbers: (number | undefined)[] = [0, 0]
  const copies = numbers.map((_, index) => ({
    isPrimary: false,
    database: {
      readOnce: async () => {
        if (numbers[index] === undefined) throw new Error("away")
        return [{ looks: numbers[index] }]
      },
    },
  }))
  const all = [{ isPrimary: true }, ...copies] as unknown as Node[]
  let turn = 0
  const next = () => all[turn++ % all.length]
  const nodes = { areMany, status: all, next } as unknown as Nodes
  let marks = 0
  const state = { now: 0, numbers, done: [] as string[], marks: () => marks }
  const arrivals = new Arrivals(nodes, async () => ++marks, () => state.now)
  const begin = (name: string, isAboutChanges = true) =>
    arrivals.whenArrived(() => void state.done.push(name), isAboutChanges)
  return { arrivals, state, begin }
}

t.test("with one server, work is done at once", async (t) => {
  const { arrivals, state, begin } = openArrivals({ areMany: false })
  await begin("a")
  t.strictSame([state.done, state.marks(), arrivals.isWaiting], [["a"], 0, false])
})

t.test("work is done once all copies have what was committed, in its order", async (t) => {
  const { arrivals, state, begin } = openArrivals()
  await begin("nothing new", false)
  t.strictSame([state.done, state.marks()], [["nothing new"], 0], "which waits for nothing")
  await begin("a")
  await begin("after a", false)
  await begin("b")
  t.equal(state.marks(), 2)
  await arrivals.look()
  state.numbers.splice(0, 2, 1, 0)
  await arrivals.look()
  t.strictSame(state.done.splice(0), ["nothing new"], "one copy lacks it")
  state.numbers.splice(0, 2, 1, 2)
  await arrivals.look()
  t.strictSame(state.done.splice(0), ["a", "after a"])
  t.ok(arrivals.isWaiting)
  state.numbers.splice(0, 2, 2, 2)
  await arrivals.look()
  t.strictSame(state.done, ["b"])
  t.notOk(arrivals.isWaiting)
})

t.test("nobody waits for more than half a minute for a copy that does not say how far it is", async (t) => {
  const { arrivals, state, begin } = openArrivals()
  state.numbers.splice(0, 2, 1, undefined)
  await begin("a")
  state.now = 29_999
  await arrivals.look()
  t.strictSame(state.done, [])
  state.now = 30_000
  await arrivals.look()
  t.strictSame(state.done, ["a"])
})
