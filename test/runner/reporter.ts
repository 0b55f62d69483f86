import { stripVTControlCharacters } from "node:util"
import process from "node:process"
import { Parser, type Result } from "tap-parser"
import { closeFile, type FileOutcome, newFileOutcome, recordAssertions } from "./file-outcome.ts"
import { endOfFile } from "../support/test-filter.ts"
import type { Times } from "./times.ts"

/** Counts of assertions. A failure without an assertion (a crash) counts as one. */
export type Totals = { passed: number; failed: number; skipped: number }

/** The number of files that are listed as the slowest. */
const slowest = 10

/**
 * Turns the TAP of test files into a line per file, the details of each failure, the files that took longest, and
 * finally `N passed, N failed`. A file without assertions counts as failed, and so does a file of `expected` without
 * a result.
 */
export class Reporter {
  readonly totals: Totals = { passed: 0, failed: 0, skipped: 0 }
  readonly times: Map<string, Times> = new Map<string, Times>()
  /** The test of each file that began last. */
  readonly running: Map<string, string> = new Map<string, string>()
  readonly #print: (text: string) => void
  readonly #awaited: Set<string>
  readonly #failed: string[] = []

  constructor(expected: readonly string[], print: (text: string) => void = console.log) {
    this.#awaited = new Set(expected)
    this.#print = (text) => print(process.stdout.isTTY ? text : stripVTControlCharacters(text))
  }

  /** Returns a parser for the TAP of a process that runs several files, and marks the end of each by a test. */
  open(): Parser {
    const parser = new Parser()
    parser.on("extra", (text: string) => this.#print(text.trimEnd()))
    parser.on("bailout", (reason: string) => this.#print(`Tests given up: ${reason}`))
    const file = newFileOutcome()
    parser.on("assert", (result: Result) => {
      if (!result.name.startsWith(endOfFile)) return
      this.#report(result.name.slice(endOfFile.length), file, result.ok)
      Object.assign(file, newFileOutcome())
    })
    recordAssertions(parser, file)
    return parser
  }

  /** Reports what all files come to; call it when their processes have ended. */
  end(): void {
    for (const name of this.#awaited) this.#lose(name)
    if (this.times.size > slowest) this.#print(`\nSlowest:\n  ${this.#slowest().join("\n  ")}`)
    if (this.#failed.length > 0) this.#print(`\nFailed:\n  ${this.#failed.join("\n  ")}`)
    this.#print(`\n${inWords(this.totals)}`)
  }

  #report(name: string, file: FileOutcome, ok: boolean): void {
    this.#awaited.delete(name)
    closeFile(file, ok)
    this.totals.passed += file.passed
    this.totals.failed += file.failed
    this.totals.skipped += file.skipped
    if (file.failed > 0) this.#failed.push(name)
    const verdict = file.failed > 0 ? "FAIL" : "ok  "
    const times = this.times.get(name)
    const after = times ? `, ${timesInWords(times)}` : ""
    this.#print([`${verdict} ${name}: ${inWords(file)}${after}`, ...file.details].join("\n"))
  }

  #lose(name: string): void {
    this.totals.failed++
    this.#failed.push(name)
    const test = this.running.get(name)
    const during = test ? ` during the test "${test}"` : ""
    this.#print(`FAIL ${name}\n  its result got lost: its process ended${during}`)
  }

  #slowest(): string[] {
    const longest = [...this.times].sort(([, a], [, b]) => b.wall - a.wall).slice(0, slowest)
    return longest.map(([name, times]) => `${name}: ${timesInWords(times)}`)
  }
}

function inWords({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`
}

function timesInWords({ wall, cpu }: Times): string {
  return `${seconds(wall)} s (${seconds(cpu)} s of processor time)`
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1)
}
