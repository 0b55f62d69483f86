import * as v from "valibot"

/** The group `connect` of the configuration. */
export const connectSettings = {
  group: "connect",
  schema: v.optional(v.strictObject({
    mapping: v.pipe(
      v.string("must be the path of a mapping"),
      v.nonEmpty("must be the path of a mapping"),
    ),
  })),
} as const

/** Where the mapping is, from the folder of the configuration; undefined if records come in another way. */
export type ConnectSettings = { readonly mapping: string } | undefined
