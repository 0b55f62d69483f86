import process from "node:process"
import type { Test } from "tap"

/** A part of the names of the tests to run, in either case; without it, all run. */
export const wantedTests: string | undefined = process.env["TEST"] || undefined

/** What wraps whole suites: a filter by name looks inside. */
const wrappers = ["on the embedded database", "on MySQL", "under Deno"]

/** The environment in which tap skips the outermost tests of a file that are not wanted. */
export function filterEnvironment(): Record<string, string> {
  if (!wantedTests) return {}
  return { TAP_GREP: `/${[wantedTests, ...wrappers].map(RegExp.escape).join("|")}/i` }
}

/** Skips the tests right inside `t`, which wraps a suite, that are not wanted. */
export function filterInside(t: Test): void {
  const wanted = wantedTests?.toLowerCase()
  if (wanted === undefined) return
  const shouldSkip = t.shouldSkipChild.bind(t)
  t.shouldSkipChild = (extra) => {
    if (!extra.name?.toLowerCase().includes(wanted)) extra.skip ||= `filter: ${wanted}`
    return shouldSkip(extra)
  }
}
