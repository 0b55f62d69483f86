import type { Answer } from "../http/answer.ts"
import type { Ending, PageFacts } from "./facts.ts"

/** An answer, and what is known of it. */
export interface Answered extends Answer {
  /** Present for a page of a list. */
  readonly page?: PageFacts
  /** Present if the response is made while it is sent. */
  readonly streamed?: Streamed
}

/** A response that is still being made while it is sent. */
export interface Streamed {
  /** What may be sent. `rows` is not zero if there are any. */
  readonly begun: PageFacts
  /** What was sent, as far as the service knows. Never rejects. */
  readonly ended: Promise<StreamEnd>
}

export interface StreamEnd {
  readonly page: PageFacts
  readonly ending: Ending
  /** Bytes of the body, as sent. */
  readonly bytes: number
  /** Why it was cut, if not because the client has gone. */
  readonly error?: unknown
}
