import { setTimeout } from "node:timers/promises"
import t from "tap"
import { Reloads } from "../../../core/kernel/reloads.ts"
import type { ReloadOutcome } from "../../../core/routes/contract.ts"

/** Reloads whose attempts take and give what the test says. */
function begin(attempts: (() => Promise<void>)[]) {
  const reported: ReloadOutcome[] = []
  let made = 0
  const apply = () => attempts[made++]?.() ?? Promise.resolve()
  const reloads = new Reloads(apply, (each) => void reported.push(each))
  return { reloads, reported, made: () => made }
}

const wrong = () => Promise.reject(new Error("wrong"))

t.test("reloads run one after the other, in the order of their calls", async (t) => {
  const order: string[] = []
  const attempt = (name: string, turns: number) => async () => {
    order.push(`${name} begins`)
    await setTimeout(turns)
    order.push(`${name} ends`)
  }
  const { reloads, reported } = begin([attempt("one", 20), attempt("two", 0)])
  await Promise.all([reloads.run("one"), reloads.run("two")])
  t.strictSame(order, ["one begins", "one ends", "two begins", "two ends"])
  t.strictSame(reported.map(({ trigger }) => trigger), ["one", "two"])
  t.equal(reloads.last?.trigger, "two")
})

t.test("a reload that fails is refused with the reason, and the next one is applied", async (t) => {
  const { reloads, reported } = begin([wrong])
  t.equal(reloads.last, null)
  t.match(await reloads.run("SIGHUP"), { result: "refused", trigger: "SIGHUP", reason: "wrong" })
  t.match(reloads.last, { result: "refused" })
  t.match(await reloads.run("a test"), { result: "applied", trigger: "a test", reason: null })
  t.strictSame(reported.map(({ result }) => result), ["refused", "applied"])
})

t.test("close waits for the reload that runs", async (t) => {
  let hasEnded = false
  const slow = async () => {
    await setTimeout(20)
    hasEnded = true
  }
  const { reloads } = begin([slow])
  void reloads.run("a test")
  // It has begun.
  await setTimeout(1)
  await reloads.close()
  t.ok(hasEnded)
})

t.test("a reload that comes while reloads close is refused, and changes nothing", async (t) => {
  const { reloads, made } = begin([() => setTimeout(20)])
  const one = reloads.run("one")
  // It has begun.
  await setTimeout(1)
  const closing = reloads.close()
  const late = await reloads.run("two")
  t.match(late, { result: "refused", reason: "the service is stopping" })
  await closing
  t.match(await one, { result: "applied" })
  t.equal(made(), 1)
})
