import t from "tap"
import { numbersOf } from "../../../core/kernel/numbers.ts"
import { testConfig } from "../../support/app.ts"

const plan = await testConfig("sqlite::memory:")

t.test("numbersOf returns the numbers of the configuration, and no secret", (t) => {
  t.strictSame(numbersOf(plan), {
    limits: { burst: 50, quota: 36_000, concurrent: 4, waiting: 100 },
    session: { lifetime: 43_200, idle: 604_800 },
    polling: {
      retention: 90 * 86_400,
      wait: 50,
      intervals: { running: 60, upcoming: 900, closed: 86_400 },
    },
    export: { records: 1_000_000, seconds: 120 },
    cursor: 86_400,
    search: 200,
  })
  t.end()
})

t.test("numbersOf returns an account's own numbers in place of those of everyone", (t) => {
  const accounts = { own: { burst: 10, poll_interval: 1200 } }
  const { limits, polling } = numbersOf({ ...plan, accounts }, "own")
  t.match(limits, { ...plan.limits, burst: 10 })
  t.strictSame(polling.intervals, { running: 1200, upcoming: 1200, closed: 86_400 })
  t.strictSame(numbersOf({ ...plan, accounts }, "constructor"), numbersOf(plan))
  t.end()
})
