import { hash, randomBytes } from "node:crypto"

/** The text of a token: a prefix by which scanners find lost secrets, and 256 random bits. */
const pattern = /^ee_[A-Za-z0-9_-]{43}$/

/**
 * Returns a new token. It is random and not sealed, so that it outlives the secrets that seal cookies: a token may last a
 * year, and a leaked secret has to go at once. The database has only its SHA-256. A slow hash, as for passwords, would
 * protect 256 random bits no better.
 */
export function newToken(): string {
  return `ee_${randomBytes(32).toString("base64url")}`
}

/** Returns the hash of a token in the database; undefined for a text that is not a token. */
export function hashOf(token: string): string | undefined {
  return pattern.test(token) ? hash("sha256", token) : undefined
}
