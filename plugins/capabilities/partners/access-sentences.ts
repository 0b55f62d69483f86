import { networkMeant } from "../../../core/accounts.ts"
import { formatMoment } from "../../../core/plugin.ts"
import type { NoAccess } from "./no-access.ts"
import { inVoice, type Voice } from "./voice.ts"

/** Explains in a sentence why an account can read nothing now. */
export function describeNoAccess(noAccess: NoAccess, voice: Voice): string {
  const sentence = clauseOf(noAccess, voice)
  return `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.`
}

/** Explains the same as a clause. Only operators see a grant's networks and who changed it. */
export function clauseOf(noAccess: NoAccess, voice: Voice): string {
  const say = inVoice(voice)
  const { cause, grant, others, networks, at, last } = noAccess
  const isOwn = voice === "partner"
  const by = isOwn ? null : noAccess.by
  const who = by === null ? "" : ` by ${by}`
  const when = at === null ? "" : ` at ${formatMoment(at)}`
  const more = `${others} more ${others === 1 ? "is" : "are"} not valid either`
  const and = others === 0 ? "" : `; ${more}`
  const address = last?.address ?? "an unknown address"
  switch (cause) {
    case "disabled": {
      const what = at === null ? "is disabled" : `was disabled${who}${when}`
      const knocked = `${formatMoment(last?.at ?? null)} from ${address}`
      return say`[its|your] account ${what}; [its|your] program still sends requests, last at ${knocked}`
    }
    case "network": {
      const set = at === null ? "" : ` (set${who}${when})`
      const only = isOwn ? "" : `, but only from ${networks?.join(" and ")}${set}`
      const where = say`${address}, where [its|your] last request came from`
      return say`[its|your] grant for ${grant ?? ""} is not valid from ${where}${only}${and}`
    }
    case "withdrawn":
      return say`[its|your] grant for ${grant ?? ""} was withdrawn${who}${when}${and}`
    case "ended": {
      const set = by === null ? "" : `, as set by ${by}`
      return say`[its|your] grant for ${grant ?? ""} has ended${when}${set}${and}`
    }
    case "none":
      return say`[it has|you have] no grant, and none was withdrawn in the last 90 days`
    case "unknown":
      return say`[it has|you have] no grant`
  }
}

/** Returns the command that lets an account read again. `target` is what to grant if there was no grant. */
export function restoringCommand(
  account: string,
  noAccess: NoAccess,
  target = "organization SLUG",
): string {
  const { cause, grant, networks, ends, last } = noAccess
  if (cause === "disabled") return `event-export account disable ${account} --undo`
  const more = cause === "network" && last?.address ? [last.address] : []
  const limits = [
    // An old grant may have bits set after the prefix length of its network.
    ...(networks ?? []).concat(more).map((each) => ` --from ${networkMeant(each) ?? each}`),
    ...cause === "network" && ends !== null ? [` --until ${formatMoment(ends)}`] : [],
  ]
  return `event-export access grant ${account} --${grant ?? target}${limits.join("")}`
}
