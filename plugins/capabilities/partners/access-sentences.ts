import { networkMeant } from "../../../core/capability.ts"
import { formatMoment } from "../../../core/plugin.ts"
import type { NoAccess } from "./no-access.ts"

/** Says in a sentence why an account can read nothing now. */
export function describeNoAccess(noAccess: NoAccess): string {
  const sentence = clauseOf(noAccess)
  return `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.`
}

/** Says the same as a part of a sentence. */
export function clauseOf(noAccess: NoAccess): string {
  const { cause, grant, others, networks, at, by, last } = noAccess
  const who = by === null ? "" : ` by ${by}`
  const when = at === null ? "" : ` at ${formatMoment(at)}`
  const and = others === 0
    ? ""
    : `; ${others} more ${others === 1 ? "does" : "do"} not count either`
  switch (cause) {
    case "disabled": {
      const what = at === null ? "is disabled" : `was disabled${who}${when}`
      const from = last?.address ?? "an unknown address"
      return `its account ${what}; its program still knocks, last at ` +
        `${formatMoment(last?.at ?? null)} from ${from}`
    }
    case "network": {
      const set = at === null ? "" : ` (set${who}${when})`
      return `its grant for ${grant} counts only from ${
        networks?.join(" and ")
      }${set}, and its last ` +
        `request came from ${last?.address}${and}`
    }
    case "withdrawn":
      return `its grant for ${grant} was withdrawn${who}${when}${and}`
    case "ended":
      return `its grant for ${grant} has ended${when}${
        by === null ? "" : `, as ${by} had set`
      }${and}`
    case "none":
      return "it has no grant, and none was withdrawn in the last 90 days"
    case "unknown":
      return "it has no grant"
  }
}

/** Returns the command that lets an account read again. `target` is what to grant if nothing was granted. */
export function restoringCommand(
  account: string,
  noAccess: NoAccess,
  target = "organization SLUG",
): string {
  const { cause, grant, networks, ends, last } = noAccess
  if (cause === "disabled") return `event-export account disable ${account} --undo`
  const more = cause === "network" && last?.address ? [last.address] : []
  const limits = [
    // A grant of before may have bits behind the length of its network.
    ...(networks ?? []).concat(more).map((each) => ` --from ${networkMeant(each) ?? each}`),
    ...cause === "network" && ends !== null ? [` --until ${formatMoment(ends)}`] : [],
  ]
  return `event-export access grant ${account} --${grant ?? target}${limits.join("")}`
}

/** Says what to do about an account that can read nothing now, as the end of a sentence. */
export function whatToDo(account: string, noAccess: NoAccess): string {
  const command = restoringCommand(account, noAccess)
  switch (noAccess.cause) {
    case "disabled":
      return `tell the partner to stop its program; or let it in again: ${command}`
    case "network":
      return `if ${noAccess.last?.address} is the partner's address, add it: ${command}`
    case "none":
    case "unknown":
      return `let it read, or tell the partner to stop its program: ${command}`
    case "withdrawn":
    case "ended":
      return `give the grant back, or tell the partner to stop its program: ${command}`
  }
}
