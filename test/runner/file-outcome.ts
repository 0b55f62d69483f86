import { inspect } from "node:util"
import type { FinalResults, Parser, Result } from "tap-parser"

/** The result of one test file. `details` are printable lines about failures and their causes. */
export type FileOutcome = {
  passed: number
  failed: number
  skipped: number
  readonly details: string[]
}

/** Creates an empty outcome. */
export function newFileOutcome(): FileOutcome {
  return { passed: 0, failed: 0, skipped: 0, details: [] }
}

/** Counts the assertions of a file's TAP and of its subtests into `file`. */
export function recordAssertions(
  parser: Parser,
  file: FileOutcome,
  path: readonly string[] = [],
): void {
  let failedBefore = 0
  parser.on("child", (child: Parser) => {
    failedBefore = file.failed
    recordAssertions(child, file, [...path, child.name])
  })
  parser.on("assert", (result: Result) => {
    const where = [...path, result.name]
    const failed = !result.ok && !result.todo && !result.skip
    // A subtest's own line counts only if nothing inside it reports the failure.
    if (result.closingTestPoint) {
      if (failed && file.failed === failedBefore) recordFailure(file, where, result)
    } else if (failed) recordFailure(file, where, result)
    else if (result.todo || result.skip) file.skipped++
    else file.passed++
  })
  parser.on("complete", (results: FinalResults) => {
    for (const failure of results.failures) {
      const fault = "tapError" in failure && failure.tapError ? `  ${failure.tapError}` : undefined
      if (fault !== undefined && !file.details.includes(fault)) file.details.push(fault)
    }
  })
}

/** Adds the end of the file: `ok` is false if anything failed, also outside of assertions. */
export function closeFile(file: FileOutcome, ok: boolean): void {
  if (file.passed + file.failed + file.skipped === 0) {
    file.failed = 1
    file.details.push("  ran no assertion")
  } else if (!ok && file.failed === 0) file.failed = 1
}

function recordFailure(file: FileOutcome, path: readonly string[], result: Result): void {
  const { at, diff, stack, source: _, compare: _c, ...rest } = (result.diag ?? {}) as Diagnosis
  file.failed++
  file.details.push(`  not ok: ${path.join(" > ")}`)
  if (at?.fileName) file.details.push(`    at ${at.fileName}:${at.lineNumber}:${at.columnNumber}`)
  if (diff) file.details.push(indent(diff))
  if (Object.keys(rest).length > 0) file.details.push(indent(inspect(rest, { depth: 6 })))
  if (stack) file.details.push(indent(stack))
}

type Diagnosis = {
  at?: { fileName?: string; lineNumber?: number; columnNumber?: number }
  diff?: string
  stack?: string
  [more: string]: unknown
}

function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, "    ")
}
