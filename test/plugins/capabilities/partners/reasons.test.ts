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
  const facts = { stuckSince: null, firstError: null, behindFrom: null, created: 7 }
  const of = (own: Partial<PartnerHealth>, more: Partial<Parameters<typeof sinceOf>[1]> = {}) =>
    sinceOf({ ...health, ...own }, { ...facts, ...more })
  const never = { lastPoll: null }
  t.equal(of({ state: "locked out", refused }), now - 60)
  t.equal(of({ state: "locked out", refused, ...never }), now - 9)
  t.equal(of({ state: "locked out", ...never }), null)
  t.equal(of({ state: "stuck", lastError }, { stuckSince: 5 }), 5)
  t.equal(of({ state: "stuck", lastError }, { firstError: 4 }), 4)
  t.equal(of({ state: "stuck", lastError, ...never }), now - 3600)
  t.equal(of({ state: "stuck", ...never }), null)
  t.equal(of({ state: "silent", lastError }), now - 60)
  t.equal(of({ state: "silent", lastError, ...never }), now - 3600)
  t.equal(of({ state: "silent" }), now - 60)
  t.equal(of({ state: "behind" }, { behindFrom: 6 }), 6)
  t.equal(of({ state: "never polled", ...never }), 7)
  t.equal(of({ state: "partial" }), null)
  const noAccess = (own: Partial<NoAccess>, firstError: number | null = null) => {
    const all: NoAccess = {
      ...{ cause: "none", grant: null, others: 0, networks: null, ends: null, at: null, by: null },
      ...{ last: null, ...own },
    }
    return of({ state: "no access", noAccess: all }, { firstError })
  }
  t.equal(noAccess({ cause: "withdrawn", at: 3 }, 5), 3)
  t.equal(noAccess({}, 5), 5)
  t.equal(noAccess({}), null)
  t.equal(noAccess({ cause: "network", at: 3 }, 5), 5)
  t.equal(noAccess({ cause: "network", at: 3 }, 2), 3)
  t.equal(noAccess({ cause: "network" }), null)
  t.equal(of({ state: "in sync" }), null)
  t.equal(of({ state: "disabled" }), null)
  t.end()
})

t.test("reasonOf says in one sentence why a partner is in its state", (t) => {
  const of = (own: Partial<PartnerHealth>) => reasonOf({ ...health, ...own }, now)
  const locked = { state: "locked out", refused } as const
  t.equal(of(locked), "Requests are refused with 401: its log-in was refused.")
  t.equal(
    of({ ...locked, refused: { ...refused, session: "s" }, sessions: 1 }),
    "Requests are refused with 401: its session has ended; another session is still open.",
  )
  const stuck = { state: "stuck", stuck: 2 } as const
  t.equal(of({ ...stuck, lastPoll: null }), "It gets errors only.")
  const text = "; the last one was 503 unavailable."
  t.equal(of({ ...stuck, lastPoll: null, lastError }), `It gets errors only${text}`)
  t.equal(of(stuck), "2 of 3 lists cannot be completed; there were no errors.")
  t.equal(of({ ...stuck, lastError }), `2 of 3 lists cannot be completed${text}`)
  const earlier = { ...lastError, at: now - 3601 }
  t.equal(of({ ...stuck, lastError: earlier }), of(stuck))
  const completed = (lastCompleted: number) => of({ ...stuck, lastError, lastCompleted })
  t.equal(completed(now - 3600), `2 of 3 lists cannot be completed${text}`)
  t.equal(completed(now - 3599), "2 of 3 lists cannot be completed.")
  t.equal(of({ state: "silent", since: now - 7200 }), "It has sent no request for 2 h.")
  t.equal(of({ state: "silent" }), "It has sent no request for 0 s.")
  t.equal(
    of({ state: "behind", behind: 1, lists: 1, lag: 90 }),
    "1 of 1 list has changes that it has not fetched, the furthest since 90 s ago.",
  )
  t.equal(
    of({ state: "behind", behind: 2, lists: 1, lag: 90 }),
    "2 of 2 lists have changes that it has not fetched, the furthest since 90 s ago.",
  )
  t.equal(of({ state: "never polled" }), "It has read no list.")
  t.equal(of({ state: "never polled", sessions: 1 }), "It has a session, and has read no list.")
  t.equal(
    of({}),
    `It has everything that changed until its last poll at ${formatMoment(now - 60)}.`,
  )
  t.equal(of({ state: "disabled" }), "Its account is disabled.")
  t.end()
})
