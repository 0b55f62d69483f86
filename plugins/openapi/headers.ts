import type { MountedRoute } from "../../core/plugin.ts"
import type { Json } from "./schemas.ts"

const seconds = { type: "integer", format: "int64" }
const text = { type: "string" }

/** Every header of an answer that is more than a matter of HTTP itself, with what it means. */
const headers = {
  "X-Request-Id": {
    description: "Names this request. Sent along with a request, it is taken over.",
    schema: { type: "string", maxLength: 64 },
  },
  "Cache-Control": { description: "Who may keep the answer.", schema: text },
  Vary: { description: "The request headers that the answer depends on.", schema: text },
  ETag: {
    description:
      "Send it as `If-None-Match`: 304 where nothing has changed, at a tenth of the cost.",
    schema: { type: "string", pattern: '^(W/)?"[^"]*"$' },
  },
  "Next-Since": {
    description: "Send that of the first page as `since` in the next poll.",
    schema: seconds,
  },
  "Poll-Interval": { description: "Seconds until the next poll.", schema: seconds },
  Link: {
    description: '`<address>; rel="next"` is the next page, exactly where there is one. ' +
      '`<address>; rel="successor-version"` is what takes the place of a deprecated route.',
    schema: text,
  },
  More: {
    description: "The categories that go on after this page, separated by commas.",
    schema: text,
  },
  "Complete-Since": {
    description: "From when on deletions are known, in Unix seconds.",
    schema: seconds,
  },
  RateLimit: {
    description: 'What is left, as in `"burst";r=49;t=1, "quota";r=35999;t=3600`.',
    schema: text,
  },
  "RateLimit-Policy": {
    description: 'What there is, as in `"burst";q=50;w=1, "quota";q=36000;w=3600`.',
    schema: text,
  },
  Deprecation: {
    description: "From when on the route is deprecated: `@` and Unix seconds (RFC 9745).",
    schema: { type: "string", pattern: "^@-?[0-9]+$" },
  },
  Sunset: { description: "From when on the route may be gone (RFC 8594).", schema: text },
  "Retry-After": { description: "Seconds to wait before asking again.", schema: seconds },
  "WWW-Authenticate": { description: "That a session is needed.", schema: text },
  "Server-Timing": {
    description: "For operators: milliseconds of `auth`, `db`, `project` and `encode`, and in all.",
    schema: text,
  },
  traceresponse: {
    description: "The trace that the answer belongs to, where the request had a `traceparent`.",
    schema: text,
  },
  "Set-Cookie": { description: "The session; or that it has ended.", schema: text },
} as const satisfies Record<string, Json>

/** Which headers an answer has. */
export interface HeaderNames {
  readonly always: readonly string[]
  readonly sometimes?: readonly string[]
}

/** What any answer may have. */
const onAny = ["Server-Timing", "traceresponse"]

/** The headers of a document: answers refer to them. */
export class AnswerHeaders {
  readonly #referred = new Map<string, Json>()

  /** References to the headers of an answer. */
  of({ always, sometimes = [] }: HeaderNames): Json {
    return Object.fromEntries([
      ...always.map((name) => [name, this.#refer(name, { required: true })]),
      ...[...sometimes, ...onAny].map((name) => [name, this.#refer(`${name}.optional`, {})]),
    ])
  }

  /** The headers that were referred to, by name. */
  get components(): Json {
    return Object.fromEntries([...this.#referred].sort(([a], [b]) => a < b ? -1 : 1))
  }

  #refer(key: string, required: Json): Json {
    const name = key.replace(/\.optional$/, "")
    const definition = name in headers ? headers[name as keyof typeof headers] : { schema: text }
    this.#referred.set(key, { ...definition, ...required })
    return { $ref: `#/components/headers/${key}` }
  }
}

/** What every answer of a deprecated route has. */
export function deprecationOf({ deprecated }: MountedRoute): string[] {
  if (!deprecated) return []
  return ["Deprecation", "Sunset", ...deprecated.successor === undefined ? [] : ["Link"]]
}
