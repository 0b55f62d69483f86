import t from "tap"
import { problems } from "../../../../core/http/problems.ts"
import type { NoAccess } from "../../../../plugins/capabilities/partners/no-access.ts"
import { adviceFor } from "../../../../plugins/capabilities/partners/advice.ts"
import { describeOwn } from "../../../../plugins/capabilities/partners/sentences.ts"
import type { OwnReport } from "../../../../plugins/capabilities/partners/own/read-own.ts"
import type { PartnerHealth } from "../../../../plugins/capabilities/partners/partner-health.ts"
import { health, now } from "../../../support/partner-health.ts"

const aDay = 86_400
const address = "203.0.113.9"

const noAccess: NoAccess = {
  ...{ cause: "ended", grant: "event e", others: 0, networks: ["192.0.2.0/24"], ends: null },
  ...{ at: now - aDay, by: "operator-ann", last: { at: now, address } },
}
const lastError = { at: now - 60, status: 404, code: "event_not_found", requestId: "r-1" }
const refused = { at: now - 60, code: null, requestId: "r-2", ended: null, address }
const wrongPassword = { ...refused, ended: undefined }

/** What is known besides the health of a partner that is in sync, and what it is told. */
type Row = readonly [own: Partial<PartnerHealth>, told: RegExp, more?: Partial<OwnReport>]

const behind = { state: "behind", lag: 7200 } as const
const stuck = { state: "stuck", stuck: 2, causes: ["errors"], since: now - 7200 } as const
const lost = { state: "no access", since: now - 7200, noAccess } as const
const grants = [{ target: "acme", ends: now }, { target: "e", ends: now + 1 }]

const rows: readonly Row[] = [
  [{}, /^You are in sync\. .* your last poll at 2025-06-15T15:05:40Z\.\nWhat to do: nothing\.$/],
  [
    { state: "partial", partial: 1, causes: ["same since"] },
    /^Your copy may be incomplete\. It is .* all of 1 of 3 lists\. You send the same .*\n.* do not read 2 of your events .*\n.* no more/,
    { unreadEvents: 2 },
  ],
  [{ ...behind, behind: 1 }, /^You are behind by 2 h\. 1 of 3 lists has .*\.\n.*: wait for your/],
  [
    { ...behind, behind: 2, causes: ["skips"] },
    /2 of 3 lists have .* You send .* did not issue\.\n.*: send .* with since=-1/,
  ],
  [{ ...behind, causes: ["own time"] }, /You ask .* in the future\.\n.*: send .* with since=-1/],
  [{ ...behind, causes: ["not read now"] }, /: read these lists again\./],
  [{ ...behind, causes: ["never read"] }, /You have never read deletions\.\n.*: read the lists of/],
  [stuck, /^You have been stuck since \S+ \(2 h\)\. 2 of 3 lists .*\n.*: follow the links/],
  [
    { ...stuck, since: null, causes: ["own time"], lastError },
    /^You are stuck\. .* future\.\n.*: send the/,
  ],
  [{ ...stuck, lastError }, /: Compare the id with your list of events/],
  [
    { ...stuck, lastPoll: null, lastError },
    /You get errors only; the last error was 404 event_not_found\./,
  ],
  [
    { state: "silent" },
    /^You are silent\. You have not polled .*\n.*: see whether your program runs/,
  ],
  [{ state: "never polled" }, /^You have never polled\. You have read no list\.\n.* guide/],
  [{ state: "locked out", refused }, /401: your session or token has ended\.\n[^]*: log in again/],
  [{ state: "locked out", refused: wrongPassword }, /401: you log in with a wrong password\./],
  [
    lost,
    /^You have had no access since .* Your grant for event e has ended at .*\n.*: ask the operator/,
  ],
  [
    { ...lost, noAccess: { ...noAccess, cause: "network" } },
    /valid from 203\.0\.113\.9, where your last .*\.\n.* from 203/,
  ],
  [{ ...lost, noAccess: { ...noAccess, cause: "unknown" } }, /You have no grant\.\n.*: ask/],
  [
    { state: "disabled" },
    /^You are disabled\. Your account is disabled\.\n.*: ask the operator\.$/,
  ],

  [
    { refused },
    /\nA request with a session or token .* at \S+ from 203\.0\.113\.9, request id r-2\.\n/,
  ],
  [{ refused: { ...wrongPassword, requestId: null, address: null } }, /\nA log-in .* at \S+Z\.\n/],
  [{ refused: { ...refused, at: now - 7 * aDay - 1 } }, /^(?!.*refused)/s],
  [{ daysUntilResync: 1.5, deletionsWaiting: 1 }, /you get 410 in 1 days .*\n1 deletion has not/],
  [{ daysUntilResync: 0 }, /\nWhat was deleted after your last since is forgotten/],
  [{}, /\nYour grant for acme has ended at \S+\nYour grant for e ends at \S+\n/, { grants }],
]

/** Returns all that a partner is told. */
function told(own: Partial<PartnerHealth>, more: Partial<OwnReport> = {}): string {
  const facts = { at: now, lists: [], grants: [], unreadEvents: 0 }
  return describeOwn({ health: { ...health, ...own }, ...facts, ...more }).join("\n")
}

t.test("describeOwn tells a partner its state, what else matters now, and what to do", (t) => {
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

t.test("adviceFor has a sentence for each code, and tells a partner nothing that only the operator can do", (t) => {
  for (const code of [...Object.keys(problems), "new"]) {
    t.match(adviceFor({ code }).partner, /^[A-Z].*\.$/, code)
    t.notMatch(adviceFor({ code }).partner, /event-export|\bIt\b|\bthe partner\b/, code)
  }
  const wrong = (parameters: string) => adviceFor({ code: "invalid_parameter", parameters }).partner
  t.equal(wrong("limit"), "Correct the parameter limit.")
  t.match(wrong("since"), /^Send the Next-Since/)
  t.end()
})
