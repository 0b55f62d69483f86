import { Buffer } from "node:buffer"
import { randomBytes, timingSafeEqual } from "node:crypto"
import { UserError } from "../errors.ts"
import { type Derivation, deriveInThread } from "./scrypt-threads.ts"

/** The cost of a hash: `N = 2 ** ln`, as PHC strings write it. */
interface ScryptCost {
  readonly ln: number
  readonly r: number
  readonly p: number
}

/**
 * OWASP's Password Storage Cheat Sheet counts N=2^17 r=8 p=1 and N=2^14 r=8 p=5 as equally strong.
 * The latter takes 16 MiB per log-in instead of 128, so many log-ins at once cannot fill the memory.
 */
const currentCost: ScryptCost = { ln: 14, r: 8, p: 5 }

/** The fewest characters of a new password. */
const shortest = 12
/** The most bytes of a new password: a log-in with it fits into a body, however its letters are written. */
const longest = 1000

/**
 * Hashes a new password of an account, as `hashPassword` does.
 *
 * @throws {UserError} if it is too short or too long, or contains the account's name.
 */
export async function hashNewPassword(password: string, username: string): Promise<string> {
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
  return await hashPassword(password)
}

/** Hashes a password in a thread into a PHC string, which carries its own salt and cost. */
export async function hashPassword(password: string, cost = currentCost): Promise<string> {
  const salt = randomBytes(16)
  const hash = await deriveInThread(derivationOf(password, salt, cost))
  return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${base64(salt)}$${base64(hash)}`
}

/**
 * Returns true if a password belongs to a PHC string; computes it in a thread (`deriveInThread`).
 * Without a string (there is no such account) it does the same work and returns false, so timing does
 * not reveal which names exist.
 */
export async function verifyPassword(password: string, phc: string | undefined): Promise<boolean> {
  const parsed = phcPattern.exec(phc ?? nobody)?.groups
  if (!parsed) return false
  const { ln, r, p, salt, hash } = parsed as Record<"ln" | "r" | "p" | "salt" | "hash", string>
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) }
  const expected = Buffer.from(hash, "base64")
  const actual = await deriveInThread(derivationOf(password, Buffer.from(salt, "base64"), cost))
  return expected.length === actual.length && timingSafeEqual(expected, actual) && phc !== undefined
}

const phcPattern =
  /^\$scrypt\$ln=(?<ln>\d+),r=(?<r>\d+),p=(?<p>\d+)\$(?<salt>[\w+/]+)\$(?<hash>[\w+/]+)$/

const nobody = `$scrypt$ln=${currentCost.ln},r=${currentCost.r},p=${currentCost.p}$${
  base64(Buffer.alloc(16))
}$${base64(Buffer.alloc(32))}`

function derivationOf(password: string, salt: Uint8Array, { ln, r, p }: ScryptCost): Derivation {
  const options = { N: 2 ** ln, r, p, maxmem: 256 * r * 2 ** ln }
  return { password: password.normalize("NFC"), salt, length: 32, options }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replace(/=+$/, "")
}
