import { Buffer } from "node:buffer"
import * as crypto from "node:crypto"
import { promisify } from "node:util"
import type { PasswordKind } from "../config/settings.ts"
import { UserError } from "../errors.ts"

/**
 * What new hashes begin with: the kind and its cost, as PHC strings write them. OWASP's Password Storage Cheat Sheet counts
 * both as strong as scrypt with N=2^17 r=8 p=1, which takes 128 MiB: these take 16 and 19, and so little memory for two
 * log-ins at once. Argon2id takes a fifth of the time.
 */
export const methods: Record<PasswordKind, string> = {
  scrypt: "$scrypt$ln=14,r=8,p=5",
  argon2id: "$argon2id$v=19$m=19456,t=2,p=1",
}

/** Hashes a password by a method, off the main thread, into a PHC string, which carries its own salt and cost. */
export async function hashPassword(password: string, method = methods.scrypt): Promise<string> {
  const salt = crypto.randomBytes(16)
  return `${method}$${base64(salt)}$${base64(await derive(password, method, salt))}`
}

/**
 * Returns true if a password belongs to a PHC string; computes it off the main thread.
 *
 * @throws {UserError} if it is Argon2id, and the runtime does not have that.
 */
export async function verifyPassword(password: string, phc: string): Promise<boolean> {
  const { method, salt, hash } = phcPattern.exec(phc)?.groups ?? {}
  if (method === undefined || salt === undefined || hash === undefined) return false
  const expected = Buffer.from(hash, "base64")
  const actual = await derive(password, method, Buffer.from(salt, "base64"))
  return expected.length === actual.length && crypto.timingSafeEqual(expected, actual)
}

/** Returns true for a hash of another kind, or of a lower cost, than new ones of this kind. */
export function isOutdated(phc: string, kind: PasswordKind): boolean {
  const { method = "" } = phcPattern.exec(phc)?.groups ?? {}
  return kindOf(method) !== kind || workOf(method) < workOf(methods[kind])
}

const phcPattern =
  /^(?<method>\$scrypt\$ln=\d+,r=\d+,p=\d+|\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+)\$(?<salt>[\w+/]+)\$(?<hash>[\w+/]+)$/

function kindOf(method: string): PasswordKind {
  return method.startsWith("$argon2id$") ? "argon2id" : "scrypt"
}

/** Returns the numbers of a method, such as `N = 2 ** ln`, `r` and `p`, by their names. */
function costOf(method: string): Readonly<Record<string, number>> {
  const found = method.matchAll(/\b([a-z]+)=(\d+)/g)
  return Object.fromEntries([...found].map(([, name, number]) => [name, Number(number)]))
}

/** Returns how much memory a method fills, however often; comparable within its kind. */
function workOf(method: string): number {
  const { ln = 0, r = 0, p = 0, m = 0, t = 0 } = costOf(method)
  return kindOf(method) === "argon2id" ? m * t : 2 ** ln * r * p
}

async function derive(password: string, method: string, salt: Uint8Array): Promise<Uint8Array> {
  const message = password.normalize("NFC")
  const { ln = 0, r = 0, p = 0, m = 0, t = 0 } = costOf(method)
  if (kindOf(method) === "scrypt") {
    const options = { N: 2 ** ln, r, p, maxmem: 256 * r * 2 ** ln }
    return await scrypt(message, salt, options)
  }
  // Deno does not have it, and Node.js not before 24.7.
  const { argon2 } = crypto as { readonly argon2?: typeof crypto.argon2 }
  if (!argon2) throw new UserError(cannotVerify)
  const parameters = { message, nonce: salt, parallelism: p, memory: m, passes: t }
  return await promisify(argon2)("argon2id", { ...parameters, tagLength: length })
}

/** Bytes of a derived key. */
const length = 32

function scrypt(message: string, salt: Uint8Array, options: crypto.ScryptOptions) {
  return new Promise<Uint8Array>((resolve, reject) => {
    crypto.scrypt(
      message,
      salt,
      length,
      options,
      (error, key) => error ? reject(error) : resolve(key),
    )
  })
}

const cannotVerify =
  "The password of the account is kept as Argon2id, which this runtime cannot compute. Run all processes on Node.js 24.7 " +
  'or later; or set it again with "account passwd" and session.passwords: scrypt. Until then, nobody can log in to it here.'

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replace(/=+$/, "")
}
