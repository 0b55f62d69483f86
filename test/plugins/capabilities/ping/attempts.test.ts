import t from "tap"
import {
  judge,
  longestPauseAfter,
  pauseAfter,
} from "../../../../plugins/capabilities/ping/attempts.ts"

const [minute, hour, day] = [60, 3600, 86_400]

/** Returns the longest pauses until the last attempt. */
function pausesOf(isConfirmed: boolean): readonly number[] {
  const pauses: number[] = []
  for (;;) {
    const pause = longestPauseAfter(pauses.length + 1, isConfirmed)
    if (pause === undefined) return pauses
    pauses.push(Math.round(pause / 1.2))
  }
}

t.test("pauses grow for a day, and are daily for a week if the receiver has worked", async (t) => {
  const firstDay = [
    ...[5, 15, minute, 5 * minute, 15 * minute, 30 * minute],
    ...Array(23).fill(hour),
  ]
  t.strictSame(pausesOf(false), firstDay)
  t.strictSame(pausesOf(true), [...firstDay, ...Array(7).fill(day)])
})

t.test("pauses differ by a fifth at random, and never last longer than the longest", async (t) => {
  const after = (random: number) => pauseAfter(3, { isConfirmed: true, random: () => random })
  t.strictSame([0, 0.5, 1].map((random) => Math.round(after(random) ?? 0)), [48, 60, 72])
  t.equal(Math.round(longestPauseAfter(3, true) ?? 0), 72)
  t.equal(pauseAfter(37, { isConfirmed: true }), undefined)
  t.equal(pauseAfter(30, { isConfirmed: false }), undefined)
})

const delivered = { result: "delivered", status: 200 }
const noEcho = { result: "failed", status: 200, error: "no_echo" }
const outcomes: Readonly<Record<string, [outcome: Parameters<typeof judge>[0], object]>> = {
  "no answer": [{ failed: "timeout" }, { result: "failed", status: null, error: "timeout" }],
  "410": [{ status: 410, body: "" }, { result: "gone", status: 410, error: "status" }],
  "199": [{ status: 199, body: "" }, { result: "failed", status: 199, error: "status" }],
  "200": [{ status: 200, body: "" }, delivered],
  "299": [{ status: 299, body: "x" }, { result: "delivered", status: 299 }],
  "300": [{ status: 300, body: "" }, { result: "failed", status: 300, error: "status" }],
  "307": [{ status: 307, body: "" }, { result: "failed", status: 307, error: "status" }],
}
for (const [what, [outcome, attempt]] of Object.entries(outcomes)) {
  t.test(`judge says what comes of a ping that got ${what}`, async (t) => {
    t.strictSame(judge(outcome), attempt)
  })
}

t.test("judge takes a challenge for answered as plain text or as JSON only", async (t) => {
  const judged = (body: string, status = 200) => judge({ status, body }, ["v1,new", "v1,former"])
  for (const body of ["v1,new", " v1,former\n", '{"answer":"v1,new","x":1}']) {
    t.strictSame(judged(body), delivered, body)
  }
  for (const body of ["", "another", "xv1,new", '"v1,new"', '{"challenge":"v1,new"}', "null"]) {
    t.strictSame(judged(body), noEcho, body)
  }
  t.match(judged("v1,new", 500), { result: "failed", error: "status" })
})
