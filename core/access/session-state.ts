import type { Schema } from "../data/schema.ts"
import type { EndReason } from "../data/service-tables.ts"

/**
 * The state of a session. `paused`: its account is disabled, and it will count again once it is not.
 * The reasons say why a session ended before its time.
 */
export type SessionState = "live" | "paused" | "idle" | "expired" | EndReason

/** What decides about the state of a session. Times are Unix seconds. */
interface SessionFacts extends Pick<Schema["session"], "created" | "used" | "expires" | "reason"> {
  readonly now: number
  /** 1 if it ends at its time only. */
  readonly lasting: number
  /** True or 1 if its account is. */
  readonly disabled: boolean | number
}

/** Returns the state of a session, as the admission statement decides it. */
export function sessionStateOf(
  { now, created, used, expires, reason, lasting, disabled }: SessionFacts,
  idle: number,
): SessionState {
  if (reason !== null && (reason !== "replaced" || expires <= now)) return reason
  if (expires <= now) return "expired"
  if (idle > 0 && !lasting && (used ?? created) <= now - idle) return "idle"
  return disabled ? "paused" : "live"
}
