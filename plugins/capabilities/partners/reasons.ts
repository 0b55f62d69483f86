import { formatMoment } from "../../../core/plugin.ts"
import { describeNoAccess } from "./access-sentences.ts"
import { describeDuration } from "./duration.ts"
import type { PartnerHealth } from "./partner-health.ts"
import { inVoice, type Voice } from "./voice.ts"

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

/** Returns why a partner is in its state, in a sentence or a few. */
export function reasonOf(health: PartnerHealth, now: number, voice: Voice = "operator"): string {
  const { state, lists, stuck, behind, partial, unreadEvents, lastPoll, noAccess } = health
  const say = inVoice(voice)
  const asksAhead = health.ahead > 0
    ? [say`[It asks|You ask] for changes since a time in the future.`]
    : []
  switch (state) {
    case "locked out": {
      const how = health.refused?.session ? "session or token has ended" : "log-in was refused"
      const rest = health.sessions > 0 ? "; another session is still open" : ""
      return say`Requests are refused with 401: [its|your] ${how}${rest}.`
    }
    case "no access":
      return noAccess ? describeNoAccess(noAccess, voice) : say`[It|You] can read nothing.`
    case "stuck": {
      const error = lastErrorText(health)
      if (lastPoll === null) return say`[It gets|You get] errors only${error}.`
      const recent = asksAhead.length > 0 ? "" : recentError(health, now)
      return [...asksAhead, `${countOf(stuck, lists)} cannot be completed${recent}.`].join(" ")
    }
    case "silent": {
      const span = describeDuration(now - (health.since ?? now))
      return say`[It has|You have] sent no request for ${span}.`
    }
    case "behind": {
      const have = `${countOf(behind, lists)} ${behind === 1 ? "has" : "have"}`
      const span = describeDuration(health.lag)
      return [
        say`${have} changes that [it has|you have] not fetched, the furthest since ${span} ago.`,
        ...health.skipping > 0
          ? [say`[It asks|You ask] for changes since times that [it was|you were] not given.`]
          : [],
        ...asksAhead,
      ].join(" ")
    }
    case "never polled":
      return health.sessions > 0
        ? say`[It has|You have] a session, and [has|have] read no list.`
        : say`[It has|You have] read no list.`
    case "partial": {
      const of = countOf(partial, lists)
      return [
        say`What [it reads|you read] whole is in sync.`,
        ...partial > 0
          ? [
            say`Of ${of} it is not known whether [it has|you have] all: [it reads|you read] a part, by category or search, ` +
            say`[has|have] not ended [its|the] first walk, began with a since of [its|your] own, or [asks|ask] for the ` +
            "same again.",
          ]
          : [],
        ...unreadEvents > 0
          ? [
            say`[It does|You do] not read ${unreadEvents} of [its|your] events that have not ended.`,
          ]
          : [],
      ].join(" ")
    }
    case "in sync": {
      const last = formatMoment(lastPoll)
      return say`[It has|You have] everything that changed until [its|your] last poll at ${last}.`
    }
    case "disabled":
      return say`[Its|Your] account is disabled.`
  }
}

/** Words a number of lists, of all: `1 of 3 lists`. */
function countOf(count: number, lists: number): string {
  const all = Math.max(count, lists)
  return `${count} of ${all} ${all === 1 ? "list" : "lists"}`
}

function recentError(health: PartnerHealth, now: number): string {
  const { lastError, lastCompleted } = health
  if (!lastError || now - lastError.at > 3600) return "; there were no errors"
  if (lastCompleted !== null && lastCompleted > lastError.at) return ""
  return lastErrorText(health)
}

function lastErrorText({ lastError }: PartnerHealth): string {
  if (!lastError) return ""
  const { status, code, parameters } = lastError
  return `; the last one was ${status} ${code}${parameters ? ` (${parameters})` : ""}`
}
