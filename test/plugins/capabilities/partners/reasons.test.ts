import t from "tap"
import { problems } from "../../../../core/http/problems.ts"
import { adviceFor } from "../../../../plugins/capabilities/partners/advice.ts"
import type { NoAccess } from "../../../../plugins/capabilities/partners/no-access.ts"
import type { PartnerHealth } from "../../../../plugins/capabilities/partners/partner-health.ts"
import { reasonOf, sinceOf } from "../../../../plugins/capabilities/partners/reasons.ts"
import { formatMoment } from "../../../../core/data/time.ts"
import { describeDuration } from "../../../../plugins/capabilities/partners/duration.ts"
import { health, now } from "../../../support/partner-health.ts"

const refused = { at: now - 9, code: null, requestId: null, session: null, address: null }
const lastError = { at: now - 3600, status: 503, code: "unavailable", requestId: "r" }

t.test("describeDuration takes two units where one says little", (t) => {
  const spans = [-5, 0.4, 119, 119.5, 7199, 7200, 7260, 48 * 3600 - 1, 48 * 3600, 71 * 3600]
  t.strictSame(spans.map(describeDuration), [
    ...["0 s", "0 s", "119 s", "2 min", "119 min", "2 h", "2 h 1 min", "47 h 59 min"],
    ...["2 days", "2 days"],
  ])
  t.strictSame([null, 0, now].map(formatMoment), [
    "never",
    "1970-01-01T00:00:00Z",
    "2025-06-15T15:06:40Z",
  ])
  t.end()
})

t.test("adviceFor goes by the code, else by the kind of status", (t) => {
  t.match(adviceFor({ status: 503, code: "unavailable" }), /^The database did not respond/)
  t.match(adviceFor({ status: 500, code: "new" }), /^Search the log for/)
  t.match(adviceFor({ status: 599, code: "new" }), /^Search the log for/)
  const usual = ["new", "newer"].map((code) => adviceFor({ status: 400, code }))
  const own = Object.keys(problems).map((code) => adviceFor({ status: 400, code }))
    .filter((advice) => !usual.includes(advice))
  t.equal(new Set(own).size, 17)
  for (const advice of own) t.match(advice, /^[A-Z].*\.$/)
  t.match(adviceFor({ status: 499, code: "new" }), /^Search the audit log .* tell the partner/)
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
    [{ state: "locked out", refused, ...never }, now - 9],
    [{ state: "locked out", ...never }, null],
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
  const ended = { ...refused, session: "s" }
  const stuck = { state: "stuck", stuck: 2 } as const
  const last = "; the last one was 503 unavailable."
  const alike = "2 of 3 lists cannot be completed"
  const behind = { state: "behind", lists: 1, lag: 90 } as const
  const furthest = "changes that it has not fetched, the furthest since 90 s ago."
  const cases: readonly (readonly [Partial<PartnerHealth>, string])[] = [
    [locked, "Requests are refused with 401: its log-in was refused."],
    [
      { ...locked, refused: ended, sessions: 1 },
      "Requests are refused with 401: its session has ended; another session is still open.",
    ],
    [{ ...stuck, lastPoll: null }, "It gets errors only."],
    [{ ...stuck, lastPoll: null, lastError }, `It gets errors only${last}`],
    [stuck, `${alike}; there were no errors.`],
    [{ ...stuck, ahead: 1 }, `It asks for changes since a time in the future. ${alike}.`],
    [{ ...stuck, lastError }, `${alike}${last}`],
    [{ ...stuck, lastError: { ...lastError, at: now - 3601 } }, `${alike}; there were no errors.`],
    [{ ...stuck, lastError, lastCompleted: now - 3600 }, `${alike}${last}`],
    [{ ...stuck, lastError, lastCompleted: now - 3599 }, `${alike}.`],
    [{ state: "silent", since: now - 7200 }, "It has sent no request for 2 h."],
    [{ state: "silent" }, "It has sent no request for 0 s."],
    [{ ...behind, behind: 1 }, `1 of 1 list has ${furthest}`],
    [{ ...behind, behind: 2 }, `2 of 2 lists have ${furthest}`],
    [
      { ...behind, behind: 1, skipping: 1, ahead: 1 },
      `1 of 1 list has ${furthest} It asks for changes since times that it was not given. ` +
      "It asks for changes since a time in the future.",
    ],
    [{ state: "never polled" }, "It has read no list."],
    [{ state: "never polled", sessions: 1 }, "It has a session, and has read no list."],
    [
      { state: "partial", unreadEvents: 1 },
      "What it reads whole is in sync. 1 event that is not over it does not read.",
    ],
    [{}, `It has everything that changed until its last poll at ${formatMoment(now - 60)}.`],
    [{ state: "disabled" }, "Its account is disabled."],
  ]
  for (const [own, reason] of cases) t.equal(reasonOf({ ...health, ...own }, now), reason)
  t.end()
})
