import t from "tap"
import { problems } from "../../../../core/http/problems.ts"
import { worstFirst } from "../../../../plugins/capabilities/partners/definitions.ts"
import {
  adviseOwn,
  describeOwn,
} from "../../../../plugins/capabilities/partners/own/own-sentences.ts"
import type { OwnReport } from "../../../../plugins/capabilities/partners/own/read-own.ts"
import type { NoAccess } from "../../../../plugins/capabilities/partners/no-access.ts"
import type { PartnerHealth } from "../../../../plugins/capabilities/partners/partner-health.ts"
import { health, now } from "../../../support/partner-health.ts"

const aDay = 86_400

const noAccess: NoAccess = {
  ...{
    cause: "ended" as const,
    grant: "event e",
    others: 0,
    networks: ["192.0.2.0/24"],
    ends: null,
  },
  ...{ at: now - aDay, by: "operator-ann", last: { at: now, address: "203.0.113.9" } },
}

/** Returns what a partner is told whose health and other facts differ from those of one that is in sync. */
function told(own: Partial<PartnerHealth>, more: Partial<OwnReport> = {}) {
  const day = { polls: 0, records: 0, errors: 0 }
  const facts = { at: now, lists: [], grants: [], day, last: null }
  return describeOwn({ health: { ...health, ...own }, ...facts, ...more })
}

t.test("describeOwn tells a partner each state, since when, and what to do", (t) => {
  const at = (seconds: number) => new Date(seconds * 1000).toISOString().replace(".000", "")
  const since = now - 7200
  const span = `since ${at(since)} (2 h)`
  const error = { at: now - 60, status: 404, code: "event_not_found", requestId: "r-1" }
  const refused = {
    at: now - 60,
    code: null,
    requestId: "r-2",
    session: "s",
    address: "203.0.113.9",
  }
  const states: readonly [Partial<PartnerHealth>, string, string][] = [
    [
      {},
      `You are in sync: you have everything that changed until your last poll at ${at(now - 60)}.`,
      "Nothing.",
    ],
    [
      { state: "partial", partial: 1, unreadEvents: 2 },
      "The lists that you read whole are in sync. The service cannot tell whether you have all of 1 of 3 lists: you " +
      "read only a part, by category or search; have not finished your first walk; began with a since of your own; or " +
      "repeat the same request. You do not read 2 of your events that have not ended.",
      "Nothing, if you need no more. Else read these lists whole, from since=-1 on.",
    ],
    [
      { state: "behind", since, lag: 7200, behind: 1 },
      "You are behind by 2 h: 1 of 3 lists has changes that you have not fetched.",
      "Poll again. If that does not help, see whether your program reads each walk to its last page.",
    ],
    [
      { state: "behind", lag: 7200, behind: 2, skipping: 1, ahead: 1 },
      "You are behind by 2 h: 2 of 3 lists have changes that you have not fetched. You ask for changes since times " +
      "that you were not given. You ask for changes since a time in the future.",
      "Send the Next-Since of your last complete walk as since, not a time of your own; and read these lists once " +
      "with since=-1.",
    ],
    [
      { state: "stuck", since, stuck: 2 },
      `You have been stuck ${span}: 2 of 3 lists cannot be completed.`,
      "Follow the links to the last page, and keep Next-Since only then.",
    ],
    [
      { state: "stuck", since, stuck: 2, ahead: 1 },
      `You have been stuck ${span}: 2 of 3 lists cannot be completed. You ask for changes since a time in the future.`,
      "Send the Next-Since of your last complete walk as since, not a time of your own.",
    ],
    [
      { state: "stuck", since, stuck: 1, lastPoll: null, lastError: error },
      `You get errors only ${span}; the last one was 404 event_not_found.`,
      "Compare the id with your list of events. If you should read it, ask the operator.",
    ],
    [
      { state: "silent", since },
      `You have been silent ${span}: no request for a list has arrived.`,
      "See whether your program runs: its requests do not arrive here.",
    ],
    [
      { state: "never polled", since },
      "You have read no list yet.",
      "Read the guide's first page: it has your first request.",
    ],
    [
      { state: "locked out", since, refused },
      `Your program is locked out ${span}: its requests are refused with 401, because its session or token has ended.`,
      "Log in again, or make a token for your program.",
    ],
    [
      { state: "no access", since, noAccess },
      `You can read nothing ${span}: your grant for event e has ended at ${at(now - aDay)}.`,
      "Ask the operator, or stop your program.",
    ],
    [
      { state: "no access", since, noAccess: { ...noAccess, cause: "network" } },
      `You can read nothing ${span}: your grant for event e does not count from 203.0.113.9, where your last request ` +
      "came from.",
      "Ask the operator to let you read from 203.0.113.9, or send your requests from where you did before.",
    ],
    [
      { state: "no access", since, noAccess: { ...noAccess, cause: "unknown", grant: null } },
      `You can read nothing ${span}: you have no grant now.`,
      "Ask the operator, or stop your program.",
    ],
    [{ state: "disabled" }, "Your account is disabled.", "Ask the operator."],
  ]
  for (const [own, state, toDo] of states) {
    const { state: said, toDo: advised } = told(own)
    t.equal(said, state)
    t.equal(advised, toDo)
  }
  const named = new Set(states.map(([{ state = "in sync" }]) => state))
  t.strictSame(worstFirst.filter((state) => !named.has(state)), [])
  t.end()
})

t.test("describeOwn names neither those who changed something nor the networks of a grant", (t) => {
  for (const cause of ["network", "ended", "withdrawn", "none", "unknown", "disabled"] as const) {
    const text = JSON.stringify(told({ state: "no access", noAccess: { ...noAccess, cause } }))
    t.notMatch(text, /operator-ann|192\.0\.2/, cause)
  }
  t.end()
})

t.test("describeOwn also tells of refusals, deletions, the next 410 and grants that end", (t) => {
  const refused = {
    at: now - 100,
    code: null,
    requestId: "r-1",
    session: null,
    address: "203.0.113.9",
  }
  t.strictSame(told({ refused }).more, [
    "A log-in was refused at 2025-06-15T15:05:00Z from 203.0.113.9, request id r-1.",
  ])
  t.strictSame(
    told({ refused: { ...refused, session: "s", requestId: null, address: null } }).more,
    [
      "A request with a session or token that has ended was refused at 2025-06-15T15:05:00Z.",
    ],
  )
  t.strictSame(told({ refused: { ...refused, at: now - 8 * aDay } }).more, [])
  t.strictSame(told({ daysUntilResync: 1.5, deletionsWaiting: 1 }).more, [
    "If you poll neither deletions nor the feed, you get 410 on 2025-06-17 at the earliest, and must read everything again.",
    "You have not fetched 1 deletion.",
  ])
  t.strictSame(
    told({ daysUntilResync: -0.1, deletionsWaiting: 100, moreDeletionsWaiting: true }).more,
    [
      "What was deleted after your last poll is forgotten: the next one of deletions or of the feed gets 410, " +
      "which says how to begin again.",
      "You have not fetched 100 or more deletions.",
    ],
  )
  const grants = [{ target: "acme", ends: now - 60 }, { target: "e", ends: now + aDay }]
  t.strictSame(told({}, { grants }).more, [
    "Your grant for acme has ended at 2025-06-15T15:05:40Z.",
    "Your grant for e ends at 2025-06-16T15:06:40Z.",
  ])
  t.end()
})

t.test("adviseOwn has a sentence for each code, and none tells a partner what only the operator can do", (t) => {
  for (const code of Object.keys(problems)) {
    t.match(adviseOwn({ code }), /^[A-Z].*\.$/, code)
    t.notMatch(adviseOwn({ code }), /event-export|\bIt\b|\bthe partner\b/, code)
  }
  t.equal(adviseOwn({ code: "new" }), "Ask the operator, and tell them the request id.")
  t.equal(
    adviseOwn({ code: "invalid_parameter", parameters: "limit" }),
    "Correct the parameter limit.",
  )
  t.match(adviseOwn({ code: "invalid_parameter", parameters: "since" }), /^Send the Next-Since/)
  t.end()
})
