import * as v from "valibot"
import { groupOf } from "../../../core/capability.ts"

/** The group `connect` of the configuration. */
export const connectSettings = {
  group: "connect",
  schema: groupOf({ mapping: v.optional(v.string("must be the path of a mapping")) }),
} as const

/** Where the mapping is, from the folder of the configuration; missing or empty if records come from files only. */
export interface ConnectSettings {
  readonly mapping?: string | undefined
}
