import type { PathPattern } from "./path.ts"
import type { Deprecation } from "./contract.ts"

/** The fewest days between the deprecation of a route and its sunset. */
const shortestNotice = 180

const aDay = 24 * 60 * 60 * 1000

/**
 * Checks the deprecation of a route with this path.
 *
 * @throws {TypeError} if a day is not a date, the sunset is too soon, or the successor is not a
 *   path with parameters of this one.
 */
export function refuseBadDeprecation(
  deprecation: Deprecation | undefined,
  { parameters }: PathPattern,
): void {
  const { since = "", sunset = "", successor }: Partial<Deprecation> = deprecation ?? {}
  const refuse = (reason: string) => {
    throw new TypeError(`it cannot be deprecated: ${reason}`)
  }
  for (const [name, day] of Object.entries({ since, sunset })) {
    if (!isDay(day)) refuse(`${name} must be a day such as 2027-01-31, not ${JSON.stringify(day)}`)
  }
  if (startOf(sunset) - startOf(since) < shortestNotice * aDay) {
    refuse(`sunset must be ${shortestNotice} days after since, or later`)
  }
  if (successor === undefined) return
  if (!/^(\/(:[a-zA-Z]\w*|[\w.~-]+))+$/.test(successor)) {
    refuse(`successor must be a path such as /word/:parameter, not ${JSON.stringify(successor)}`)
  }
  const unknown = parametersOf(successor).find((name) => !parameters.includes(name))
  if (unknown !== undefined) refuse(`successor has :${unknown}, which the route does not have`)
}

/** Describes a deprecation in words. */
export function describeDeprecation({ since, sunset, successor }: Deprecation): string {
  return `deprecated since ${since}, may be removed from ${sunset} on` +
    (successor === undefined ? "" : `; use ${successor}`)
}

/** True if a route may be removed. `now` is in Unix milliseconds. */
export function isPastSunset({ sunset }: Deprecation, now: number = Date.now()): boolean {
  return startOf(sunset) <= now
}

/**
 * Returns the headers of a deprecated route: its deprecation (RFC 9745), its sunset (RFC 8594) and
 * a link to its successor. Without `params`, because the path is not valid, there is no link.
 */
export function deprecationHeaders(
  { since, sunset, successor }: Deprecation,
  { origin, params }: {
    readonly origin: string
    readonly params: Readonly<Record<string, string>> | undefined
  },
): { readonly deprecation: string; readonly sunset: string; readonly link?: string } {
  const dates = {
    deprecation: `@${startOf(since) / 1000}`,
    sunset: new Date(startOf(sunset)).toUTCString(),
  }
  if (successor === undefined || params === undefined) return dates
  const path = successor.replaceAll(
    /:(\w+)/g,
    (_, name: string) => encodeURIComponent(params[name] ?? ""),
  )
  return { ...dates, link: `<${origin}${path}>; rel="successor-version"` }
}

function parametersOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name)
}

function isDay(day: unknown): boolean {
  return typeof day === "string" && /^\d{4}-\d{2}-\d{2}$/.test(day) &&
    !Number.isNaN(startOf(day)) &&
    new Date(startOf(day)).toISOString().startsWith(day)
}

/** Returns the start of a day in UTC, in milliseconds; NaN if there is no such day. */
function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`)
}
