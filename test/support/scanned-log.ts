import type { Test } from "tap"
import { createLog, type Log } from "../../core/log.ts"
import { password } from "./builder.ts"

/** Personal or secret text of the builders' records and cookies. No log may contain it. */
const personal = [password, "Fe26.2*", "@example.org", "Lovelace", "+44 20 7946", "High Street"]

/** A token that a partner has made. */
const token = /\bee_[\w-]{43}/

/**
 * Creates a log that keeps its entries for the test. Also writes each line as the service does, and
 * fails the test at its end if a line contains personal text.
 */
export function scannedLog(t: Test, entries: Record<string, unknown>[]): Log {
  const real = createLog("trace", { write: scanner(t) })
  const record =
    (level: "debug" | "info" | "warn" | "error") => (fields: object, message: string) => {
      entries.push({ level, message, ...fields })
      real[level](fields, message)
    }
  return {
    debug: record("debug"),
    info: record("info"),
    warn: record("warn"),
    error: record("error"),
  }
}

/** Returns a function that takes text of a log. The test fails at its end if any is personal. */
export function scanner(t: Test): (text: string) => void {
  const leaks: string[] = []
  t.teardown(() => {
    if (leaks.length > 0) throw new Error(`the log contains personal text:\n${leaks.join("\n")}`)
  })
  return (text) => {
    if (findPersonal(text) !== undefined) leaks.push(text)
  }
}

/** Returns the first personal or secret text of the builders' records that a text has. */
export function findPersonal(text: string): string | undefined {
  return personal.find((word) => text.includes(word)) ?? token.exec(text)?.[0]
}
