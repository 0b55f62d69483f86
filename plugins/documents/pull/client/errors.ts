/** The exit codes of the command. */
export const exitCodes = { ok: 0, temporary: 1, configuration: 2, locked: 3, gone: 4, unusable: 5 }

/** An error that ends a run, with the command's exit code. */
export class PullError extends Error {
  readonly exitCode: number
  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** An error that the caller has to correct. */
export function misconfigured(message: string): PullError {
  return new PullError(exitCodes.configuration, message)
}

/** An error that the service has to correct: it sends something that it should not. */
export function unusable(what: string): PullError {
  const advice = "tell the operator of the service: running again does not help before it is fixed"
  return new PullError(exitCodes.unusable, `${what}; ${advice}`)
}

/** An error that the service describes: problem details (RFC 9457). */
export class ServiceProblem extends PullError {
  readonly status: number
  readonly code: string
  constructor(status: number, { code, detail, requestId }: Record<string, unknown>) {
    // After a 410, the next run begins again.
    const exitCode = status === 410 ? exitCodes.temporary : exitCodes.configuration
    super(exitCode, `${status} ${code}: ${detail} (request ${requestId})`)
    this.status = status
    this.code = String(code)
  }
}

/** A failure that may end by itself. `after` is the number of seconds that the service asks to wait. */
export class TemporaryError extends PullError {
  readonly after: number | undefined
  constructor(message: string, after?: number) {
    super(exitCodes.temporary, message)
    this.after = after
  }
}

/** The codes for an event that was removed, or that you may no longer read. */
export const goneCodes = ["event_not_found", "connector_not_enabled"]
