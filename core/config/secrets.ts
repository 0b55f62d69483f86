import { readRegularFile } from "./files.ts"

/** The shortest secret, in characters. */
export const shortestSecret = 32
/** The fewest different characters in a secret. */
const fewestDifferent = 8

/** Words in the secrets of examples and tutorials. */
const wellKnown =
  /change.?(me|this)|your.?secret|complex_password|example|placeholder|do.?not.?use|insecure/i

/** Returns why a text cannot be a secret, or undefined if it can. Never shows the text. */
export function weakness(secret: string): string | undefined {
  const advice = "`openssl rand -base64 33` generates one"
  if (secret.length < shortestSecret) {
    return `must be at least ${shortestSecret} characters long; ${advice}`
  }
  const repeats = /^(.{1,16}?)\1+.{0,15}$/s.test(secret)
  if (repeats || new Set(secret).size < fewestDifferent || wellKnown.test(secret)) {
    return `must not be easy to guess; ${advice}`
  }
  return undefined
}

/** Reads a file with a secret per line. @throws {Error} as `readPrivateFile`, or if one is weak. */
export function readSecretFile(path: string): string[] {
  const secrets = readPrivateFile(path).split("\n").map((line) => line.trim()).filter(Boolean)
  if (secrets.length === 0) throw new Error("the file is empty: write one per line, newest first")
  for (const [index, secret] of secrets.entries()) {
    const reason = weakness(secret)
    if (reason) throw new Error(`secret ${index + 1} in the file ${reason}`)
  }
  return secrets
}

/** Reads a file. @throws {Error} if it cannot be read, or if every user of the machine can. */
export function readPrivateFile(path: string): string {
  const { text, mode } = readRegularFile(path)
  if ((mode & 0o007) !== 0) {
    throw new Error('every user of this machine may use the file: run "chmod 600" (or 640) on it')
  }
  return text
}
