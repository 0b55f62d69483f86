import process from "node:process"
import type { Copy } from "./copy.ts"
import { exitCodes, PullError } from "./errors.ts"

/** Prints what went wrong. Returns the exit code. */
export function report(error: unknown, asJson: boolean, copy?: Copy): number {
  const { message, code } = error as Error & { code?: string }
  const isDamaged = /not a database|disk image is malformed/.test(message)
  const advice = isDamaged ? ". Delete the copy with all its files, and start again" : ""
  const sentence = printable(message) + advice
  process.stderr.write(`pull: ${sentence}\n`)
  const isWrong = isDamaged || ["EACCES", "EPERM", "EROFS", "ENOTDIR"].includes(code ?? "")
  const other = isWrong ? exitCodes.configuration : exitCodes.temporary
  const exitCode = error instanceof PullError ? error.exitCode : other
  if (asJson) printSummary(exitCode, copy, sentence)
  return exitCode
}

/** Prints a line of JSON about a run. */
export function printSummary(exitCode: number, copy: Copy | undefined, error?: string): void {
  const { changed = 0, removed = 0, requests = 0 } = copy ?? {}
  const summary = { exitCode, records: copy?.count(), changed, removed, requests, error }
  process.stdout.write(`${JSON.stringify(summary)}\n`)
}

/** Escapes control characters, and shortens the text: it may come from the service. */
function printable(text: string): string {
  return text.slice(0, 1000).replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}
