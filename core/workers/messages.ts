import type { MetricsPart } from "../metrics/metrics.ts"
import type { ReloadOutcome } from "../status.ts"

/** What the primary tells a worker. */
export type ToWorker =
  /** Start with this text of the configuration file. */
  | { readonly kind: "begin"; readonly text: string }
  /** Put this text into force, and answer `reloaded`. */
  | { readonly kind: "reload"; readonly text: string; readonly trigger: string }
  /** This is how the last reload ended. */
  | { readonly kind: "outcome"; readonly outcome: ReloadOutcome }
  /** Answer `measured`. */
  | { readonly kind: "measure" }
  /** So many workers are listening now. */
  | { readonly kind: "listening"; readonly workers: number }
  /** Finish what is running, and end. */
  | { readonly kind: "stop" }

/** What a worker tells the primary. */
export type ToPrimary =
  /** It can be told something. */
  | { readonly kind: "ready" }
  | { readonly kind: "listening"; readonly url: string }
  /** It could not start, and ends. */
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "reloaded"; readonly outcome: ReloadOutcome }
  | { readonly kind: "measured"; readonly part: MetricsPart }

/** True for one of ours: the rate limiters send theirs along the same channel. */
export function isMessage<Message extends ToWorker | ToPrimary>(
  message: unknown,
): message is Message {
  return typeof message === "object" && message !== null && "kind" in message
}
