import type { FailureCode, PostOutcome } from "./post.ts"

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Seconds from each failed attempt to the next, for a day. */
const firstDay = [5, 15, minute, 5 * minute, 15 * minute, 30 * minute, ...Array(23).fill(hour)]

/** The same for a receiver that has worked before. */
const eightDays = [...firstDay, ...Array(7).fill(day)]

/**
 * The most by which a pause differs from the plan, as a fraction: receivers that failed together are retried at
 * different times.
 */
const jitter = 0.2

/**
 * Returns the seconds until the next attempt after a number of consecutive failures; undefined after the last attempt.
 * Counts attempts, not days, so that clock changes do not matter.
 */
export function pauseAfter(
  failures: number,
  { isConfirmed, random = Math.random }: {
    readonly isConfirmed: boolean
    readonly random?: () => number
  },
): number | undefined {
  const pause = longestPauseAfter(failures, isConfirmed)
  return pause && pause * (1 + jitter * (2 * random() - 1)) / (1 + jitter)
}

/** Returns the most seconds that `pauseAfter` can return, or undefined if that does. */
export function longestPauseAfter(failures: number, isConfirmed: boolean): number | undefined {
  const pause: number | undefined = (isConfirmed ? eightDays : firstDay)[failures - 1]
  return pause && pause * (1 + jitter)
}

/** Why an attempt failed: no complete response, a status other than 2xx, or no correct answer to a challenge. */
export type AttemptError = FailureCode | "status" | "no_echo"

/** The outcome of an attempt. */
export type PingAttempt =
  | { readonly result: "delivered"; readonly status: number }
  /** The receiver wants no more pings. */
  | { readonly result: "gone"; readonly status: number; readonly error: AttemptError }
  | { readonly result: "failed"; readonly status: number | null; readonly error: AttemptError }

/** Judges the outcome of a request. For a challenge, the response must contain one of `answers`. */
export function judge(outcome: PostOutcome, answers?: readonly string[]): PingAttempt {
  if ("failed" in outcome) return { result: "failed", status: null, error: outcome.failed }
  const { status, body } = outcome
  if (status === 410) return { result: "gone", status, error: "status" }
  if (status < 200 || status > 299) return { result: "failed", status, error: "status" }
  const isRight = !answers ||
    answers.some((answer) => body.trim() === answer || answerIn(body) === answer)
  return isRight ? { result: "delivered", status } : { result: "failed", status, error: "no_echo" }
}

function answerIn(body: string): unknown {
  try {
    return JSON.parse(body)?.answer
  } catch {
    return undefined
  }
}
