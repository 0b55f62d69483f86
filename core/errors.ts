/**
 * A mistake or an obstacle that the operator can act on, such as the name of an account that does
 * not exist. The message says what is wrong and what to do; the command line prints it without a
 * stack trace.
 */
export class UserError extends Error {
  override readonly name = "UserError"
}
