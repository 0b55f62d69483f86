import { Buffer } from "node:buffer"
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto"
import * as v from "valibot"
import type { Positions } from "../../records/page.ts"

/** Characters beyond which a cursor is refused unread; one for the longest `q` fits. */
export const longestCursor = 2048

/** Seconds that a cursor can be used. */
export const cursorLifetime = 24 * 60 * 60

/** A walk through a list: what was asked for at its start, and where it goes on. */
export interface Walk {
  readonly q: string
  readonly since: number
  readonly limit: number
  readonly bucket: string
  /** `Next-Since` of the first page. */
  readonly nextSince: number
  /** When the cursor was made, in Unix seconds on the database's clock. */
  readonly issued: number
  readonly after: Positions
}

/** Who may use a cursor, and where: it is good for nothing else. */
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
])

/**
 * Makes and reads cursors: the walk, and a signature over it and what it is bound to. The keys are
 * derived from the secrets of the sessions, newest first: the first signs, all are accepted.
 */
export class Cursors {
  readonly #keys: readonly Buffer[]

  constructor(secrets: readonly string[]) {
    this.#keys = secrets.map((secret) =>
      Buffer.from(hkdfSync("sha256", secret, "", "event-export cursor", 32))
    )
  }

  /** The cursor of a walk: letters, digits, `-`, `_` and a dot. */
  seal(walk: Walk, binding: CursorBinding): string {
    const { q, since, limit, bucket, nextSince, issued, after } = walk
    const text = JSON.stringify([q, since, limit, bucket, nextSince, issued, after])
    const content = Buffer.from(text).toString("base64url")
    return `${content}.${sign(content, binding, this.#keys[0] as Buffer)}`
  }

  /** The walk of a cursor; undefined where it was not made here, for this caller and this place. */
  open(cursor: string, binding: CursorBinding): Walk | undefined {
    if (cursor.length > longestCursor) return undefined
    const [content = "", signature = "", ...rest] = cursor.split(".")
    const signed = this.#keys.some((key) => isEqual(sign(content, binding, key), signature))
    if (!signed || rest.length > 0) return undefined
    const walk = v.safeParse(payload, JSON.parse(Buffer.from(content, "base64url").toString()))
    if (!walk.success) return undefined
    const [q, since, limit, bucket, nextSince, issued, after] = walk.output
    return { q, since, limit, bucket, nextSince, issued, after }
  }
}

function sign(content: string, { accountId, route, eventId }: CursorBinding, key: Buffer): string {
  const text = [accountId, route, eventId, content].join("\n")
  return createHmac("sha256", key).update(text).digest("base64url")
}

function isEqual(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
