import { test } from "tap"
import { tellFailure } from "./tell-failure.ts"

const report = {
  seed: 7,
  took: 1,
  plan: [{ steps: [{ at: 0, step: "partner-b polls", seed: 1 }], pause: 0 }],
  violation: "no record is lost: guest 1",
  trace: "",
  traceLines: [],
  counts: { days: 1, requests: 1, statements: 1, steps: 1 },
}

test("tellFailure says what fails, what happened, and how to run it again", (t) => {
  const text = tellFailure({ ...report, story: ["0d 00:00:00.001 partner-b polls"] }, {
    seed: 7,
    days: 2,
  })
  t.match(text, "seed 7 fails after 1 steps: no record is lost: guest 1")
  t.match(text, "partner-b polls")
  t.match(text, "make simulate SEED=7 DAYS=2")
  t.end()
})

test("tellFailure takes at most 40 lines, the beginning and the end of the story", (t) => {
  const story = Array.from({ length: 500 }, (_, index) => `line ${index} ${"x".repeat(300)}`)
  const violation = Array.from({ length: 30 }, (_, index) => `frame ${index}`).join("\n")
  const lines = tellFailure({ ...report, story, violation }, { seed: 7, days: 2 }).split("\n")
  t.ok(lines.length <= 40, `${lines.length} lines`)
  t.ok(lines.every((line) => line.length <= 160))
  t.match(lines.join("\n"), /line 0 [\s\S]*more lines[\s\S]*line 499 /)
  t.end()
})
