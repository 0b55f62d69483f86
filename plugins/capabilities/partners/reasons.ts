import { formatMoment } from "../../../core/plugin.ts"
import { describeNoAccess } from "./access-sentences.ts"
import { describeDuration } from "./duration.ts"
import { wordsOf } from "./causes.ts"
import type { EndedCredential, PartnerHealth, UnauthorizedRequest } from "./partner-health.ts"
import { inVoice, type Voice, voiced } from "./voice.ts"

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
      // A partner that moved to another address lost access at the first error, not when the network was set.
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
  const { state, lists, stuck, behind, partial, lastPoll, noAccess, causes } = health
  const say = inVoice(voice)
  const [cause] = causes
  const why = cause ? ` ${voiced(wordsOf(cause).why, voice)}`.trimEnd() : ""
  switch (state) {
    case "locked out": {
      const rest = health.sessions + health.tokens > 0 ? "; another one is still valid" : ""
      return say`Requests are refused with 401: ${refusalWords(health.refused, voice)}${rest}.`
    }
    case "no access":
      return noAccess ? describeNoAccess(noAccess, voice) : say`[It|You] can read nothing.`
    case "stuck": {
      const error = lastErrorText(health)
      if (lastPoll === null) return say`[It gets|You get] errors only${error}.`
      const recent = cause === "own time" ? "" : recentError(health, now)
      return `${countOf(stuck, lists)} cannot be completed${recent}.${recent === "" ? why : ""}`
    }
    case "silent": {
      const span = describeDuration(now - (health.since ?? now))
      return say`[It has|You have] not polled for ${span}.${cause === "not served" ? why : ""}`
    }
    case "behind": {
      const have = `${countOf(behind, lists)} ${behind === 1 ? "has" : "have"}`
      const span = describeDuration(health.lag)
      return say`${have} changes that [it has|you have] not fetched: [it is|you are] behind by ${span}.${why}`
    }
    case "never polled":
      return health.sessions + health.tokens > 0
        ? say`[It has|You have] a ${
          health.sessions > 0 ? "session" : "token"
        }, and [has|have] read no list.`
        : say`[It has|You have] read no list.`
    case "partial":
      return say`It is not known whether [it has|you have] all of ${countOf(partial, lists)}.${why}`
    case "in sync": {
      const last = formatMoment(lastPoll)
      return say`[It has|You have] everything that changed until [its|your] last poll at ${last}.`
    }
    case "disabled":
      return say`[Its|Your] account is disabled.`
  }
}

/** Says why a request or log-in was refused, as a clause. */
function refusalWords(refused: UnauthorizedRequest | null, voice: Voice): string {
  const say = inVoice(voice)
  if (refused?.ended === undefined) {
    return refused?.code === "too_many_log_ins"
      ? say`[it has|you have] logged in with a wrong password too often`
      : say`[it logs|you log] in with a wrong password`
  }
  const how = refused.ended?.reason === "revoked" ? "was revoked" : "has ended"
  return say`[its|your] ${credentialOf(refused.ended)} ${how}`
}

/** Names the kind of credential that was refused. */
export function credentialOf(ended: EndedCredential | null): string {
  return ended?.kind ?? "session or token"
}

/** Counts lists in words: `1 of 3 lists`. */
function countOf(count: number, lists: number): string {
  const all = Math.max(count, lists)
  return `${count} of ${all} ${all === 1 ? "list" : "lists"}`
}

function recentError(health: PartnerHealth, now: number): string {
  const { lastError, lastCompleted } = health
  if (!lastError || now - lastError.at > 3600) return ""
  if (lastCompleted !== null && lastCompleted > lastError.at) return ""
  return lastErrorText(health)
}

function lastErrorText({ lastError }: PartnerHealth): string {
  if (!lastError) return ""
  const { status, code, parameters } = lastError
  return `; the last error was ${status} ${code}${parameters ? ` (${parameters})` : ""}`
}
