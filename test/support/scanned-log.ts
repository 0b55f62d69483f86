import type { Test } from "tap"
import { createLog, type Log } from "../../core/log.ts"
import { password } from "./builder.ts"

/** What the builders put into records and cookies, and what no log may show. */
const personal = [password, "Fe26.2*", "@example.org", "Lovelace", "+44 20 7946", "High Street"]

/**
 * A log whose entries a test can look at. Each line is also written as the service would write it,
 * and the test fails in the end if one has something personal in it.
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

/** Takes text that a log was written as; the test fails in the end if it is personal. */
export function scanner(t: Test): (text: string) => void {
  const leaks: string[] = []
  t.teardown(() => {
    if (leaks.length > 0) throw new Error(`the log shows what it must not:\n${leaks.join("\n")}`)
  })
  return (text) => {
    if (personal.some((word) => text.includes(word))) leaks.push(text)
  }
}
