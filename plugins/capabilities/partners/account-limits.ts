import type { Plan } from "../../../core/capability.ts"

/** The limits that requests of an account get a 429 by. */
type LimitName = "burst" | "quota" | "concurrent"

/** A limit, and the setting that it comes from, such as `limits.quota`. */
interface Limit {
  readonly value: number
  readonly setting: string
}

/** The limits of an account. */
export type AccountLimits = Readonly<Record<LimitName, Limit>> & {
  /** The requests of the last hour that were answered; undefined if nobody needs to know, or no audit log says it. */
  readonly hourly: number | undefined
}

/** Returns the limits of an account in a configuration, with the requests of its last hour. */
export function limitsOf(
  { limits, accounts }: Pick<Plan, "limits" | "accounts">,
  account: string,
  hourly: number | undefined,
): AccountLimits {
  const own = Object.hasOwn(accounts, account) ? accounts[account] : undefined
  const limit = (name: LimitName): Limit => {
    const value = own?.[name]
    return value === undefined
      ? { value: limits[name], setting: `limits.${name}` }
      : { value, setting: `accounts.${account}.${name}` }
  }
  return { burst: limit("burst"), quota: limit("quota"), concurrent: limit("concurrent"), hourly }
}

/** What a limit counts, by the code of its 429. */
const counted = {
  too_fast: ["burst", "requests per second to each family"],
  too_many_requests: ["quota", "requests per hour to each family"],
  too_many_at_once: ["concurrent", "requests at the same time"],
} as const

/** Returns what to do about requests over a limit; undefined for another error. */
export function adviceOnLimit(
  code: string,
  account: string,
  limits: AccountLimits | undefined,
): string | undefined {
  if (!Object.hasOwn(counted, code)) return undefined
  const [name, unit] = counted[code as keyof typeof counted]
  const own = `accounts.${account}.${name}`
  const raise = `Raise ${own}, or tell the partner to wait for Retry-After.`
  if (!limits) return `It sends more ${unit} than ${own} allows, or else limits.${name}. ${raise}`
  const { value, setting } = limits[name]
  const { hourly } = limits
  const sent = name === "quota" && hourly !== undefined
    ? ` In the last hour, it got ${grouped(hourly)} answers.`
    : ""
  return `It may send ${grouped(value)} ${unit} (${setting}).${sent} ${raise}`
}

/** Writes a number with commas between its thousands. */
function grouped(value: number): string {
  return value.toLocaleString("en")
}
