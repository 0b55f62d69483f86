import type { Json } from "./schemas.ts"

const seconds = { type: "integer", format: "int64" }
const text = { type: "string" }

/** Every header of an answer that is more than a matter of HTTP itself, with what it means. */
export const headers = {
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
    description: '`<address>; rel="next"` is the next page, exactly where there is one.',
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
  "Retry-After": { description: "Seconds to wait before asking again.", schema: seconds },
  "WWW-Authenticate": { description: "That a session is needed.", schema: text },
  "Set-Cookie": { description: "The session; or that it has ended.", schema: text },
} as const satisfies Record<string, Json>

type HeaderName = keyof typeof headers

/** Which headers an answer has. */
export interface HeaderNames {
  readonly always: readonly string[]
  readonly sometimes?: readonly string[]
}

/** The headers of an answer: references to those that it always has, the others in full. */
export function headersOf({ always, sometimes = [] }: HeaderNames): Json {
  return Object.fromEntries([
    ...always.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ...sometimes.map((name) => [name, definitionOf(name)]),
  ])
}

/** The headers that answers refer to, by name. */
export function headerComponents(names: ReadonlySet<string>): Json {
  return Object.fromEntries(
    [...names].sort().map((name) => [name, { ...definitionOf(name), required: true }]),
  )
}

function definitionOf(name: string): Json {
  return name in headers ? headers[name as HeaderName] : { schema: text }
}
