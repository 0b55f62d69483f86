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

/**
 * Creates a log that writes to `destination`. It has only name, code, message, stack and cause of an error: drivers
 * attach whole statements to their errors, with personal values.
 */
export function createLog(level: LogLevel, destination: DestinationStream): Log {
  return pino({ level, base: null, serializers: { error: describeError } }, destination)
}

/** The messages of `RetryLog`. */
interface RetryMessages {
  readonly failed: string
  /** Without it, success is not logged. */
  readonly over?: string
}

/** Logs attempts of one kind: the first failure in a row, and the success that follows. */
export class RetryLog {
  readonly #log: () => Pick<Log, "info" | "warn"> | undefined
  readonly #words: RetryMessages
  #hasFailed = false

  constructor(log: () => Pick<Log, "info" | "warn"> | undefined, words: RetryMessages) {
    this.#log = log
    this.#words = words
  }

  failed(error: unknown): void {
    if (!this.#hasFailed) this.#log()?.warn({ error }, this.#words.failed)
    this.#hasFailed = true
  }

  succeeded(): void {
    const { over } = this.#words
    if (this.#hasFailed && over !== undefined) this.#log()?.info({}, over)
    this.#hasFailed = false
  }
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, cause } = error
  const { code } = error as { code?: unknown }
  return { name, code, message, stack, ...(cause ? { cause: describeError(cause) } : {}) }
}
