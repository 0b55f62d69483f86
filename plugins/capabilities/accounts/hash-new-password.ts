import { Buffer } from "node:buffer"
import { hashPassword, methods } from "../../../core/accounts.ts"
import { UserError } from "../../../core/capability.ts"

/** The fewest characters of a new password. */
const shortest = 12
/** The most bytes of a new password: with any encoding, a log-in with it fits into a body. */
const longest = 1000

/**
 * Hashes a new password of an account, as `hashPassword` does.
 *
 * @throws {UserError} if it is too short or too long, or contains the account's name.
 */
export async function hashNewPassword(
  password: string,
  { username, kind }: { readonly username: string; readonly kind: keyof typeof methods },
): Promise<string> {
  if ([...password].length < shortest) {
    throw new UserError(
      `The password is too short: it must have at least ${shortest} characters. Nothing was changed.`,
    )
  }
  if (Buffer.byteLength(password) > longest) {
    throw new UserError(
      `The password is too long: it may have at most ${longest} bytes. Nothing was changed.`,
    )
  }
  if (password.toLowerCase().includes(username.toLowerCase())) {
    throw new UserError("The password contains the name of the account. Nothing was changed.")
  }
  return await hashPassword(password, methods[kind])
}
