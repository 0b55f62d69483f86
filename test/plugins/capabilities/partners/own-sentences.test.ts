import t from "tap"
import { problems } from "../../../../core/http/problems.ts"
import type { NoAccess } from "../../../../plugins/capabilities/partners/no-access.ts"
import {
  adviseOwn,
  describeOwn,
} from "../../../../plugins/capabilities/partners/own/own-sentences.ts"
import type { OwnReport } from "../../../../plugins/capabilities/partners/own/read-own.ts"
import type { PartnerHealth } from "../../../../plugins/capabilities/partners/partner-health.ts"
import { health, list, now } from "../../../support/partner-health.ts"

const aDay = 86_400
const address = "203.0.113.9"

const noAccess: NoAccess = {
  ...{ cause: "ended", grant: "event e", others: 0, networks: ["192.0.2.0/24"], ends: null },
  ...{ at: now - aDay, by: "operator-ann", last: { at: now, address } },
}
const lastError = { at: now - 60, status: 404, code: "event_not_found", requestId: "r-1" }
const refused = { at: now - 60, code: null, requestId: "r-2", session: "s", address }
const wrongPassword = { ...refused, session: null }

/** What is known besides the health of a partner that is in sync, and what it is told. */
type Row = readonly [own: Partial<PartnerHealth>, told: RegExp, more?: Partial<OwnReport>]

const behind = { state: "behind", lag: 7200 } as const
const stuck = { state: "stuck", stuck: 2, since: now - 7200 } as const
const lost = { state: "no access", since: now - 7200, noAccess } as const
const grants = [{ target: "acme", ends: now }, { target: "e", ends: now + 1 }]

const rows: readonly Row[] = [
  [{}, /^You are in sync: .* your last poll at 2025-06-15T15:05:40Z\.\nNothing\.$/],
  [
    { state: "partial", partial: 1, unreadEvents: 2 },
    /in sync\. .* 1 of 3 lists: .* read 2 of your/,
  ],
  [
    { state: "partial", partial: 3 },
    /^The service cannot .* all of what you read: [^]*\nNothing, if/,
  ],
  [{ ...behind, behind: 1 }, /^You are behind by 2 h: 1 of 3 lists has .*\.\nPoll again\./],
  [
    { ...behind, behind: 2, skipping: 1 },
    /2 of 3 lists have .* not given\.\nSend .* with since=-1/,
  ],
  [{ ...behind, ahead: 1 }, /in the future\.\nSend .* with since=-1/],
  [behind, /\nPoll these lists again\./, { lists: [{ ...list, lastPoll: now - 241 }] }],
  [stuck, /^You have been stuck since \S+ \(2 h\): 2 of 3 lists .*\nFollow the links/],
  [
    { ...stuck, since: null, ahead: 1, lastError },
    /^You are stuck: .* future\.\nSend the Next-Since/,
  ],
  [{ ...stuck, lastError }, /\nCompare the id with your list of events/],
  [{ ...stuck, lastPoll: null, lastError }, /^You get errors only .* was 404 event_not_found\./],
  [{ state: "silent" }, /^You are silent: .*\nSee whether your program runs/],
  [{ state: "never polled" }, /^You have read no list yet\.\nRead the guide/],
  [{ state: "locked out", refused }, /401, because its session or token has ended\.\nLog in again/],
  [{ state: "locked out", refused: wrongPassword }, /401, because its log-in was refused\./],
  [lost, /^You can read nothing since .* grant for event e has ended at .*\nAsk the operator/],
  [
    { ...lost, noAccess: { ...noAccess, cause: "network" } },
    /from 203\.0\.113\.9, .*\n.* from 203/,
  ],
  [{ ...lost, noAccess: { ...noAccess, cause: "none" } }, /you have no grant now\.\nAsk/],
  [{ state: "disabled" }, /^Your account is disabled\.\nAsk the operator\.$/],

  [
    { refused },
    /\nA request with a session or token .* at \S+ from 203\.0\.113\.9, request id r-2\.$/,
  ],
  [{ refused: { ...wrongPassword, requestId: null, address: null } }, /\nA log-in .* at \S+Z\.$/],
  [{ refused: { ...refused, at: now - 7 * aDay - 1 } }, /\nNothing\.$/],
  [
    { daysUntilResync: 1.5, deletionsWaiting: 1 },
    /410 on 2025-06-17 .*\n.* not fetched 1 deletion\.$/,
  ],
  [{ daysUntilResync: 0 }, /\nWhat was deleted after your last poll is forgotten/],
  [{ deletionsWaiting: 1, moreDeletionsWaiting: true }, /not fetched 1 or more deletions\.$/],
  [{}, /\nYour grant for acme has ended at \S+\nYour grant for e ends at \S+$/, { grants }],
]

/** Returns all that a partner is told. */
function told(own: Partial<PartnerHealth>, more: Partial<OwnReport> = {}): string {
  const day = { polls: 0, records: 0, errors: 0 }
  const facts = { at: now, lists: [], grants: [], day, last: null }
  const { state, toDo, more: others } = describeOwn({
    health: { ...health, ...own },
    ...facts,
    ...more,
  })
  return [state, toDo, ...others].join("\n")
}

t.test("describeOwn tells a partner its state, what to do, and what else matters now", (t) => {
  for (const [own, expected, more] of rows) t.match(told(own, more), expected, String(expected))
  t.end()
})

t.test("describeOwn names neither those who changed something nor the networks of a grant", (t) => {
  for (const cause of ["network", "ended", "withdrawn", "none", "unknown", "disabled"] as const) {
    const text = told({ state: "no access", noAccess: { ...noAccess, cause } })
    t.notMatch(text, /operator-ann|192\.0\.2/, cause)
  }
  t.end()
})

t.test("adviseOwn has a sentence for each code, and none tells a partner what only the operator can do", (t) => {
  for (const code of [...Object.keys(problems), "new"]) {
    t.match(adviseOwn({ code }), /^[A-Z].*\.$/, code)
    t.notMatch(adviseOwn({ code }), /event-export|\bIt\b|\bthe partner\b/, code)
  }
  const wrong = (parameters: string) => adviseOwn({ code: "invalid_parameter", parameters })
  t.equal(wrong("limit"), "Correct the parameter limit.")
  t.match(wrong("since"), /^Send the Next-Since/)
  t.end()
})
