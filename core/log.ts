import { type DestinationStream, pino } from "pino"

/** What the service needs of a log: one line of JSON an entry. */
export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** From the most to the least talkative. */
export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * A log that writes to `destination`, by default standard output.
 *
 * Nothing personal: of an error only name, code, message and stack are written. Drivers hang the
 * whole statement on theirs, with the values in it.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = { level, base: null, serializers: { error: describeError } }
  return destination ? pino(options, destination) : pino(options)
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, cause } = error
  const { code } = error as { code?: unknown }
  return { name, code, message, stack, ...(cause ? { cause: describeError(cause) } : {}) }
}
