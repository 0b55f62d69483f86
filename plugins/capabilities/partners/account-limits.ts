import type { Plan } from "../../../core/capability.ts"

/** The limits whose excess is answered with 429. */
type LimitName = "burst" | "quota" | "concurrent"

/** A limit and the setting that it comes from, such as `limits.quota`. */
interface Limit {
  readonly value: number
  readonly setting: string
}

/** The limits of an account. */
export type AccountLimits = Readonly<Record<LimitName, Limit>> & {
  /** The requests answered in the last hour; undefined if not needed, or if there is no audit log. */
  readonly hourly: number | undefined
}

/** Returns an account's limits from a configuration, with its requests of the last hour. */
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

/** For the code of each 429: the limit and what it counts. */
const counted = {
  too_fast: ["burst", "requests per second to each family"],
  too_many_requests: ["quota", "requests per hour to each family"],
  too_many_at_once: ["concurrent", "requests at the same time"],
} as const

/** Returns what to do about requests over a limit; undefined for other errors. */
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

/** Formats a number with thousands separators. */
function grouped(value: number): string {
  return value.toLocaleString("en")
}
