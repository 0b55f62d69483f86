import { UserError } from "../errors.ts"

const aDay = 86_400

/**
 * Formats Unix seconds for people, to the second and in UTC; null is `never`. A number that is out of range, such as
 * microseconds, stays a number.
 */
export function formatMoment(seconds: number | null): string {
  if (seconds === null) return "never"
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString().replace(".000Z", "Z")
}

/** Returns the Unix seconds of the end of a day (UTC), or of a time: the end of a period. @throws {UserError} */
export function parseMoment(text: string): number {
  return parseStart(text) + (isDay(text) ? aDay : 0)
}

/** Like `parseMoment`, but refuses times in the past. @throws {UserError} */
export function parseEnd(text: string): number {
  const ends = parseMoment(text)
  if (ends > Date.now() / 1000) return ends
  throw new UserError(`${text} has passed: name a future time. Nothing was changed.`)
}

/** Returns the Unix seconds of the start of a day (UTC), or of a time. @throws {UserError} */
export function parseStart(text: string): number {
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/.test(text)
  const begins = Date.parse(text) / 1000
  const isReal = isDay(text) ? formatMoment(begins || 0).startsWith(text) : Number.isFinite(begins)
  if ((!isDay(text) && !isMoment) || !isReal) {
    throw new UserError(
      `${text} is not a date: write 2030-01-31 or 2030-01-31T18:00:00Z. Nothing was changed.`,
    )
  }
  return Math.floor(begins)
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text)
}
