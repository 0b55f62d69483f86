import { Transform, type TransformCallback } from "node:stream"
import { stripVTControlCharacters } from "node:util"
import { Parser, type Result } from "tap-parser"
import {
  closeFile,
  type FileEnd,
  type FileOutcome,
  newFileOutcome,
  recordAssertions,
} from "./file-outcome.ts"
import { endOfFile } from "./test-filter.ts"
import type { ProcessEnd } from "./test-process.ts"

/** Counts of assertions. A failure without an assertion (a crash) counts as one. */
export type Totals = { passed: number; failed: number; skipped: number }

/**
 * Turns the TAP of test files into a line per file, the details of each failure, and finally
 * `N passed, N failed`. A file without assertions counts as failed, and so does a file of `expected`
 * without a result. Read `totals` after the end of the stream.
 *
 * Files that have a process each are read through `open`, at the same time. What is written to the stream itself
 * is the TAP of a process that runs several files and marks the end of each by a test.
 */
export default class Reporter extends Transform {
  readonly totals: Totals = { passed: 0, failed: 0, skipped: 0 }
  readonly #parser = new Parser()
  readonly #awaited: Set<string>
  readonly #failed: string[] = []

  constructor(expected: readonly string[] = []) {
    super()
    this.#awaited = new Set(expected)
    this.#passOn(this.#parser)
    this.#readFilesInOne()
  }

  /** Returns a parser for the TAP of the process of a file; call `close` when that has ended. */
  open(name: string): { parser: Parser; close: (end: ProcessEnd) => void } {
    const parser = new Parser()
    const file = newFileOutcome()
    this.#passOn(parser)
    recordAssertions(parser, file)
    return {
      parser,
      close: ({ exitCode, signal, milliseconds }) => {
        const { skipAll, skipReason } = parser.results?.plan ?? {}
        const ok = Boolean(parser.results?.ok) && exitCode === 0
        this.#report(
          name,
          file,
          { ok, skip: skipAll ? skipReason ?? "" : "", exitCode, signal },
          milliseconds,
        )
      },
    }
  }

  #passOn(parser: Parser): void {
    parser.on("extra", (text: string) => this.#print(text.trimEnd()))
    parser.on("bailout", (reason: string) => this.#print(`Tests given up: ${reason}`))
  }

  /** The tests of all files follow each other, with a mark after those of each file. */
  #readFilesInOne(): void {
    const file = newFileOutcome()
    this.#parser.on("assert", (result: Result) => {
      if (!result.name.startsWith(endOfFile)) return
      this.#report(result.name.slice(endOfFile.length), file, { ok: result.ok })
      Object.assign(file, newFileOutcome())
    })
    recordAssertions(this.#parser, file)
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#parser.write(chunk)
    done()
  }

  override _flush(done: TransformCallback): void {
    this.#parser.once("complete", () => {
      for (const name of this.#awaited) this.#lose(name)
      if (this.#failed.length > 0) this.#print(`\nFailed:\n  ${this.#failed.join("\n  ")}`)
      this.#print(`\n${inWords(this.totals)}`)
      done()
    })
    this.#parser.end()
  }

  #report(name: string, file: FileOutcome, end: FileEnd, milliseconds?: number): void {
    this.#awaited.delete(name)
    closeFile(file, end)
    this.totals.passed += file.passed
    this.totals.failed += file.failed
    this.totals.skipped += file.skipped
    if (file.failed > 0) this.#failed.push(name)
    const verdict = file.failed > 0 ? "FAIL" : "ok  "
    const time = milliseconds === undefined ? "" : `, ${Math.round(milliseconds)} ms`
    this.#print([`${verdict} ${name}: ${inWords(file)}${time}`, ...file.details].join("\n"))
  }

  #lose(name: string): void {
    this.totals.failed++
    this.#failed.push(name)
    this.#print(`FAIL ${name}\n  its result got lost (the run ended early, or a file timed out)`)
  }

  #print(text: string): void {
    this.push(`${process.stdout.isTTY ? text : stripVTControlCharacters(text)}\n`)
  }
}

function inWords({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`
}
