import t from "tap"
import type { LastError } from "../../../../plugins/capabilities/partners/last-errors.ts"
import type { PartnerHealth } from "../../../../plugins/capabilities/partners/partner-health.ts"
import { describePartner } from "../../../../plugins/capabilities/partners/sentences.ts"
import { health as inSync, list, now } from "../../../support/partner-health.ts"

const aDay = 86_400

/** A partner whose sessions end in a week. */
const health = {
  ...inSync,
  reason: "Because.",
  sessionEnds: now + 7 * aDay,
  sessions: 2,
  tokens: 1,
}
const lastError: LastError = { at: now, status: 404, code: "not_found", requestId: "r-1" }
const wrongSince = { ...lastError, code: "invalid_parameter", parameters: "since" }
const refused = { at: now, code: null, requestId: "r-2", ended: undefined, address: "192.0.2.1" }
const stuck = { ...list, state: "stuck" } as const
const lostBy = (grant: string) => ({
  ...{ eventId: grant, eventName: "Gala" },
  noAccess: {
    ...{ cause: "ended" as const, grant, others: 0, networks: null, ends: now, at: now, by: null },
    last: null,
  },
})
const group = {
  ...{ status: 404, code: "event_not_found", account: "acme", route: "/r", count: 1, first: 1 },
  ...{ last: 1, lastRequestId: "r", lastEvent: "e", lastAddress: "192.0.2.1" },
  advice: "Ask for the grant.",
}

/** What is known besides the health above, and what must be said of it, or must not. */
type Row = readonly [
  own: Partial<PartnerHealth>,
  says: RegExp,
  more?: Partial<Parameters<typeof describePartner>[0]>,
]

const behind = { state: "behind" } as const
const isStuck = { state: "stuck", causes: ["no last page"] } as const
const isSilent = { state: "silent" } as const
const lockedOut = (kind: "session" | "token") => (
  { state: "locked out", refused: { ...refused, ended: { kind, reason: null } } } as const
)
const none = { sessions: 0, tokens: 0 }
const grants = [{ target: "one", ends: now }, { target: "two", ends: now + 1 }]

const rows: readonly Row[] = [
  [
    {},
    /^acme is in sync\. Because\.\nIt has 2 sessions and 1 token, the last until \S+\.\nWhat to do: nothing\.$/,
  ],
  [{ since: now - 90 }, /^acme has been in sync since 2025-06-15T15:05:10Z \(90 s\)\. Because\./],
  [{ ...behind, since: 1, lag: 7200 }, /^acme is behind by 2 h\. Because\./],
  [{ state: "never polled" }, /^acme has never polled\./],
  [{ state: "no access" }, /^acme has no access\./],

  [isStuck, /^Stuck with guests of Gala \(e\) by f: .* ever .* began at \S+:31Z\.$/m, {
    lists: [stuck],
  }],
  [behind, /^Behind with guests by f: it has what .* 60 s ago\.$/m, {
    lists: [{ ...list, covered: now - 120, eventId: null }],
  }],
  [behind, /e\) by f: it asked for changes since .*:10Z, and had what changed before .*:40Z\.$/m, {
    lists: [{ ...list, skippedTo: now - 90, lag: 120 }],
  }],
  [behind, /by f: it has never read it; the newest change/, {
    lists: [{ ...list, covered: now - 120, lastPoll: null }],
  }],
  [isStuck, /^Stuck with guests of Gala \(e\) by f: it only got errors\.$/m, {
    lists: [{ ...stuck, walkStarted: null }],
  }],
  [isStuck, /with a since in the future: .*\nAlso stuck: guests.*\nBehind with/, {
    lists: [{ ...stuck, asksSince: now }, { ...stuck, asksSince: now }, list],
  }],
  [behind, /^Also behind: (guests of Gala \(e\) by f(; |\.)){4}$/m, { lists: Array(5).fill(list) }],
  [behind, /by f; 1 more lists\.$/m, { lists: Array(6).fill(list) }],
  [isSilent, /^(?!.*Stuck)/s, { lists: [stuck] }],

  [
    { state: "locked out", refused },
    /^A log-in was refused .* from 192\.0\.2\.1, request id r-2\.$/m,
  ],
  [{ state: "locked out", refused: { ...refused, address: null } }, /refused at \S+, request id/],
  [{ refused }, /^(?!.*refused)/s],
  [
    { sessionEnds: now + 7 * aDay - 1, sessions: 1, tokens: 0 },
    /^It has 1 session, which ends at .*, in 6 days\.$/m,
  ],
  [none, /^It has no session and no token\.$/m],
  [none, /^Its last token ended at .*, when its time was up\.$/m, {
    lastSession: { ended: now, reason: null, isToken: true },
  }],
  [none, /^Its last session ended at .*, because it was revoked\.$/m, {
    lastSession: { ended: now, reason: "revoked", isToken: false },
  }],
  [{}, /^It does not read 2 of its events that have not ended\.$/m, { unreadEvents: 2 }],
  [isSilent, /^(?!.*does not read)/s, { unreadEvents: 2 }],
  [{}, /one has ended at .*:40Z\.\nIts grant for two ends at .*:41Z\.$/m, { grants }],

  [{}, /^It may not read Gala \(a\): .* 1 more of its.*\n.*\(b\): /m, {
    lostEvents: ["a", "b", "a"].map(lostBy),
  }],
  [{}, /^(?!.*more reasons)/s, { lostEvents: [..."abcde"].map(lostBy) }],
  [{}, /\(e\).*\nIt may not read others for 2 more reasons\.$/m, {
    lostEvents: [..."abcdefg"].map(lostBy),
  }],
  [{ noAccess: lostBy("a").noAccess }, /^(?!.*may not read)/s, { lostEvents: [lostBy("a")] }],

  [{ deletionsWaiting: 0 }, /^(?!.*fetched)/s],
  [{ deletionsWaiting: 1 }, /^1 deletion has not been fetched\.$/m],
  [{ deletionsWaiting: 1, moreDeletionsWaiting: true }, /^1 or more deletions have not been/m],
  [{ daysUntilResync: 1.9 }, /gets 410 in 1 days at the earliest, and must/m],
  [{ daysUntilResync: 0 }, /the next poll of deletions or of the feed gets 410\.$/m],
  [{ lastError: { ...lastError, at: now - 7 * aDay } }, /404 not_found at \S+, request id r-1\.$/m],
  [{ lastError: { ...lastError, at: now - 7 * aDay - 1 } }, /^(?!.*last error)/s],

  [{ state: "disabled" }, /do: nothing, or event-export account disable acme --undo\.$/],
  [{ state: "locked out", refused }, /do: event-export account passwd acme sets/],
  [
    { state: "locked out", refused: { ...refused, ended: null } },
    /or event-export account session/,
  ],
  [{ ...lockedOut("session") }, /do: let it log in again; or event-export account session acme/],
  [{ ...lockedOut("token") }, /do: let the partner make another token, on its page \/docs\/me/],
  [{ ...lockedOut("token") }, /^A request with a token that has ended was refused/m],
  [{ state: "never polled" }, /do: wait for its first poll/],
  [{ state: "never polled", ...none }, /event-export account session acme\.$/],
  [isSilent, /do: ask the partner whether its program runs/],
  [isStuck, /do: tell the partner to follow the links/],
  [{ ...isStuck, causes: ["own time"], lastError }, /do: tell the partner to send the Next-Since/],
  [{ ...isStuck, lastPoll: now + 3599, lastError }, /do: There is no such path/],
  [{ ...isStuck, lastPoll: now + 3600, lastError: wrongSince }, /do: It asks for changes since/],
  [{ ...isStuck, lastPoll: now + 3600, lastError }, /do: tell the partner to follow the links/],
  [{ ...isStuck, lastPoll: null, lastError }, /do: There is no such path/],
  [
    { ...isStuck, lastError: { ...lastError, code: "event_not_found" } },
    /do: Ask for the grant\.$/,
    {
      errors: [{ ...group, code: "other", advice: "No." }, group],
    },
  ],
  [{ ...isStuck, lastError: { ...lastError, code: "invalid_parameter" } }, /do: Its request has/, {
    errors: [{ ...group, code: "invalid_parameter" }],
  }],
  [{ ...isSilent, causes: ["not served"] }, /do: add the family to the configuration again/],
  [{ ...behind, causes: ["skips"] }, /do: tell .* once with since=-1\.$/],
  [{ ...behind, causes: ["own time"] }, /do: tell .* once with since=-1\.$/],
  [{ ...behind, causes: ["late"] }, /do: wait for its next poll/],
  [{ ...behind, causes: ["not read now"] }, /do: ask the partner why; if it does not need/],
  [{ ...behind, causes: ["never read"] }, /do: tell the partner to read the lists of deletions/],
  [{ ...behind, causes: ["same page"] }, /do: tell the partner to go on from each page/],
  [{ state: "partial", causes: ["own since"] }, /do: nothing, if the partner needs no more/],
  [{ state: "partial", causes: ["first walk"] }, /do: wait until it ends/],
]

t.test("describePartner says the state, what is wrong and what to do, each where it matters", (t) => {
  const nothing = {
    lists: [],
    errors: [],
    grants: [],
    lostEvents: [],
    unreadEvents: 0,
    limits: undefined,
    lastSession: null,
  }
  for (const [own, says, more] of rows) {
    const facts = { health: { ...health, ...own }, at: now, ...nothing, ...more }
    t.match(describePartner(facts).join("\n"), says, String(says))
  }
  t.end()
})
