import { Transform, type TransformCallback } from "node:stream"
import { stripVTControlCharacters } from "node:util"
import { Parser, type Result } from "tap-parser"
import { closeFile, type FileOutcome, newFileOutcome, recordAssertions } from "./file-outcome.ts"
import { endOfFile } from "./test-filter.ts"

/** Counts of assertions. A failure without an assertion (a crash) counts as one. */
export type Totals = { passed: number; failed: number; skipped: number }

/**
 * Turns the test runner's TAP into a line per test file, the details of each failure, and finally
 * `N passed, N failed`. A file without assertions counts as failed, and so does a file of `expected`
 * without a result. Read `totals` after the end of the stream.
 */
export default class Reporter extends Transform {
  readonly totals: Totals = { passed: 0, failed: 0, skipped: 0 }
  readonly #parser = new Parser()
  readonly #awaited: Set<string>
  readonly #failed: string[] = []

  /** `inOne` is true if one process runs all files, and marks the end of each by a test. */
  constructor(expected: readonly string[] = [], { inOne = false }: { inOne?: boolean } = {}) {
    super()
    this.#awaited = new Set(expected)
    this.#parser.on("extra", (text: string) => this.#print(text.trimEnd()))
    this.#parser.on("bailout", (reason: string) => this.#print(`Tests given up: ${reason}`))
    if (inOne) this.#readFilesInOne()
    else this.#readFiles()
  }

  /** Each file is a subtest. */
  #readFiles(): void {
    let file = newFileOutcome()
    this.#parser.on("child", (child: Parser) => recordAssertions(child, file))
    this.#parser.on("assert", (result: Result) => {
      this.#report(result, file)
      file = newFileOutcome()
    })
  }

  /** The tests of all files follow each other, with a mark after those of each file. */
  #readFilesInOne(): void {
    const file = newFileOutcome()
    this.#parser.on("assert", (result: Result) => {
      if (!result.name.startsWith(endOfFile)) return
      this.#report({ ...result, name: result.name.slice(endOfFile.length), time: null }, file)
      Object.assign(file, { passed: 0, failed: 0, skipped: 0 })
      file.details.length = 0
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

  #report(result: Result, file: FileOutcome): void {
    // For a file over its time limit, tap adds a test point besides the file's own.
    if (result.diag?.expired && !result.closingTestPoint) return
    this.#awaited.delete(result.name)
    closeFile(file, result)
    this.totals.passed += file.passed
    this.totals.failed += file.failed
    this.totals.skipped += file.skipped
    if (file.failed > 0) this.#failed.push(result.name)
    const verdict = file.failed > 0 ? "FAIL" : "ok  "
    const time = result.time === null ? "" : `, ${Math.round(result.time)} ms`
    this.#print([`${verdict} ${result.name}: ${inWords(file)}${time}`, ...file.details].join("\n"))
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
