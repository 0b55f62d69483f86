import type { DestinationStream } from "pino"
import type { Config } from "../config/read.ts"
import { printable } from "../kernel/printable.ts"
import { createLog, type Log } from "../log.ts"

/** Opens the log of a service; `interactive` if its output is a terminal. */
export function openLog(
  { level }: Config["log"],
  { output, interactive }: { readonly output: DestinationStream; readonly interactive: boolean },
): Log {
  return createLog(level, interactive ? prettify(output, { colorize: true }) : output)
}

/** Turns lines of JSON into lines for people. */
export function prettify(
  output: DestinationStream,
  { colorize }: { readonly colorize: boolean },
): DestinationStream {
  const show = (_key: string, value: unknown) =>
    typeof value === "string" ? printable(value) : value
  return { write: (line) => output.write(lineFor(JSON.parse(line, show), colorize)) }
}

/** An entry of the log. */
interface Entry {
  readonly level: number
  /** Unix milliseconds. */
  readonly time: number
  readonly msg: string
  readonly error?: { readonly stack?: string }
}

/** Levels by their numbers, with their colours on a terminal. */
const levels: Readonly<Record<number, readonly [name: string, colour: number]>> = {
  10: ["TRACE", 90],
  20: ["DEBUG", 34],
  30: ["INFO", 32],
  40: ["WARN", 33],
  50: ["ERROR", 31],
  60: ["FATAL", 41],
}

/** Returns an entry as a line: local time, level, message, and the other fields as JSON. A stack has lines of its own. */
function lineFor({ level, time, msg, error, ...fields }: Entry, colorize: boolean): string {
  const [name, colour] = levels[level] ?? [String(level), 0]
  const coloured = colorize ? `\x1b[${colour}m${name}\x1b[0m` : name
  const local = new Date(time - new Date(time).getTimezoneOffset() * 60_000)
  const { stack, ...rest } = error ?? {}
  const all = JSON.stringify({ ...fields, ...error && { error: rest } })
  return [
    `[${local.toISOString().slice(11, 23)}] ${coloured}: ${msg}${all === "{}" ? "" : ` ${all}`}\n`,
    stack === undefined ? "" : `    ${stack.replaceAll("\n", "\n    ")}\n`,
  ].join("")
}
