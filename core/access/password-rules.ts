import { UserError } from "../errors.ts"

/** The fewest characters of a password. */
const shortest = 12
/** The most characters of a password that a log-in accepts. */
const longest = 1000

/** @throws {UserError} if a new password is too short or too long, or contains the account's name. */
export function assertGoodPassword(password: string, username: string): void {
  if ([...password].length < shortest) {
    throw new UserError(
      `The password is too short: it must have at least ${shortest} characters. Nothing was changed.`,
    )
  }
  if (password.length > longest) {
    throw new UserError(
      `The password is too long: it may have at most ${longest} characters. Nothing was changed.`,
    )
  }
  if (password.toLowerCase().includes(username.toLowerCase())) {
    throw new UserError("The password contains the name of the account. Nothing was changed.")
  }
}
