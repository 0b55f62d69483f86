import t from "tap"
import {
  daysUntilResync,
  type PartnerFacts,
  stateOfPartner,
} from "../../../../plugins/capabilities/partners/definitions.ts"

const now = 1_750_000_000
const aDay = 86_400

const facts: PartnerFacts = {
  now,
  isDisabled: false,
  hasNoAccess: false,
  refused: null,
  lastPoll: now - 10,
  lastError: null,
  lastLogIn: null,
  silentFrom: [now + 3590],
  stuck: 0,
  behind: 0,
  partial: 0,
}

t.test("stateOfPartner takes the first state that applies", (t) => {
  const of = (own: Partial<PartnerFacts>) => stateOfPartner({ ...facts, ...own })
  t.equal(of({}), "in sync")
  t.equal(of({ partial: 1 }), "partial")
  t.equal(of({ behind: 1, partial: 1 }), "behind")
  t.equal(of({ behind: 1, stuck: 1 }), "stuck")
  t.equal(of({ lastPoll: now - 9999, silentFrom: [now - 1], stuck: 1 }), "silent")
  t.equal(of({ lastPoll: null, silentFrom: [] }), "never polled")
  t.equal(of({ lastPoll: null, silentFrom: [], lastError: now - 5 }), "stuck")
  t.equal(of({ lastPoll: null, silentFrom: [], lastError: now - 3601 }), "never polled")
  t.equal(of({ lastPoll: null, silentFrom: [], lastError: now - 3600 }), "stuck")
  t.equal(of({ refused: now - 10 }), "in sync", "within the same second")
  t.equal(of({ refused: now - 9, stuck: 1 }), "locked out")
  t.equal(of({ refused: now - 11 }), "in sync", "it was answered since")
  t.equal(of({ refused: now - 9, lastLogIn: now - 5 }), "in sync", "it has logged in since")
  t.equal(of({ refused: now - 9, lastError: now - 5 }), "in sync", "another error needs a session")
  t.equal(of({ refused: now - 9, isDisabled: true }), "disabled")
  const hasNoAccess = true
  t.equal(of({ hasNoAccess, stuck: 1, behind: 1 }), "no access")
  t.equal(of({ hasNoAccess, lastPoll: now - 9999, silentFrom: [now - 1] }), "no access")
  t.equal(of({ hasNoAccess, lastPoll: null, lastError: now - 9 }), "no access")
  t.equal(of({ hasNoAccess, isDisabled: true, refused: now - 9 }), "no access")
  t.equal(of({ hasNoAccess, refused: now - 9 }), "locked out")
  t.end()
})

t.test("stateOfPartner takes a partner for silent by the lists that it still read in the end", (t) => {
  const of = (own: Partial<PartnerFacts>) => stateOfPartner({ ...facts, ...own })
  const lastPoll = now - 2 * 3600
  t.equal(of({ lastPoll, silentFrom: [lastPoll + 3600, lastPoll + 3 * aDay] }), "silent")
  const closed = { lastPoll, silentFrom: [lastPoll - 1, lastPoll + 3 * aDay] }
  const failing = { lastPoll, lastError: now - 3600, silentFrom: [now - 3601, now] }
  t.equal(of(failing), "in sync", "an error is a request")
  t.equal(of({ ...failing, silentFrom: [now - 3600] }), "in sync")
  t.equal(of({ ...failing, silentFrom: [now - 3599] }), "silent")
  t.equal(of(closed), "in sync", "it had given the first list up, and polls the other once a day")
  t.end()
})

t.test("daysUntilResync counts from what is remembered, and from a restore only for who polled before it", (t) => {
  const retention = 90 * aDay
  const days = (ago: number, completeSince: number) =>
    daysUntilResync(now - ago * aDay, { completeSince, now, retention })
  t.equal(days(1, now - 90 * aDay), 89)
  t.equal(days(91, now - 90 * aDay), -1)
  t.equal(days(0, now), 90, "a database that was made or restored a moment ago")
  t.equal(days(1, now), -1, "its next poll gets 410")
  t.end()
})
