import t from "tap"
import { problems } from "../../../../core/http/problems.ts"
import { adviceFor } from "../../../../plugins/capabilities/partners/advice.ts"
import type { NoAccess } from "../../../../plugins/capabilities/partners/no-access.ts"
import type { PartnerHealth } from "../../../../plugins/capabilities/partners/partner-health.ts"
import { reasonOf, sinceOf } from "../../../../plugins/capabilities/partners/reasons.ts"
import { describeDuration } from "../../../../plugins/capabilities/partners/duration.ts"
import { health, now } from "../../../support/partner-health.ts"

const refused = { at: now - 9, code: null, requestId: null, ended: undefined, address: null }
const lastError = { at: now - 3600, status: 503, code: "unavailable", requestId: "r" }

t.test("describeDuration takes two units where one says little", (t) => {
  const spans = [-5, 119, 119.5, 7199, 7200, 7260, 48 * 3600 - 1, 48 * 3600, 71 * 3600]
  t.strictSame(spans.map(describeDuration), [
    ...["0 s", "119 s", "2 min", "119 min", "2 h", "2 h 1 min", "47 h 59 min"],
    ...["2 days", "2 days"],
  ])
  t.end()
})

t.test("adviceFor goes by the code, else by the kind of status", (t) => {
  const of = (status: number, code: string) => adviceFor({ status, code }).operator
  t.match(of(500, "new"), /^Search the log for/)
  t.match(of(499, "new"), /^Search the audit log .* tell the partner/)
  const own = Object.keys(problems).filter((code) => of(400, code) !== of(400, "new"))
  t.equal(own.length, 18)
  t.match(of(503, "unavailable"), /^The database did not respond/)
  t.end()
})

t.test("sinceOf goes by what is known of the state", (t) => {
  const none: NoAccess = {
    ...{ cause: "none", grant: null, others: 0, networks: null, ends: null, at: null, by: null },
    last: null,
  }
  const never = { lastPoll: null }
  const lost = (own: Partial<NoAccess>) => (
    { state: "no access", noAccess: { ...none, ...own } } as const
  )
  const network = "network" as const
  const cases: readonly (readonly [
    Partial<PartnerHealth>,
    number | null,
    Partial<Parameters<typeof sinceOf>[1]>?,
  ])[] = [
    [{ state: "locked out", refused }, now - 60],
    [{ state: "locked out", refused, ...never }, null],
    [{ state: "stuck", lastError }, 5, { stuckSince: 5, firstError: 4 }],
    [{ state: "stuck", lastError }, 4, { firstError: 4 }],
    [{ state: "stuck", lastError, ...never }, now - 3600],
    [{ state: "stuck", ...never }, null],
    [{ state: "silent", lastError }, now - 60],
    [{ state: "silent", lastError, ...never }, now - 3600],
    [{ state: "silent" }, now - 60],
    [{ state: "behind" }, 6, { behindFrom: 6 }],
    [{ state: "never polled", ...never }, 7],
    [lost({ cause: "withdrawn", at: 3 }), 3, { firstError: 5 }],
    [lost({}), 5, { firstError: 5 }],
    [lost({}), null],
    [lost({ cause: network, at: 3 }), 5, { firstError: 5 }],
    [lost({ cause: network, at: 3 }), 3, { firstError: 2 }],
    [lost({ cause: network }), null],
    [{ state: "partial" }, null],
    [{ state: "in sync" }, null],
    [{ state: "disabled" }, null],
  ]
  const unknown = { stuckSince: null, firstError: null, behindFrom: null, created: 7 }
  for (const [own, since, facts] of cases) {
    t.equal(sinceOf({ ...health, ...own }, { ...unknown, ...facts }), since, JSON.stringify(own))
  }
  t.end()
})

t.test("reasonOf says in one sentence why a partner is in its state", (t) => {
  const locked = { state: "locked out", refused } as const
  const tooMany = { ...refused, code: "too_many_log_ins" }
  const token = { kind: "token", reason: "revoked" } as const
  const session = { kind: "session", reason: null } as const
  const stuck = { state: "stuck", stuck: 2 } as const
  const failing = { ...stuck, causes: ["errors"] } as const
  const behind = { state: "behind", lists: 1, lag: 90 } as const
  const cases: readonly (readonly [Partial<PartnerHealth>, RegExp])[] = [
    [locked, /401: it logs in with a wrong password\.$/],
    [{ ...locked, refused: tooMany }, /401: it has logged in with a wrong password too often\.$/],
    [{ ...locked, refused: { ...refused, ended: null } }, /401: its session or token has ended\.$/],
    [{ ...locked, refused: { ...refused, ended: token } }, /401: its token was revoked\.$/],
    [{ ...locked, refused: { ...refused, ended: session } }, /401: its session has ended\.$/],
    [{ ...locked, tokens: 1 }, /; another one is still valid\.$/],
    [{ ...stuck, lastPoll: null }, /^It gets errors only\.$/],
    [{ ...stuck, lastPoll: null, lastError }, /^It .*; the last error was 503 unavailable\.$/],
    [{ ...stuck, causes: ["no last page"] }, /^2 of 3 lists cannot be completed\. It begins walks/],
    [
      { ...stuck, causes: ["own time"] },
      /completed\. It asks .* time of its own, in the future\.$/,
    ],
    [
      { ...stuck, causes: ["no last page"], lastError },
      /completed; the last error was 503 unavailable\.$/,
    ],
    [{ ...failing, lastError }, /completed; the last error was 503 unavailable\.$/],
    [{ ...failing, lastError: { ...lastError, at: now - 3601 } }, /cannot be completed\.$/],
    [{ ...failing, lastError, lastCompleted: now - 3600 }, /503 unavailable\.$/],
    [{ ...failing, lastError, lastCompleted: now - 3599 }, /cannot be completed\.$/],
    [{ state: "silent", since: now - 7200 }, /^It has not polled for 2 h\.$/],
    [
      { state: "silent", causes: ["not served"] },
      / no longer serves some of these paths: .* 404\.$/,
    ],
    [{ ...behind, behind: 1 }, /^1 of 1 list has changes .* behind by 90 s\.$/],
    [{ ...behind, behind: 2, causes: ["skips", "late"] }, /^2 of 2 lists have .* did not issue\.$/],
    [{ ...behind, causes: ["same page"] }, / It gets the same page again and again\.$/],
    [{ ...behind, causes: ["never read"] }, / It has never read deletions\.$/],
    [{ state: "never polled" }, /^It has read no list\.$/],
    [{ state: "never polled", sessions: 1, tokens: 1 }, /^It has a session, and/],
    [{ state: "never polled", tokens: 1 }, /^It has a token, and/],
    [
      { state: "partial", partial: 1, causes: ["part"] },
      /^It is .* has all of 1 of 3 lists\. It reads by/,
    ],
    [{}, /until its last poll at 2025-06-15T15:05:40Z\.$/],
    [{ state: "disabled" }, /^Its account is disabled\.$/],
  ]
  for (const [own, reason] of cases) t.match(reasonOf({ ...health, ...own }, now), reason)
  t.end()
})
