import type { PartnerHealth } from "./partner-health.ts"
import { formatMoment } from "../../../core/plugin.ts"
import { describeNoAccess } from "./access-sentences.ts"
import { describeDuration } from "./duration.ts"

/** Returns since when a partner has been in its state, as far as that is known. */
export function sinceOf(
  { state, lastPoll, lastError, noAccess }: Omit<PartnerHealth, "since">,
  { stuckSince, firstError, behindFrom, created }: {
    readonly stuckSince: number | null
    readonly firstError: number | null
    readonly behindFrom: number | null
    readonly created: number
  },
): number | null {
  switch (state) {
    case "locked out":
      return lastPoll
    case "no access":
      // Whoever comes from another address has lost it with the first error, not when the network was set.
      return noAccess?.cause === "network"
        ? Math.max(noAccess.at ?? 0, firstError ?? 0) || null
        : noAccess?.at ?? firstError
    case "stuck":
      return stuckSince ?? firstError ?? lastError?.at ?? null
    case "silent":
      return Math.max(lastPoll ?? 0, lastError?.at ?? 0)
    case "behind":
      return behindFrom
    case "never polled":
      return created
    case "partial":
    case "in sync":
    case "disabled":
      return null
  }
}

/** Returns a sentence that says why a partner is in its state. */
export function reasonOf(health: PartnerHealth, now: number): string {
  const { state, lists, stuck, behind, lag, lastError, refused, lastPoll, sessions } = health
  const { unreadEvents } = health
  switch (state) {
    case "locked out": {
      const how = refused?.session ? "its session or token has ended" : "its log-in was refused"
      const rest = sessions > 0 ? "; another session is still open" : ""
      return `Requests are refused with 401: ${how}${rest}.`
    }
    case "no access":
      return health.noAccess ? describeNoAccess(health.noAccess) : "It can read nothing."
    case "stuck":
      if (lastPoll === null) return `It gets errors only${errorText(lastError)}.`
      if (health.ahead > 0) return `${asksAhead} ${countOf(stuck, lists)} cannot be completed.`
      return `${countOf(stuck, lists)} cannot be completed${recentError(health, now)}.`
    case "silent":
      return `It has sent no request for ${describeDuration(now - (health.since ?? now))}.`
    case "behind":
      return [
        `${countOf(behind, lists)} ${behind === 1 ? "has" : "have"} changes that it has not ` +
        `fetched, the furthest since ${describeDuration(lag)} ago.`,
        ...health.skipping > 0 ? ["It asks for changes since times that it was not given."] : [],
        ...health.ahead > 0 ? [asksAhead] : [],
      ].join(" ")
    case "never polled":
      return sessions > 0 ? "It has a session, and has read no list." : "It has read no list."
    case "partial":
      return [
        "What it reads whole is in sync.",
        ...health.partial > 0
          ? [
            `Of ${
              countOf(health.partial, lists)
            } it is not known whether it has all: it reads a part, by ` +
            "category or search, has not ended its first walk, began with a since of its own, or " +
            "asks for the same again.",
          ]
          : [],
        ...unreadEvents > 0
          ? [
            `${unreadEvents} ${
              unreadEvents === 1 ? "event that is" : "events that are"
            } not over ` +
            "it does not read.",
          ]
          : [],
      ].join(" ")
    case "in sync":
      return `It has everything that changed until its last poll at ${formatMoment(lastPoll)}.`
    case "disabled":
      return "Its account is disabled."
  }
}

const asksAhead = "It asks for changes since a time in the future."

/** Words a number of lists, of all: `1 of 3 lists`. */
export function countOf(count: number, lists: number): string {
  const all = Math.max(count, lists)
  return `${count} of ${all} ${all === 1 ? "list" : "lists"}`
}

function recentError(health: PartnerHealth, now: number): string {
  const { lastError, lastCompleted } = health
  if (!lastError || now - lastError.at > 3600) return "; there were no errors"
  if (lastCompleted !== null && lastCompleted > lastError.at) return ""
  return errorText(lastError)
}

function errorText(error: PartnerHealth["lastError"]): string {
  if (!error) return ""
  const { status, code, parameters } = error
  return `; the last one was ${status} ${code}${parameters ? ` (${parameters})` : ""}`
}
