import t from "tap"
import type { ListHealth } from "../../../../plugins/capabilities/partners/list-health.ts"
import type { PartnerHealth } from "../../../../plugins/capabilities/partners/partner-health.ts"
import { describePartner } from "../../../../plugins/capabilities/partners/sentences.ts"
import { health as inSync, list, now } from "../../../support/partner-health.ts"

const aDay = 86_400

const health: PartnerHealth = {
  ...inSync,
  reason: "Because.",
  lastPoll: now,
  sessionEnds: now + 7 * aDay,
  sessions: 2,
}

const lastError = { at: now - 7 * aDay, status: 404, code: "not_found", requestId: "r-1" }
const end = "2025-06-22T15:06:40Z"
const session = `It has 2 sessions, the last until ${end}.`

/** Returns the sentences about a partner whose health and other facts differ from those above. */
function about(
  own: Partial<PartnerHealth>,
  more: Partial<Parameters<typeof describePartner>[0]> = {},
) {
  const nothing = { lists: [], hours: [], errors: [], grants: [], lostEvents: [] }
  const facts = { at: now, ...nothing, lastSession: null }
  return describePartner({ health: { ...health, ...own }, ...facts, ...more })
}

t.test("describePartner begins with the state, since when, and why", (t) => {
  t.strictSame(about({}), ["acme is in sync. Because.", session, "What to do: nothing."])
  const since = { since: now - 90 }
  t.equal(about(since)[0], "acme is in sync since 2025-06-15T15:05:10Z (90 s). Because.")
  t.equal(about({ ...since, state: "behind", lag: 7200 })[0], "acme is behind by 2 h. Because.")
  t.equal(about({ state: "never polled" })[0], "acme is not polling yet. Because.")
  t.end()
})

t.test("describePartner describes the worst list that is stuck or behind, and names four more, unless no request arrives", (t) => {
  const stuck = { ...list, state: "stuck" } as const
  const of = (lists: readonly ListHealth[], state: PartnerHealth["state"] = "stuck") =>
    about({ state }, { lists }).slice(1, -2)
  t.strictSame(of([stuck, { ...list, state: "silent" }, { ...list, state: "in sync" }]), [
    "Stuck with guests of Gala (e) by f: no walk was ever completed, and the last one began at " +
    "2025-06-15T15:06:31Z.",
  ])
  t.strictSame(of([{ ...stuck, walkCompleted: now - 100, eventName: null }]), [
    "Stuck with guests of a deleted event (e) by f: the last walk was completed at " +
    "2025-06-15T15:05:00Z, and the last one began at 2025-06-15T15:06:31Z.",
  ])
  const newest = "the newest change is from 2025-06-15T15:05:40Z, 60 s ago."
  const behind = `Behind with guests of Gala (e) by f: no walk was ever completed; ${newest}`
  t.strictSame(of([list]), [behind])
  t.strictSame(of([{ ...list, covered: now - 120, eventId: null }]), [
    `Behind with guests by f: it has what changed before 2025-06-15T15:04:40Z; ${newest}`,
  ])
  t.strictSame(of([list, { ...list, list: "items", eventName: "Ball" }]), [
    behind,
    "Also behind: items of Ball (e) by f.",
  ])
  const skipping = { ...list, skippedTo: now - 90, lag: 120 }
  t.match(of([stuck, list, skipping, stuck]), [
    /^Stuck with/,
    "Also stuck: guests of Gala (e) by f.",
    behind,
    /^Behind with guests of Gala \(e\) by f: it asked for changes since/,
  ], "what is wrong with lists in another way is said of its own")
  t.match(of([{ ...list, newest: null }]), [/the newest change is from never, 0 s ago\.$/])
  const named = Array(4).fill("guests of Gala (e) by f").join("; ")
  t.strictSame(of(Array(5).fill(list)), [behind, `Also behind: ${named}.`])
  t.strictSame(of(Array(7).fill(list)), [behind, `Also behind: ${named}; 2 more lists.`])
  for (const state of ["silent", "locked out"] as const) t.strictSame(of([stuck], state), [])
  t.end()
})

t.test("describePartner tells of refused requests, sessions and grants", (t) => {
  const of = (...args: Parameters<typeof about>) => about(...args).slice(1, -1)
  const refused = { at: now - 100, code: null, requestId: null, session: null, address: null }
  const locked = "The last refused request came at 2025-06-15T15:05:00Z from"
  t.strictSame(of({ state: "locked out", refused }), [`${locked} an unknown address.`, session])
  const known = { ...refused, requestId: "r-2", address: "192.0.2.1" }
  t.strictSame(of({ state: "locked out", refused: known }), [
    `${locked} 192.0.2.1, request id r-2.`,
    session,
  ])
  t.strictSame(of({ refused }), [session])
  t.strictSame(of({ sessions: 1, sessionEnds: now + 7 * aDay - 1 }), [
    "It has 1 session, the last until 2025-06-22T15:06:39Z, in 6 days.",
  ])
  t.strictSame(of({ sessionEnds: null }), ["It has 2 sessions, the last until never."])
  const none = { sessions: 0 }
  t.strictSame(of(none), ["It has no session."])
  const ended = "It has no live session: the last one ended at 2025-06-22T15:06:40Z"
  t.strictSame(of(none, { lastSession: { ended: now + 7 * aDay, reason: null } }), [
    `${ended}, when its time was up.`,
  ])
  t.strictSame(of(none, { lastSession: { ended: now + 7 * aDay, reason: "revoked" } }), [
    `${ended}, because of: revoked.`,
  ])
  const grants = [{ target: "one", ends: now }, { target: "two", ends: now + 1 }]
  t.strictSame(of({}, { grants }), [
    session,
    "Its grant for one has ended at 2025-06-15T15:06:40Z.",
    "Its grant for two ends at 2025-06-15T15:06:41Z.",
  ])
  t.end()
})

t.test("describePartner names events that it may not read by five reasons at most, and not the one that its state says", (t) => {
  const lost = (grant: string, eventId: string) => ({
    ...{ eventId, eventName: "Gala" },
    noAccess: {
      ...{
        cause: "ended" as const,
        grant,
        others: 0,
        networks: null,
        ends: now,
        at: now,
        by: null,
      },
      last: null,
    },
  })
  const of = (health: Partial<PartnerHealth>, ...grants: string[]) => {
    const lostEvents = grants.map((grant, n) => lost(`event ${grant}`, `e${n}`))
    return about(health, { lostEvents }).filter((sentence) => /may not read/.test(sentence))
  }
  t.match(of({}, "a", "b", "a"), [/^It may not read Gala \(e0\): .* 1 more of its/, /\(e1\)/])
  const many = ["a", "b", "c", "d", "e", "f", "g"]
  t.equal(of({}, ...many.slice(0, 5)).length, 5)
  t.equal(of({}, ...many)[5], "It may not read others for 2 more reasons.")
  t.strictSame(of({ noAccess: lost("event a", "e").noAccess }, "a"), [])
  t.end()
})

t.test("describePartner counts deletions, and days until a 410", (t) => {
  const of = (deletionsWaiting: number, moreDeletionsWaiting = false) =>
    about({ deletionsWaiting, moreDeletionsWaiting }).slice(2, -1)
  t.strictSame([of(0), of(1), of(2), of(1, true)].flat(), [
    "1 deletion has not been fetched.",
    "2 deletions have not been fetched.",
    "1 or more deletions have not been fetched.",
  ])
  const until = (daysUntilResync: number) => about({ daysUntilResync })[2] ?? ""
  t.equal(until(1.9), "Without another poll of deletions, it gets 410 in 1 days at the earliest.")
  t.match([until(0), until(-1)], [/the next poll of deletions gets 410/, until(0)])
  t.match(until(0.1), /in 0 days/)
  t.end()
})

t.test("describePartner names the last error of a week", (t) => {
  t.strictSame(about({ lastError }).slice(2, -1), [
    "Its last error was 404 not_found at 2025-06-08T15:06:40Z, request id r-1.",
  ])
  t.strictSame(about({ lastError: { ...lastError, at: now - 7 * aDay - 1 } }).slice(2, -1), [])
  t.end()
})

t.test("describePartner ends with what to do", (t) => {
  const of = (...args: Parameters<typeof about>) =>
    about(...args).at(-1)?.replace("What to do: ", "") ?? ""
  const cases: readonly (readonly [Partial<PartnerHealth>, RegExp])[] = [
    [{ state: "disabled" }, /^nothing, or event-export account disable acme --undo\.$/],
    [{ state: "locked out" }, /^event-export account session acme opens/],
    [{ state: "never polled" }, /^wait for its first poll, or ask the partner\.$/],
    [{ state: "never polled", sessions: 0 }, /event-export account session acme\.$/],
    [{ state: "silent" }, /whether its job runs/],
    [{ state: "stuck" }, /keep Next-Since only then\.$/],
    [{ state: "stuck", ahead: 1, lastError }, /^tell the partner to send the Next-Since/],
    [{ state: "behind", skipping: 1 }, /and to read these lists once with since=-1\.$/],
    [{ state: "behind", ahead: 1 }, /and to read these lists once with since=-1\.$/],
    [{ state: "partial" }, /^nothing, if the partner needs no more/],
  ]
  for (const [own, expected] of cases) t.match(of(own), expected)
  const stuck = (age: number, lastPoll: number | null = now) =>
    of({ state: "stuck", lastPoll, lastError: { ...lastError, at: now - age } })
  t.match(stuck(3599), /^There is no such path/)
  t.match(stuck(3600), /keep Next-Since only then\.$/)
  t.match(stuck(9999, null), /^There is no such path/)
  const group = {
    ...{ status: 404, account: "acme", route: "/r", count: 1, first: 1, last: 1 },
    ...{ lastRequestId: "r", lastEvent: "e", lastAddress: "192.0.2.1" },
    advice: "Ask for the grant.",
  }
  const errors = ["invalid_parameter", "event_not_found"].map((code) => ({ ...group, code }))
  const failed = (code: string) =>
    of({ state: "stuck", lastError: { ...lastError, at: now, code } }, { errors })
  t.equal(failed("event_not_found"), "Ask for the grant.")
  t.match(failed("invalid_parameter"), /^Its request has a wrong parameter/)
  const behind = (...lists: Partial<ListHealth>[]) =>
    of({ state: "behind" }, { lists: lists.map((own) => ({ ...list, ...own })) })
  const wait = /^wait for its next poll/
  const ask = /^ask the partner why it no longer polls/
  t.match(behind(), wait)
  t.match(behind({}), wait)
  t.match(behind({}, { lastPoll: now - 181 }), ask)
  t.match(behind({ lastPoll: now - 181, state: "silent" }), wait)
  t.match(behind({ lastPoll: now - 2700, pollInterval: null }), wait)
  t.match(behind({ lastPoll: now - 2701, pollInterval: null }), ask)
  t.match(behind({ lastPoll: null }), ask)
  t.match(of({ state: "behind", lastPoll: null }, { lists: [{ ...list, lastPoll: null }] }), wait)
  t.end()
})
