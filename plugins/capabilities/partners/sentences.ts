import { adviceFor } from "./advice.ts"
import type { PartnerReport } from "./partner-report.ts"
import type { ListHealth } from "./list-health.ts"
import { formatMoment } from "../../../core/capability.ts"
import { describeDuration } from "./duration.ts"

type Facts = Omit<PartnerReport, "sentences">

/** Returns how a partner is doing, why, and what to do, in sentences: the most important first. */
export function describePartner(facts: Facts): string[] {
  return [
    stateOf(facts),
    ...worstLists(facts),
    ...access(facts),
    ...deletions(facts),
    ...lastError(facts),
    `What to do: ${toDo(facts)}`,
  ]
}

function stateOf({ health: { account, state, since, lag, reason }, at }: Facts): string {
  const span = since === null
    ? ""
    : ` since ${formatMoment(since)} (${describeDuration(at - since)})`
  if (state === "behind") return `${account} is behind by ${describeDuration(lag)}. ${reason}`
  return `${account} is ${verb(state)}${span}. ${reason}`
}

function verb(state: Facts["health"]["state"]): string {
  return state === "never polled" ? "not polling yet" : state
}

/** The most lists that are described. */
const mostLists = 5

function worstLists({ lists, at, health }: Facts): string[] {
  if (health.state === "silent" || health.state === "locked out") return []
  const bad = lists.filter(({ state }) => state === "stuck" || state === "behind")
  const rest = bad.length - mostLists
  return [
    ...bad.slice(0, mostLists).map((list) => describeList(list, at)),
    ...(rest > 0 ? [`${rest} more lists are stuck or behind.`] : []),
  ]
}

function describeList(list: ListHealth, at: number): string {
  const { walkCompleted, walkStarted, covered, newest } = list
  const completed = walkCompleted === null
    ? "no walk was ever completed"
    : `the last walk was completed at ${formatMoment(walkCompleted)}`
  if (list.state === "stuck") {
    return `Stuck with ${nameOf(list)}: ${completed}, and the last one began at ${
      formatMoment(walkStarted)
    }.`
  }
  const from = covered === null
    ? `${completed}`
    : `it has what changed before ${formatMoment(covered)}`
  return `Behind with ${nameOf(list)}: ${from}; the newest change is from ${
    formatMoment(newest)
  }, ` +
    `${describeDuration(at - (newest ?? at))} ago.`
}

function nameOf({ list, family, eventName, eventId }: ListHealth): string {
  const event = eventId === null ? "" : ` of ${eventName ?? "a deleted event"} (${eventId})`
  return `${list}${event} by ${family}`
}

function access({ health, lastSession, grants, at }: Facts): string[] {
  const { refused, sessions, sessionEnds } = health
  return [
    ...(refused && health.state === "locked out"
      ? [
        `The last refused request came at ${formatMoment(refused.at)} from ${
          refused.address ?? "an unknown address"
        }${refused.requestId ? `, request id ${refused.requestId}` : ""}.`,
      ]
      : []),
    sessions > 0
      ? `It has ${sessions} ${sessions === 1 ? "session" : "sessions"}, the last until ${
        formatMoment(sessionEnds)
      }${soon(sessionEnds, at)}.`
      : describeEnd(lastSession),
    ...grants.map(({ target, ends }) =>
      ends <= at
        ? `Its grant for ${target} has ended at ${formatMoment(ends)}.`
        : `Its grant for ${target} ends at ${formatMoment(ends)}.`
    ),
  ]
}

function soon(ends: number | null, at: number): string {
  return ends !== null && ends - at < 7 * 86_400 ? `, in ${describeDuration(ends - at)}` : ""
}

function describeEnd(session: Facts["lastSession"]): string {
  if (!session) return "It has no session."
  const { ended, reason } = session
  return `It has no live session: the last one ended at ${formatMoment(ended)}${
    reason === null ? ", when its time was up" : `, because of: ${reason}`
  }.`
}

function deletions({ health }: Facts): string[] {
  const { deletionsWaiting: count, moreDeletionsWaiting: more, daysUntilResync: days } = health
  return [
    ...(count > 0
      ? [
        `${count}${more ? " or more" : ""} ${
          count === 1 && !more ? "deletion has" : "deletions have"
        } ` +
        "not been fetched.",
      ]
      : []),
    ...(days === null ? [] : [
      days <= 0
        ? "Its last since is from before deletions are remembered: the next poll of deletions gets 410."
        : `Without another poll of deletions, it gets 410 in ${Math.floor(days)} days.`,
    ]),
  ]
}

function lastError({ health: { lastError }, at }: Facts): string[] {
  if (!lastError || at - lastError.at > 7 * 86_400) return []
  const { status, code, requestId } = lastError
  return [
    `Its last error was ${status} ${code} at ${
      formatMoment(lastError.at)
    }, request id ${requestId}.`,
  ]
}

function toDo({ health, lists }: Facts): string {
  const { state, account, lastError, sessions } = health
  switch (state) {
    case "in sync":
      return "nothing."
    case "disabled":
      return `nothing, or event-export account disable ${account} --undo.`
    case "locked out":
      return `event-export account session ${account} opens a session for it; or let it log in again.`
    case "never polled":
      return sessions > 0
        ? "wait for its first poll, or ask the partner."
        : `give the partner its password, or a session: event-export account session ${account}.`
    case "silent":
      return "ask the partner whether its job runs. Its requests do not arrive here."
    case "stuck":
      return lastError && isRecent(health)
        ? adviceFor(lastError)
        : "tell the partner to follow the links to the last page, and to keep Next-Since only then."
    case "behind": {
      const unasked = lists.some((list) => list.state === "behind" && isUnasked(list, health))
      return unasked
        ? "ask the partner why it no longer polls these lists, or withdraw its grant."
        : "wait for its next poll. If it lasts, ask the partner."
    }
  }
}

function isRecent({ lastError, lastPoll }: Facts["health"]): boolean {
  return lastError !== null && lastError.at > (lastPoll ?? 0) - 3600
}

function isUnasked({ lastPoll, pollInterval }: ListHealth, health: Facts["health"]): boolean {
  return (health.lastPoll ?? 0) - (lastPoll ?? 0) > 3 * (pollInterval ?? 900)
}
