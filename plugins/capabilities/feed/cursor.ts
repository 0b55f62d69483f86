import { Buffer } from "node:buffer"
import { createHmac, timingSafeEqual } from "node:crypto"
import * as v from "valibot"
import type { FeedState } from "./walk.ts"

/** The one account and feed that a cursor is of. */
export interface FeedBinding {
  readonly accountId: string
  /** The pattern of the route. */
  readonly route: string
  readonly eventId: string
}

/** The version of what a cursor contains. */
const version = 1

const place = v.tuple([v.number(), v.number(), v.string()])

const content = v.strictTuple([
  v.literal(version),
  v.number(),
  v.number(),
  v.nullable(place),
  v.nullable(v.number()),
  v.nullable(v.tuple([v.string(), v.number(), v.boolean()])),
  v.record(v.string(), v.tuple([v.string(), v.optional(v.number())])),
])

/** Returns the cursor of a state: letters, digits, `-`, `_` and a dot. Equal states of a feed have equal cursors. */
export function sealCursor(
  { since, gone, walk, mark, lists }: FeedState,
  binding: FeedBinding,
  key: Buffer,
): string {
  const known = Object.entries(lists).toSorted(([a], [b]) => a < b ? -1 : 1)
    .map(([name, { fields, gone }]) => [name, gone === undefined ? [fields] : [fields, gone]])
  const text = JSON.stringify([
    version,
    since,
    gone,
    walk?.after ?? null,
    walk?.bound ?? null,
    mark ? [mark.version, mark.from, mark.isSettled] : null,
    Object.fromEntries(known),
  ])
  const sealed = Buffer.from(text).toString("base64url")
  return `${sealed}.${sign(sealed, binding, key)}`
}

/** Returns the state of a cursor; undefined if it was not made for this account and feed. */
export function openCursor(
  cursor: string,
  binding: FeedBinding,
  key: Buffer,
): FeedState | undefined {
  const [sealed = "", signature = "", ...rest] = cursor.split(".")
  if (rest.length > 0 || !isEqual(sign(sealed, binding, key), signature)) return undefined
  const read = v.safeParse(content, JSON.parse(Buffer.from(sealed, "base64url").toString()))
  if (!read.success) return undefined
  const [, since, gone, after, bound, mark, lists] = read.output
  const [name = "", from = 0, isSettled = false] = mark ?? []
  return {
    since,
    gone,
    walk: after && bound !== null ? { after, bound } : undefined,
    mark: mark ? { version: name, from, isSettled } : undefined,
    lists: Object.fromEntries(
      Object.entries(lists).map(([name, [fields, gone]]) => [
        name,
        gone === undefined ? { fields } : { fields, gone },
      ]),
    ),
  }
}

function sign(sealed: string, { accountId, route, eventId }: FeedBinding, key: Buffer): string {
  const text = [accountId, route, eventId, sealed].join("\n")
  return createHmac("sha256", key).update(text).digest("base64url")
}

function isEqual(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
