import { type DestinationStream, pino } from "pino"

/** What the service needs of a log: one line of JSON per entry. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Levels of the log, from the most verbose to the least. */
export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const
type LogLevel = (typeof logLevels)[number]

/** Formats of the log. `auto` is `pretty` on a terminal, and `json` elsewhere. */
export const logFormats = ["auto", "json", "pretty"] as const

interface LogSettings {
  readonly level: LogLevel
  readonly format: (typeof logFormats)[number]
}

/** Opens the log of a service, on standard output; `interactive` if that is a terminal. */
export async function openLog(
  { level, format }: LogSettings,
  { interactive }: { readonly interactive: boolean },
): Promise<Log> {
  const isPretty = format === "pretty" || (format === "auto" && interactive)
  const destination = isPretty ? await prettyStream({ colorize: interactive }) : undefined
  return createLog(level, destination)
}

/**
 * Creates a log that writes to `destination`, by default standard output.
 *
 * Errors are logged by name, code, message, stack and cause only, so that nothing personal is
 * written: drivers attach the whole statement to their errors, values included.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    serializers: { error: describeError },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** Turns lines of JSON into lines for people; writes to standard output, or to `destination`. */
export async function prettyStream(
  { colorize, destination }: {
    readonly colorize: boolean
    readonly destination?: NodeJS.WritableStream
  },
): Promise<DestinationStream> {
  // Loaded only if needed: it takes longer than the rest of the log.
  const { default: pretty } = await import("pino-pretty")
  return pretty({
    colorize,
    sync: true,
    singleLine: true,
    translateTime: "SYS:HH:MM:ss.l",
    errorLikeObjectKeys: ["error"],
    ...(destination ? { destination } : {}),
  })
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, cause } = error
  const { code } = error as { code?: unknown }
  return { name, code, message, stack, ...(cause ? { cause: describeError(cause) } : {}) }
}
