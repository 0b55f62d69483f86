import type { AttemptError } from "./attempts.ts"
import type { RegisteredReceiver } from "./receivers.ts"

/** A receiver's state in words, for people and programs. */
export interface ReceiverText {
  /** A word or two. */
  readonly word: string
  readonly grade: "good" | "note" | "warn" | "bad"
  /** Its state and the reason, in a sentence. */
  readonly what: string
  /** What to do, in a sentence; empty if there is nothing to do. */
  readonly advice: string
}

const signsOrByHand =
  "Let it answer with the signature of the challenge, or confirm it by hand with its text."

/** By the code in `last_error`: what went wrong, to follow "the last attempt failed: ", and what to do. */
const failures: Readonly<Record<AttemptError, readonly [what: string, advice: string]>> = {
  status: ["it answered {status}", "Let it answer with a status of 2xx."],
  no_echo: [
    "its answer was not the signature of the challenge",
    signsOrByHand,
  ],
  refused_target: ["the operator does not allow its URL now", "Register another URL."],
  no_address: [
    "its name has no address, or no name server answered",
    "Check its name in the DNS.",
  ],
  refused_address: [
    "its name stands for an address that is not public",
    "Give its name public addresses only.",
  ],
  no_connection: [
    "nothing listened at its address",
    "Check that it runs, and that the internet can reach it.",
  ],
  tls: ["its certificate is not valid for its name", "Check its certificate."],
  timeout: [
    "it did not answer in 5 seconds",
    "Let it answer at once, and poll after that.",
  ],
  broken: [
    "its answer was not HTTP, or was cut short",
    "Check the server or the proxy that answers.",
  ],
}

const redirected = "Redirects are not followed: register the URL that it leads to."
const backOn = "When it works, ask for a challenge, which turns it on again; or remove it."

/** Describes the state of a receiver. */
export function tellOf(receiver: RegisteredReceiver): ReceiverText {
  const { state, reason, attempts } = receiver
  if (state === "off") return { word: "off", grade: "bad", ...tellOff(receiver, reason) }
  if (receiver.disabled) {
    const what = "It gets nothing while its account is disabled."
    return { word: state, grade: "note", what, advice: "" }
  }
  const failed = failureOf(receiver)
  if (state === "unconfirmed") {
    const what = "It gets no pings before it has answered a challenge"
    return failed
      ? { word: state, grade: "warn", what: `${what}: ${failed.what}.`, advice: failed.advice }
      : {
        word: state,
        grade: "note",
        what: `${what}, which is on its way.`,
        advice: signsOrByHand,
      }
  }
  if (!failed) return { word: "on", grade: "good", what: "It gets pings.", advice: "" }
  const what = attempts > 1 ? `The last ${attempts} attempts failed` : "The last attempt failed"
  return { word: "failing", grade: "warn", what: `${what}: ${failed.what}.`, advice: failed.advice }
}

/** Returns when the next attempt is planned, in Unix seconds: `now` if it is due, null if none is planned. */
export function nextAttemptOf(receiver: RegisteredReceiver, now: number): number | null {
  const { state, failing_since, next_at, disabled } = receiver
  if (disabled) return null
  const isPlanned = state === "unconfirmed" || (state === "on" && failing_since !== null)
  return isPlanned ? Math.max(next_at, now) : null
}

/** Returns a receiver as programs see it. */
export function toJson(one: RegisteredReceiver, now: number) {
  const { what, advice } = tellOf(one)
  const { id, url, state, reason, created, since, former_until: until } = one
  return {
    ...{ id, url, state, reason, detail: advice ? `${what} ${advice}` : what, created, since },
    lastSent: one.last_sent,
    lastStatus: one.last_status,
    lastError: one.last_error,
    failingSince: one.failing_since,
    nextAttempt: nextAttemptOf(one, now),
    formerSecretUntil: until !== null && until > now ? until : null,
  }
}

function tellOff(
  receiver: RegisteredReceiver,
  reason: RegisteredReceiver["reason"],
): Pick<ReceiverText, "what" | "advice"> {
  const failed = failureOf(receiver)
  const last = failed && ` The last time, ${failed.what}.`
  switch (reason) {
    case "gone":
      return { what: "It answered 410: it wants no pings.", advice: backOn }
    case "revoked":
      return {
        what: "All sessions of its account were ended, perhaps because somebody else had one.",
        advice: "If it is yours, ask for a challenge, which turns it on again; or remove it.",
      }
    case "failing":
      return { what: `All attempts of eight days failed.${last ?? ""}`, advice: backOn }
    default:
      return { what: `It did not answer a challenge within a day.${last ?? ""}`, advice: backOn }
  }
}

function failureOf(
  { last_error, last_status }: RegisteredReceiver,
): Pick<ReceiverText, "what" | "advice"> | undefined {
  if (last_error === null) return undefined
  // Another version may have stored a code that this one does not know.
  const [what, advice] = failures[last_error as keyof typeof failures] ?? failures.broken
  const isRedirect = last_error === "status" && last_status !== null && last_status >= 300 &&
    last_status < 400
  return {
    what: what.replace("{status}", String(last_status)),
    advice: isRedirect ? redirected : advice,
  }
}
