import type { Buffer } from "node:buffer"
import * as v from "valibot"
import type { Positions } from "../../records/lists/page.ts"
import { longestCursor } from "./query.ts"
import { type CursorBinding, deriveKey, openText, signText } from "./signed-text.ts"

/** What a cursor says of a walk: the query of its first page, and the position to continue from. */
export interface WalkState {
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
 * Makes and reads cursors: a walk, signed together with its binding. The keys are derived from the session secrets,
 * newest first: the first signs, all are accepted.
 */
export class Cursors {
  readonly #keys: readonly Buffer[]

  constructor(secrets: readonly string[]) {
    this.#keys = secrets.map((secret) => deriveKey(secret, "cursor"))
  }

  /** Returns the cursor of a walk: letters, digits, `-`, `_` and a dot. */
  seal(walk: WalkState, binding: CursorBinding): string {
    const { q, since, limit, bucket, hash, category, nextSince, issued, after } = walk
    // Without hash and category, the cursor is that of services which knew neither: each reads the others'.
    const last = category !== "" ? [hash, category] : hash !== "" ? [hash] : []
    const text = JSON.stringify([q, since, limit, bucket, nextSince, issued, after, ...last])
    return signText(text, binding, this.#keys[0] as Buffer)
  }

  /** Returns the walk of a cursor; undefined if it was not made here for this account and list. */
  open(cursor: string, binding: CursorBinding): WalkState | undefined {
    if (cursor.length > longestCursor) return undefined
    const text = openText(cursor, binding, this.#keys)
    if (text === undefined) return undefined
    const walk = v.safeParse(payload, JSON.parse(text))
    if (!walk.success) return undefined
    const [q, since, limit, bucket, nextSince, issued, after, hash, category] = walk.output
    return { q, since, limit, bucket, hash, category, nextSince, issued, after }
  }
}
