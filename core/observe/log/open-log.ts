import { printable } from "../printable.ts"
import { createLog, type Log, type LogSettings } from "../../log.ts"

/** Takes the lines of a log. */
interface Destination {
  write(line: string): void
}

/** Opens the log of a service; `interactive` if its output is a terminal. */
export async function openLog(
  { level, format }: LogSettings,
  { output, interactive }: { readonly output: Destination; readonly interactive: boolean },
): Promise<Log> {
  const isPretty = format === "pretty" || (format === "auto" && interactive)
  return createLog(level, isPretty ? await prettify(output, { colorize: interactive }) : output)
}

/** Turns lines of JSON into lines for people. */
export async function prettify(
  output: Destination,
  { colorize }: { readonly colorize: boolean },
): Promise<Destination> {
  // Loaded only if needed: it takes longer than the rest of the log.
  const { prettyFactory } = await import("pino-pretty")
  const format = prettyFactory({
    colorize,
    singleLine: true,
    translateTime: "SYS:HH:MM:ss.l",
    errorLikeObjectKeys: ["error"],
  })
  const show = (_key: string, value: unknown) =>
    typeof value === "string" ? printable(value) : value
  return { write: (line) => output.write(format(JSON.parse(line, show)) ?? line) }
}
