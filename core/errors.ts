/**
 * A mistake or an obstacle that the operator can act on. The message says what is wrong and what to do; the command line
 * prints it without a stack trace.
 */
export class UserError extends Error {
  override readonly name = "UserError"
}

/** Ends a command with a given exit code and a message. */
export class ExitError extends Error {
  override readonly name = "ExitError"
  readonly exitCode: number

  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}
