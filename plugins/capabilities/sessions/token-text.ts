import { hash, randomBytes } from "node:crypto"

/** The text of a token: what programs that look for lost secrets know it by, and 256 random bits. */
const pattern = /^ee_[A-Za-z0-9_-]{43}$/

/**
 * Returns a new token. It is random, and no seal, so that it outlives the secrets that seal cookies: a token may last a
 * year, and a secret that was found out has to go at once. Nobody but its owner has it. The database has its SHA-256,
 * from which it cannot be made; a slow hash, as for passwords, would protect 256 random bits no better.
 */
export function newToken(): string {
  return `ee_${randomBytes(32).toString("base64url")}`
}

/** Returns what the database knows a token by; undefined for a text that is none. */
export function hashOf(token: string): string | undefined {
  return pattern.test(token) ? hash("sha256", token) : undefined
}
