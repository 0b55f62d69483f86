import process from "node:process"
import type { Test } from "tap"

/** A part of the names of the tests to run, in any case; undefined to run all. */
export const testFilter: string | undefined = process.env["TEST"] || undefined

/** The name of the test that marks the end of a file, before the file, if one process runs several. */
export const endOfFile = "the end of the file "

/** The names of tests that wrap whole suites. The filter applies to the tests inside. */
const wrappers = ["on the embedded database", "on MySQL", "under Deno", endOfFile]

/** Returns the environment in which tap skips the outermost tests of a file that do not match. */
export function filterEnvironment(): Record<string, string> {
  if (!testFilter) return {}
  return { TAP_GREP: `/${[testFilter, ...wrappers].map(RegExp.escape).join("|")}/i` }
}

/** Skips the direct subtests of `t`, which wraps a suite, that do not match. */
export function filterInside(t: Test): void {
  const filter = testFilter?.toLowerCase()
  if (filter === undefined) return
  const shouldSkip = t.shouldSkipChild.bind(t)
  t.shouldSkipChild = (extra) => {
    if (!extra.name?.toLowerCase().includes(filter)) extra.skip ||= `filter: ${filter}`
    return shouldSkip(extra)
  }
}
