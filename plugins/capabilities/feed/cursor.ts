import type { Buffer } from "node:buffer"
import * as v from "valibot"
import { openText, signText } from "../../../core/lists.ts"
import type { FeedState } from "./walk.ts"

/** What a cursor is for. */
type Binding = Parameters<typeof signText>[1]

/** The version of the content of cursors. */
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
  binding: Binding,
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
  return signText(text, binding, key)
}

/** Returns the state of a cursor; undefined if it was not made for this account and feed. */
export function openCursor(
  cursor: string,
  binding: Binding,
  key: Buffer,
): FeedState | undefined {
  const text = openText(cursor, binding, [key])
  if (text === undefined) return undefined
  const read = v.safeParse(content, JSON.parse(text))
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
