import { test } from "tap"
import type { Plan } from "./plan.ts"
import { shrink } from "./shrink.ts"

const burst = (...names: string[]) => ({
  pause: 1000,
  steps: names.map((step, at) => ({ at, step, seed: at })),
})
const namesOf = (plan: Plan) => plan.map(({ steps }) => steps.map(({ step }) => step))
const never = () => false

test("shrink leaves out what a failure does not need", async (t) => {
  const plan = [burst("a", "b", "c"), burst("d"), burst("e", "f", "g", "h")]
  const smallest = await shrink(
    plan,
    (plan) => {
      const all = namesOf(plan).flat()
      return Promise.resolve(all.includes("b") && all.includes("g") ? "lost: 3" : undefined)
    },
    never,
  )
  t.strictSame(namesOf(smallest), [["b"], ["g"]])
  t.ok(smallest.every(({ pause }) => pause === 0))
})

test("shrink keeps to the invariant that failed first", async (t) => {
  const smallest = await shrink(
    [burst("a", "b")],
    (plan) => {
      const all = namesOf(plan).flat()
      return Promise.resolve(all.includes("a") ? `lost: ${all.length}` : "stale: 1")
    },
    never,
  )
  t.strictSame(namesOf(smallest), [["a"]])
})

test("shrink returns what it has when its time is over", async (t) => {
  let left = 4
  const smallest = await shrink(
    [burst("a", "b", "c", "d", "e", "f", "g", "h")],
    (plan) => Promise.resolve(namesOf(plan).flat().includes("a") ? "lost" : undefined),
    () => left-- <= 0,
  )
  const names = namesOf(smallest).flat()
  t.ok(names.includes("a"))
  t.ok(names.length < 8, "it has begun")
  t.ok(names.length > 1, "it has not ended")
})
