import { setTimeout } from "node:timers/promises"
import t from "tap"
import { Unavailable } from "../../../core/data/unavailable.ts"
import { Reloads } from "../../../core/kernel/reloads.ts"
import type { ReloadOutcome } from "../../../core/routes/contract.ts"

/** Reloads whose attempts take and give what the test says. */
function begin(attempts: (() => Promise<void>)[]) {
  const reported: ReloadOutcome[] = []
  let made = 0
  const apply = () => attempts[made++]?.() ?? Promise.resolve()
  const reloads = new Reloads(apply, { report: (each) => reported.push(each), pause: 1 })
  return { reloads, reported, made: () => made }
}

const away = () => Promise.reject(new Unavailable("away"))
const wrong = () => Promise.reject(new Error("wrong"))
const refusedByDriver = () =>
  Promise.reject(Object.assign(new Error("no"), { code: "ECONNREFUSED" }))

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

t.test("a reload is tried again while the database is away, and reported when that changes", async (t) => {
  const { reloads, reported, made } = begin([away, refusedByDriver, away])
  t.match(await reloads.run("SIGHUP"), { result: "refused", reason: "away", retrying: true })
  while (made() < 4) await setTimeout(1)
  await reloads.close()
  t.match(reported, [
    { result: "refused", trigger: "SIGHUP", reason: "away", retrying: true },
    { result: "applied", trigger: "SIGHUP", reason: null, retrying: false },
  ])
  t.equal(reported.length, 2)
})

t.test("a reload is tried again after a second, then after twice as long each time, up to half a minute", async (t) => {
  const usual = globalThis.setTimeout
  const timers = t.capture(globalThis, "setTimeout", (run: () => void) => usual(run, 0))
  let made = 0
  const apply = () => ++made < 9 ? away() : Promise.resolve()
  const reloads = new Reloads(apply, { report: () => {} })
  await reloads.run("a test")
  while (made < 9) await setTimeout(1)
  await reloads.close()
  const pauses = timers().map(({ args: [, pause] }) => pause)
  t.strictSame(pauses, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
})

t.test("a reload of a wrong file is not tried again, nor is one that turns out wrong", async (t) => {
  for (const [attempts, reports] of [[[wrong], 1], [[away, wrong], 2]] as const) {
    const { reloads, reported, made } = begin([...attempts])
    await reloads.run("a test")
    while (made() < attempts.length) await setTimeout(1)
    await setTimeout(20)
    t.equal(made(), attempts.length)
    t.equal(reported.length, reports)
    t.match(reloads.last, { result: "refused", reason: "wrong", retrying: false })
  }
})

t.test("another reload takes the place of one that would be tried again", async (t) => {
  const { reloads, reported, made } = begin([away, away, wrong])
  for (const trigger of ["one", "two", "three"]) await reloads.run(trigger)
  await setTimeout(20)
  t.equal(made(), 3)
  t.match(reported, [
    { trigger: "one", retrying: true },
    { trigger: "two", retrying: true },
    { trigger: "three", retrying: false },
  ])
})

t.test("close waits for the attempt that runs, and no other follows", async (t) => {
  let hasEnded = false
  const slow = async () => {
    await setTimeout(20)
    hasEnded = true
    return away()
  }
  const { reloads, made } = begin([slow])
  void reloads.run("a test")
  await reloads.close()
  t.ok(hasEnded)
  t.match(reloads.last, { retrying: false })
  await setTimeout(20)
  t.equal(made(), 1)
  const { reloads: waiting, made: attempts } = begin([away])
  await waiting.run("a test")
  await waiting.close()
  await setTimeout(20)
  t.equal(attempts(), 1)
})

t.test("a reload that comes while reloads close is refused, and changes nothing", async (t) => {
  const { reloads, made } = begin([() => setTimeout(20)])
  const [one, two] = [reloads.run("one"), reloads.run("two")]
  const closing = reloads.close()
  const late = await reloads.run("three")
  t.match(late, { result: "refused", reason: "the service is stopping", retrying: false })
  await closing
  for (const before of [await one, await two]) t.match(before, { result: "applied" })
  t.equal(made(), 2)
})
