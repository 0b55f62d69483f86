import { type Answer, answerJson } from "./answer.ts"

/** Every error code that a response can carry, with its status and title: the one table of them. */
export const problems = {
  invalid_parameter: { status: 400, title: "A parameter is not valid" },
  invalid_body: { status: 400, title: "The request body is not valid" },
  malformed_request: { status: 400, title: "The request cannot be read" },
  unauthenticated: { status: 401, title: "Not logged in" },
  invalid_credentials: { status: 401, title: "Wrong user name or password" },
  not_service_user: { status: 403, title: "Not the service user of this namespace" },
  not_operator: { status: 403, title: "Not an operator" },
  connector_not_enabled: { status: 403, title: "Connector not turned on" },
  event_not_found: { status: 404, title: "No such event" },
  not_available: { status: 404, title: "Not available yet" },
  not_found: { status: 404, title: "No such address" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  cursor_expired: { status: 410, title: "The cursor has expired" },
  resync_required: { status: 410, title: "Deletions are not known that far back" },
  body_too_large: { status: 413, title: "The request body is too large" },
  url_too_long: { status: 414, title: "The address is too long" },
  unsupported_media_type: { status: 415, title: "The request body is of the wrong type" },
  headers_too_large: { status: 431, title: "The request headers are too large" },
  misdirected_request: { status: 421, title: "Not for this service" },
  too_fast: { status: 429, title: "Too many requests in a second" },
  too_many_requests: { status: 429, title: "Too many requests in an hour" },
  too_many_at_once: { status: 429, title: "Too many requests at once" },
  too_many_log_ins: { status: 429, title: "Too many log-ins failed" },
  internal: { status: 500, title: "Something went wrong here" },
  unavailable: { status: 503, title: "Cannot answer now" },
} as const

export type ProblemCode = keyof typeof problems

/** One parameter that was refused. */
export interface ParameterError {
  readonly parameter: string
  /** As it was sent; null where it is missing. */
  readonly value: string | null
  readonly detail: string
}

interface ProblemOptions {
  readonly errors?: readonly ParameterError[]
  readonly headers?: Readonly<Record<string, string>>
}

/** For a 503: come back in some seconds. */
export const retryLater: ProblemOptions = { headers: { "retry-after": "5" } }

/** Ends a request with an error that is meant for the caller. Anything else that is thrown is a 500. */
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

  /** The problem details of RFC 9457. */
  toJSON(requestId: string): Record<string, unknown> {
    return {
      type: `urn:event-export:problem:${this.code}`,
      title: problems[this.code].title,
      status: this.status,
      detail: this.message,
      code: this.code,
      requestId,
      ...(this.errors ? { errors: this.errors } : {}),
    }
  }

  toAnswer(requestId: string): Answer {
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
