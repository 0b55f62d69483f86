import { UserError } from "../../../core/capability.ts"

const aDay = 86_400
const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: aDay }

/** Returns the seconds of a duration such as `45m`, `12h` or `30d`, up to a year. @throws {UserError} */
export function parseDuration(text: string): number {
  const [, digits, unit = ""] = /^(\d{1,8})([smhd])$/.exec(text) ?? []
  const seconds = Number(digits) * (units[unit] ?? NaN)
  if (!(seconds >= 60 && seconds <= 366 * aDay)) {
    throw new UserError(
      `${text} is not a duration: write 45m, 12h or 30d, from a minute to a year. Nothing was changed.`,
    )
  }
  return seconds
}
