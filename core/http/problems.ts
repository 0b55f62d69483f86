import { answerJson, type JsonAnswer } from "./answer.ts"

/** The maximum length of a JSON body, in bytes: a name and a password are the longest input. */
export const longestBody = 4096

/** The maximum length of path and query together, in characters. */
export const longestUrl = 8192

/** The fields that all errors of one code share. */
interface ProblemKind {
  readonly status: number
  readonly title: string
  /** The usual detail, if there is one. */
  readonly detail?: string
}

/** The one table of the error codes that a response can carry. */
export const problems = {
  invalid_parameter: { status: 400, title: "A parameter is not valid" },
  invalid_body: {
    status: 400,
    title: "The request body is not valid",
    detail: "The body is not JSON.",
  },
  malformed_request: {
    status: 400,
    title: "The request cannot be read",
    detail: "Send one Host header with a name and nothing else.",
  },
  unauthenticated: { status: 401, title: "Not logged in" },
  invalid_credentials: { status: 401, title: "Wrong user name or password" },
  not_service_user: { status: 403, title: "Not the service user of this namespace" },
  not_operator: { status: 403, title: "Not an operator" },
  connector_not_enabled: { status: 403, title: "Connector not turned on" },
  not_with_a_token: {
    status: 403,
    title: "Not with a token",
    detail:
      "Tokens, and sessions that an operator has opened, cannot make, list or revoke tokens. " +
      "Log in with POST /session for this.",
  },
  insufficient_scope: { status: 403, title: "Not within the scope of this token" },
  event_not_found: { status: 404, title: "No such event" },
  record_not_found: {
    status: 404,
    title: "No such record",
    detail: "The event has no record with this id now.",
  },
  not_available: { status: 404, title: "Not available" },
  not_found: {
    status: 404,
    title: "No such address",
    detail: "There is nothing at this URL. Check each segment of the path.",
  },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  too_many_tokens: { status: 409, title: "Too many tokens" },
  cursor_expired: {
    status: 410,
    title: "The cursor has expired",
    detail: "A cursor is valid for a day. Start again without it, with the same since as before.",
  },
  resync_required: {
    status: 410,
    title: "Deletions are not known that far back",
    detail:
      "Deletions are known only since the time in Complete-Since. Read the whole list again with since=-1, " +
      "drop the records that are not in it, and continue from its Next-Since.",
  },
  body_too_large: {
    status: 413,
    title: "The request body is too large",
    detail: `A body may have up to ${longestBody} bytes.`,
  },
  url_too_long: {
    status: 414,
    title: "The address is too long",
    detail: `Path and query may have up to ${longestUrl} characters.`,
  },
  unsupported_media_type: {
    status: 415,
    title: "The request body is of the wrong type",
    detail: "Send JSON with the header content-type: application/json.",
  },
  headers_too_large: {
    status: 431,
    title: "The request headers are too large",
    detail: "The request line and the headers may have up to 16 KiB together.",
  },
  misdirected_request: {
    status: 421,
    title: "Not for this service",
    detail: "Unknown Host header.",
  },
  too_fast: {
    status: 429,
    title: "Too many requests in a second",
    detail: "Too many requests in one second. Send one after the other, or wait for Retry-After.",
  },
  too_many_requests: {
    status: 429,
    title: "Too many requests in an hour",
    detail: "The requests of this hour are used up. Request only changes, with since, less often.",
  },
  too_many_at_once: {
    status: 429,
    title: "Too many requests at once",
    detail: "You have as many requests running as you may. Wait for one to end.",
  },
  too_many_log_ins: {
    status: 429,
    title: "Too many log-ins",
    detail: "Too many log-ins failed under this name or from this network, or too many are " +
      "waiting. Try again after the seconds in Retry-After.",
  },
  internal: {
    status: 500,
    title: "Something went wrong here",
    detail: "Internal error. Give the request id to the operator.",
  },
  unavailable: {
    status: 503,
    title: "Cannot answer now",
    detail: "The service cannot answer now. Nothing was changed; try again shortly.",
  },
} as const satisfies Record<string, ProblemKind>

/** The statuses of errors. */
export const errorStatuses: readonly number[] = [
  ...new Set(Object.values(problems).map(({ status }) => status)),
]

export type ProblemCode = keyof typeof problems

/** The codes that have a usual detail. */
type DetailedCode = {
  [Code in ProblemCode]: (typeof problems)[Code] extends { detail: string } ? Code : never
}[ProblemCode]

/** One parameter that was refused. */
export interface ParameterError {
  readonly parameter: string
  /** As it was sent; null if it is missing. */
  readonly value: string | null
  readonly detail: string
}

interface ProblemOptions {
  readonly errors?: readonly ParameterError[]
  readonly headers?: Readonly<Record<string, string>>
}

/** The options of a 503: try again in 5 seconds. */
export const retryLater: ProblemOptions = { headers: { "retry-after": "5" } }

/** Ends a request with an error for the caller. Anything else that is thrown becomes a 500. */
export class Problem extends Error {
  override readonly name = "Problem"
  readonly code: ProblemCode
  readonly errors: readonly ParameterError[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, detail: string, { errors, headers = {} }: ProblemOptions = {}) {
    super(detail)
    this.code = code
    this.errors = errors
    this.headers = headers
  }

  get status(): number {
    return problems[this.code].status
  }

  /**
   * Returns the problem details of RFC 9457. `type` is a path of this service, where a plugin may explain the
   * problem; `code` identifies it.
   */
  toJSON(requestId: string): Record<string, unknown> {
    return {
      type: `/problems/${this.code}`,
      title: problems[this.code].title,
      status: this.status,
      detail: this.message,
      code: this.code,
      requestId,
      ...this.errors && { errors: this.errors },
    }
  }

  /** Returns the response of the problem, which must not be cached. */
  toAnswer(requestId: string): JsonAnswer {
    return answerJson(this.toJSON(requestId), {
      status: this.status,
      headers: {
        "content-type": "application/problem+json",
        "cache-control": "no-store",
        "x-request-id": requestId,
        ...this.headers,
      },
    })
  }
}

/** Returns a problem with the usual detail of its code. */
export function usualProblem(code: DetailedCode, options?: ProblemOptions): Problem {
  return new Problem(code, problems[code].detail, options)
}
