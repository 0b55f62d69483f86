import t from "tap"
import {
  type Cause,
  causeOfDelay,
  causeOfStuck,
  wordsOf,
  worstCauses,
} from "../../../../plugins/capabilities/partners/causes.ts"
import type { SyncRow } from "../../../../plugins/capabilities/partners/definitions.ts"
import { voiced } from "../../../../plugins/capabilities/partners/voice.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

const now = 1_750_000_000
const walk = { poll_interval: 60, last_poll: now, walk_started: now, walk_completed: now }
const row = (own: Partial<SyncRow> = {}) =>
  emptyRow({ account_id: "a", event_id: "e", ...walk, ...own })

t.test("causeOfDelay tells apart why a list is behind", (t) => {
  const cases: readonly (readonly [Cause, Partial<SyncRow>, boolean?])[] = [
    ["late", {}],
    ["late", { since_from: now }],
    ["late", { last_poll: now - 180, walk_started: now - 180, since_from: now - 180 }],
    ["same page", { since_from: now - 1 }],
    ["same page", { since_from: now - 1, sent_until: now - 61 }],
    ["late", { since_from: now - 1, sent_until: now - 60 }],
    ["not read now", { last_poll: now - 181, walk_started: now - 181, since_from: now - 999 }],
    ["never read", { last_poll: null, walk_started: null }],
    ["skips", { since_from: now - 1 }, true],
    ["own time", { walk_since: now + 1, walk_completed: null }, true],
  ]
  for (const [cause, own, isSkipped = false] of cases) {
    t.equal(causeOfDelay(row(own), { isSkipped, polled: now }), cause, JSON.stringify(own))
  }
  t.end()
})

t.test("causeOfStuck goes by a since in the future, and by errors after the last page", (t) => {
  t.equal(causeOfStuck(row()), "no last page")
  t.equal(causeOfStuck(row({ error_at: now + 1 })), "errors")
  t.equal(
    causeOfStuck(row({ error_at: now + 1, walk_since: now + 1, walk_completed: null })),
    "own time",
  )
  t.end()
})

t.test("worstCauses names each once, and each has words for both", (t) => {
  t.strictSame(worstCauses(["part", "late", "errors", "late"]), ["errors", "late", "part"])
  const all: readonly Cause[] = ["not served", "own time", "skips", "no last page", "same page"]
  for (const cause of [...all, "never read", "not read now", "late", "own since"] as const) {
    const { why, advice } = wordsOf(cause)
    t.match(voiced(advice, "operator"), /^[a-z].*\.$/, cause)
    t.notMatch(voiced(`${why} ${advice}`, "partner"), /\bit\b|the partner|\[|\|/i, cause)
  }
  t.end()
})
