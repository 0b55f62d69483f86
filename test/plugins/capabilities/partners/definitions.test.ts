import t from "tap"
import {
  daysUntilResync,
  type PartnerFacts,
  stateOfPartner,
} from "../../../../plugins/capabilities/partners/definitions.ts"
import {
  counts,
  isBehind,
  isStuck,
  silentFrom,
  stateOfList,
} from "../../../support/list-definitions.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

const now = 1_750_000_000
const aDay = 86_400

/** A list that is polled every minute; its last walk was completed ten seconds ago. */
function row(own: Partial<Parameters<typeof emptyRow>[0]> = {}) {
  return emptyRow({
    account_id: "a",
    event_id: "e",
    last_poll: now - 10,
    poll_interval: 60,
    walk_started: now - 10,
    walk_completed: now - 10,
    completed_next: now - 12,
    ...own,
  })
}

t.test("isBehind gives the partner an interval and a minute from the end of what it has", (t) => {
  const late = row({ completed_next: now - 5000 })
  t.notOk(isBehind(late, null, now), "nothing has changed ever")
  t.ok(isBehind(late, now, now), "the newest change says nothing about older ones")
  t.notOk(isBehind(row({ completed_next: now - 119 }), now, now))
  t.ok(isBehind(row({ completed_next: now - 120 }), now, now))
  t.notOk(isBehind(row({ completed_next: now - 959, poll_interval: 900 }), now, now))
  t.ok(isBehind(late, now - 5000, now), "a change of the second that the walk covers up to")
  t.notOk(isBehind(late, now - 5001, now))
  const begun = { walk_completed: null, completed_next: null, first_started: now - 120 }
  t.ok(isBehind(row(begun), now - 9999, now))
  t.notOk(isBehind(emptyRow({ account_id: "a", event_id: "e" }), now - 9999, now), "no walk at all")
  t.end()
})

t.test("isStuck needs three walks without an end, or two for ten intervals", (t) => {
  const begun = (...ages: readonly number[]) => {
    const [walk_started = null, previous_started = null, third_started = null] = ages.map((age) =>
      now - age
    )
    return { walk_started, previous_started, third_started }
  }
  const never = { walk_completed: null, completed_next: null }
  t.ok(isStuck(row({ ...never, ...begun(1, 2, 3) }), now))
  t.notOk(isStuck(row({ ...never, ...begun(1, 600) }), now))
  t.ok(isStuck(row({ ...never, ...begun(1, 601) }), now))
  t.notOk(isStuck(row({ ...never, ...begun(9999) }), now), "one walk may take long")
  t.notOk(isStuck(row({ ...begun(1, 2, 30), walk_completed: now - 30 }), now))
  t.ok(isStuck(row({ ...begun(1, 2, 29), walk_completed: now - 30 }), now))
  t.ok(isStuck(row({ ...begun(1, 699), walk_completed: now - 700 }), now))
  t.notOk(isStuck(row({ ...begun(1, 700), walk_completed: now - 700 }), now))
  t.notOk(isStuck(row({ ...begun(1, 700), walk_completed: now - 5 }), now))
  t.end()
})

t.test("isStuck needs errors for an interval and a minute", (t) => {
  const failed = (last_poll: number | null, first: number, last: number) =>
    isStuck(row({ last_poll, first_error: now - first, error_at: now - last }), now)
  t.notOk(failed(now - 600, 120, 1))
  t.ok(failed(now - 600, 121, 1))
  t.notOk(failed(now - 601, 9999, 1), "an error from before the last page: since when is not known")
  t.notOk(failed(now - 601, 9999, 602))
  t.notOk(failed(now - 601, 9999, 601))
  t.notOk(isStuck(row({ last_poll: null, error_at: now }), now))
  t.notOk(failed(null, 120, 1), "there never was a page")
  t.ok(failed(null, 121, 1))
  const forgotten = { error_at: now, error_code: "resync_required", first_error: now }
  t.ok(isStuck(row(forgotten), now), "a 410 does not go away")
  t.notOk(isStuck(row({ ...forgotten, walk_completed: now }), now), "it has read everything again")
  t.end()
})

t.test("silentFrom is three intervals after the last request, and at least an hour or ten intervals", (t) => {
  t.equal(silentFrom(row()), now - 10 + 600)
  t.equal(silentFrom(row({ poll_interval: 359 })), now - 10 + 3590)
  t.equal(silentFrom(row({ poll_interval: 361 })), now - 10 + 3600)
  t.equal(silentFrom(row({ poll_interval: 1201 })), now - 10 + 3603)
  t.equal(silentFrom(row({ poll_interval: aDay })), now - 10 + 3 * aDay)
  t.equal(silentFrom(row({ error_at: now })), now + 600, "an error is a request")
  t.end()
})

t.test("stateOfList tells stuck from behind, silent and in sync", (t) => {
  t.equal(stateOfList(row(), now - 9999, now), "in sync")
  t.equal(stateOfList(row({ completed_next: now - 9999 }), now - 500, now), "behind")
  const old = row({ last_poll: now - 601 })
  t.equal(stateOfList(old, now - 9999, now), "silent")
  t.equal(stateOfList(row({ last_poll: now - 600 }), now - 9999, now), "in sync")
  t.equal(stateOfList({ ...old, completed_next: now - 9999 }, now - 500, now), "behind")
  const stuck = {
    walk_completed: null,
    completed_next: null,
    previous_started: 2,
    third_started: 1,
  }
  t.equal(stateOfList(row(stuck), now - 500, now), "stuck")
  t.equal(stateOfList({ ...old, ...stuck }, null, now), "silent", "it has stopped trying")
  t.equal(stateOfList(row({ walk_started: null }), now - 500, now), "partial", "only searches")
  t.equal(stateOfList(row({ last_poll: null, walk_started: null }), now - 9, now), "unread")
  const refused = emptyRow({ account_id: "a", event_id: "e", error_at: now })
  t.equal(stateOfList(refused, now - 500, now), "failed")
  const failing = { last_poll: null, poll_interval: null, first_error: now - 9002, error_at: now }
  t.equal(stateOfList(emptyRow({ account_id: "a", event_id: "e", ...failing }), null, now), "stuck")
  t.ok(counts(row({ last_poll: now - 14 * aDay }), now))
  t.notOk(counts(row({ last_poll: now - 14 * aDay - 1 }), now))
  t.end()
})

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
