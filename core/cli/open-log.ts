import type { DestinationStream } from "pino"
import { printable } from "../kernel/printable.ts"
import { createLog, type Log, type LogSettings } from "../log.ts"

/** Opens the log of a service; `interactive` if its output is a terminal. */
export async function openLog(
  { level }: LogSettings,
  { output, interactive }: { readonly output: DestinationStream; readonly interactive: boolean },
): Promise<Log> {
  return createLog(level, interactive ? await prettify(output, { colorize: true }) : output)
}

/** Turns lines of JSON into lines for people. */
export async function prettify(
  output: DestinationStream,
  { colorize }: { readonly colorize: boolean },
): Promise<DestinationStream> {
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
