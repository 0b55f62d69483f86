import { Buffer } from "node:buffer"
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto"
import * as v from "valibot"
import { walkLifetime } from "../../change-log/walk-lifetime.ts"
import { Problem, problems } from "../../http/problems.ts"
import type { Positions } from "../../records/page.ts"
import { invalidParameter, type ListQuery, longestCursor, notACursor } from "./query.ts"

/** A walk through a list: the query of its first page, and the position to continue from. */
interface Walk {
  readonly q: string
  readonly since: number
  readonly limit: number
  readonly bucket: string
  readonly hash: string
  readonly category: string
  /** `Next-Since` of the first page. */
  readonly nextSince: number
  /** When the cursor was made, in Unix seconds on the database's clock. */
  readonly issued: number
  readonly after: Positions
}

/** The one account and list that a cursor is valid for. */
export interface CursorBinding {
  readonly accountId: string
  /** The pattern of the route. */
  readonly route: string
  readonly eventId: string
}

const payload = v.strictTuple([
  v.string(),
  v.number(),
  v.number(),
  v.string(),
  v.number(),
  v.number(),
  v.record(v.string(), v.tuple([v.number(), v.string()])),
  v.optional(v.string(), ""),
  v.optional(v.string(), ""),
])

/**
 * Makes and reads cursors: the walk, with a signature over it and its binding. The keys are derived
 * from the session secrets, newest first: the first signs, all are accepted.
 */
export class Cursors {
  readonly #keys: readonly Buffer[]

  constructor(secrets: readonly string[]) {
    this.#keys = secrets.map((secret) =>
      Buffer.from(hkdfSync("sha256", secret, "", "event-export cursor", 32))
    )
  }

  /** Returns the cursor of a walk: letters, digits, `-`, `_` and a dot. */
  seal(walk: Walk, binding: CursorBinding): string {
    const { q, since, limit, bucket, hash, category, nextSince, issued, after } = walk
    // Without hash and category, the cursor is that of services which knew neither: each reads the others'.
    const last = category !== "" ? [hash, category] : hash !== "" ? [hash] : []
    const text = JSON.stringify([q, since, limit, bucket, nextSince, issued, after, ...last])
    const content = Buffer.from(text).toString("base64url")
    return `${content}.${sign(content, binding, this.#keys[0] as Buffer)}`
  }

  /** Returns the walk of a cursor; undefined if it was not made here for this account and list. */
  open(cursor: string, binding: CursorBinding): Walk | undefined {
    if (cursor.length > longestCursor) return undefined
    const [content = "", signature = "", ...rest] = cursor.split(".")
    const signed = this.#keys.some((key) => isEqual(sign(content, binding, key), signature))
    if (!signed || rest.length > 0) return undefined
    const walk = v.safeParse(payload, JSON.parse(Buffer.from(content, "base64url").toString()))
    if (!walk.success) return undefined
    const [q, since, limit, bucket, nextSince, issued, after, hash, category] = walk.output
    return { q, since, limit, bucket, hash, category, nextSince, issued, after }
  }
}

/** One page of a walk. */
export interface WalkStep {
  readonly query: ListQuery
  /** `Next-Since` of the walk's first page, in Unix seconds. */
  readonly nextSince: number
}

/**
 * Continues the walk of a query's cursor, with the query and the `Next-Since` of its first page.
 *
 * `now` is the database's clock in Unix seconds, `lag` how far `Next-Since` is behind it.
 *
 * @throws {Problem} 400 if the cursor is not of this list or other parameters contradict it; 410 if it
 *   has expired.
 */
export function continueWalk(
  query: ListQuery & { readonly cursor: string },
  { binding, now, cursors, lag }: {
    readonly binding: CursorBinding
    readonly now: number
    readonly cursors: Cursors
    readonly lag: number
  },
): WalkStep {
  const walk = cursors.open(query.cursor, binding)
  if (!walk) throw invalidParameter("cursor", query.cursor, notACursor)
  const given = { ...query, q: query.terms.join(" ") }
  for (const name of ["q", "since", "limit", "bucket", "hash", "category"] as const) {
    if (!query.given.has(name) || given[name] === walk[name]) continue
    throw invalidParameter(name, String(given[name]), "is not that of the cursor: leave it out")
  }
  // If the clock was set back further than the lag, the walk's Next-Since lies in the future.
  if (now - walk.issued > walkLifetime || walk.issued - now > lag) {
    throw new Problem("cursor_expired", problems.cursor_expired.detail)
  }
  const { since, limit, bucket, hash, category, after, nextSince } = walk
  const terms = walk.q === "" ? [] : walk.q.split(" ")
  const walked = { since, limit, bucket, hash, category, terms, after }
  return { query: { ...query, ...walked, offset: 0 }, nextSince }
}

function sign(content: string, { accountId, route, eventId }: CursorBinding, key: Buffer): string {
  const text = [accountId, route, eventId, content].join("\n")
  return createHmac("sha256", key).update(text).digest("base64url")
}

function isEqual(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
