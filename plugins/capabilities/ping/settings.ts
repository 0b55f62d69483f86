import * as v from "valibot"
import { groupOf, type Plan, settingsOf, wholeNumber } from "../../../core/capability.ts"
import type { TargetRules } from "./target.ts"

const noHost = "must be a name such as hooks.example.org or *.example.org"

/** The group `ping` of the configuration: which URLs may be receivers. */
export const pingSettings = {
  group: "ping",
  schema: groupOf({
    ports: v.optional(v.array(wholeNumber(1, 65_535), "must be a list of ports"), []),
    hosts: v.optional(v.array(
      v.pipe(
        v.string(noHost),
        v.regex(/^(\*\.)?[a-z\d]([a-z\d.-]*[a-z\d])?$/i, noHost),
      ),
      "must be a list of names",
    )),
    loopback: v.optional(v.boolean("must be true or false"), false),
  }),
} as const

/** Which URLs may be receivers, besides those with port 443. */
export interface PingSettings {
  /** Other ports. */
  readonly ports: readonly number[]
  /** The only allowed hosts, exact or as `*.example.org`; any host if absent. */
  readonly hosts?: readonly string[] | undefined
  /** True if receivers may be on loopback, also with http and on any port: for demonstrations and tests. */
  readonly loopback: boolean
}

/** Returns the rules for receivers' URLs from a configuration with the capability turned on. */
export function rulesOf(plan: Pick<Plan, "capabilities">): TargetRules {
  const { ports, hosts, loopback } = settingsOf<PingSettings>(plan, "ping")
  return { ports, hosts, loopback }
}
