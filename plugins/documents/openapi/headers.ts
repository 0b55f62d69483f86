import { type Json, sortedByName } from "./schemas.ts"

const seconds = { type: "integer", format: "int64" }
const text = { type: "string" }

/** The response headers whose meaning HTTP alone does not define. */
const headers = {
  "X-Request-Id": {
    description: "The id of this request. If the request has one, it is kept.",
    schema: { type: "string", maxLength: 64 },
  },
  "Cache-Control": { description: "Who may cache the response.", schema: text },
  Vary: { description: "The request headers that the response depends on.", schema: text },
  ETag: {
    description:
      "Send it as `If-None-Match`: you get 304 if nothing has changed or been deleted, and it counts as a " +
      "tenth of a request. A page has it only if the service can tell whether this page or a later one has " +
      "changed.",
    schema: { type: "string", pattern: '^(W/)?"[^"]*"$' },
  },
  "Next-Since": {
    description: "Send the first page's value as `since` with the next poll.",
    schema: seconds,
  },
  "Poll-Interval": { description: "Seconds until the next poll.", schema: seconds },
  Link: {
    description:
      '`<URL>; rel="next"` is the next page, if there is one. `<URL>; rel="first"` is where to begin again.',
    schema: text,
  },
  More: {
    description: "The categories that continue after this page, separated by commas.",
    schema: text,
  },
  "Complete-Since": {
    description: "Deletions are complete since this time, in Unix seconds.",
    schema: seconds,
  },
  Fields: {
    description:
      "Changes if records get other fields: then read all of them again. A digest has the value of its list.",
    schema: { type: "string", pattern: "^[0-9a-f]{8}$" },
  },
  Copy: {
    description:
      "`same` or `different`: whether your copy, as `mine` and `fields` describe it, is the same as the event.",
    schema: { type: "string", enum: ["same", "different"] },
  },
  Hint: {
    description: "A warning about a request that was answered: `since` is in the future.",
    schema: text,
  },
  RateLimit: {
    description: 'The rest of the rate limits, as in `"burst";r=49;t=1, "quota";r=35999;t=1`.',
    schema: text,
  },
  "RateLimit-Policy": {
    description: 'The rate limits, as in `"burst";q=50;w=1, "quota";q=36000;w=3600`.',
    schema: text,
  },
  "Retry-After": { description: "Seconds to wait before the next request.", schema: seconds },
  "WWW-Authenticate": { description: "Says that the request needs a session.", schema: text },
  "Content-Disposition": { description: "A name for the file, for CSV and exports.", schema: text },
  "Preference-Applied": {
    description: "The part of `Prefer` that was followed (RFC 7240).",
    schema: text,
  },
  "Set-Cookie": {
    description: "Sets the session cookie, or deletes it. Has Max-Age and Expires.",
    schema: text,
  },
} as const satisfies Record<string, Json>

/** The headers of a response. */
export interface HeaderNames {
  readonly always: readonly string[]
  readonly sometimes?: readonly string[]
}

/** A document's header components, to which responses refer. */
export class ResponseHeaders {
  readonly #referred = new Map<string, Json>()

  /** Returns references to the headers of a response. */
  of({ always, sometimes = [] }: HeaderNames): Json {
    return Object.fromEntries([
      ...always.map((name) => [name, this.#refer(name, { required: true })]),
      ...sometimes.map((name) => [name, this.#refer(`Optional${name}`, {})]),
    ])
  }

  /** The headers that are referenced, by name. */
  get components(): Json {
    return sortedByName(this.#referred)
  }

  #refer(key: string, required: Json): Json {
    const name = key.replace(/^Optional/, "")
    const definition = name in headers ? headers[name as keyof typeof headers] : { schema: text }
    this.#referred.set(key, { ...definition, ...required })
    return { $ref: `#/components/headers/${key}` }
  }
}

/** The headers of every list. */
export const headersOfLists = [
  "X-Request-Id",
  "Cache-Control",
  "Vary",
  "Next-Since",
  "Poll-Interval",
  "RateLimit",
  "RateLimit-Policy",
]
