import type { TargetRules } from "./target.ts"

/** What came of a request: an answer, or the code of what went wrong. */
export type Outcome = Answer | { readonly failed: FailureCode }

/** An answer of a receiver, of any status. */
export interface Answer {
  readonly status: number
  /** At most 4 kB; what follows is cut. */
  readonly body: string
}

/** Codes only: a text of a receiver or of a library goes into no log and on no page. */
export type FailureCode = (typeof failureCodes)[number]
export const failureCodes = [
  /** The URL is not allowed, by the settings of now. */
  "refused_target",
  /** The name has no address, or its name servers do not answer. */
  "no_address",
  /** An address of the name is not public. */
  "refused_address",
  /** There is no connection to the address. */
  "no_connection",
  /** The certificate is not valid for the name, or there is no TLS. */
  "tls",
  /** There is no whole answer in time. */
  "timeout",
  /** The answer is no HTTP, or the connection ended before it was whole. */
  "broken",
  /** All connections were in use. The receiver was not asked. */
  "busy",
] as const

/** A request to a receiver. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Ends the request. */
  readonly signal?: AbortSignal
}

/** Sends requests to receivers that strangers name. */
export class Poster {
  constructor(_options: TargetRules) {
  }

  /** Sends a request and returns what came of it; never throws for what a receiver does. */
  async post(
    _url: string,
    _message: Message,
    _options: { readonly isFailing: boolean },
  ): Promise<Outcome> {
    return { failed: "busy" }
  }

  /** Ends all requests and closes all connections. */
  close(): void {}
}
