import * as v from "valibot"

/** The lists that a scope may name: those of events, and those of records by what these are. */
export const scopedLists = ["events", "guests", "items"] as const

const kinds = v.strictObject({
  /** Paths of families. */
  family: v.optional(v.array(v.string())),
  /** Ids of events. */
  event: v.optional(v.array(v.pipe(v.string(), v.uuid()))),
  list: v.optional(v.array(v.picklist(scopedLists))),
})

/** What a token is limited to: of each kind that is named, to these. */
export interface TokenScope extends Readonly<v.InferOutput<typeof kinds>> {
  /** All of it, as `parseScope` reads it. */
  readonly text: string
}

/** The maximum length of a scope, in characters. */
export const longestScope = 1000

/** Reads a scope, such as `family:/name/v1 list:guests`. Returns undefined for any other text. */
export function parseScope(written: string): TokenScope | undefined {
  if (written.length > longestScope) return undefined
  const words = written.split(" ").filter((word) => word !== "").map((word) => {
    const [, kind = "", value = ""] = /^([a-z]+):([\x21\x23-\x5b\x5d-\x7e]+)$/.exec(word) ?? []
    return { kind, value: kind === "event" ? value.toLowerCase() : value }
  })
  const byKind = [...Map.groupBy(words, ({ kind }) => kind)].map(([kind, all]) =>
    [kind, [...new Set(all.map(({ value }) => value))]] as const
  )
  const { success, output } = v.safeParse(kinds, Object.fromEntries(byKind))
  if (!success || byKind.length === 0) return undefined
  const text = byKind.flatMap(([kind, values]) => values.map((value) => `${kind}:${value}`))
  return { ...output, text: text.join(" ") }
}
