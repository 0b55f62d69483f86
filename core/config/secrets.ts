import { closeSync, fstatSync, openSync, readFileSync } from "node:fs"

/** Characters of a secret, at least, and different ones among them. */
export const shortestSecret = 32
const fewestDifferent = 8

/** What stands in examples and tutorials. */
const wellKnown =
  /change.?(me|this)|your.?secret|complex_password|example|placeholder|do.?not.?use|insecure/i

/** Why a text cannot be a secret; undefined where it can. Never shows the text. */
export function weakness(secret: string): string | undefined {
  const make = "`openssl rand -base64 33` makes a good one"
  if (secret.length < shortestSecret) {
    return `must be at least ${shortestSecret} characters long; ${make}`
  }
  const repeats = /^(.{1,16}?)\1+.{0,15}$/s.test(secret)
  if (repeats || new Set(secret).size < fewestDifferent || wellKnown.test(secret)) {
    return `must not be one that can be guessed; ${make}`
  }
  return undefined
}

/** The secrets of a file, one a line. @throws {Error} as `readPrivateFile`, or on what is no good. */
export function readSecretFile(path: string): string[] {
  const secrets = readPrivateFile(path).split("\n").map((line) => line.trim()).filter(Boolean)
  if (secrets.length === 0) throw new Error("the file has none: write one a line, newest first")
  for (const [index, secret] of secrets.entries()) {
    const reason = weakness(secret)
    if (reason) throw new Error(`secret ${index + 1} in the file ${reason}`)
  }
  return secrets
}

/** The text of a file. @throws {Error} where it cannot be read, or everyone on this machine can. */
export function readPrivateFile(path: string): string {
  const descriptor = openSync(path, "r")
  try {
    const found = fstatSync(descriptor)
    if (!found.isFile()) throw new Error("it is not a file")
    if ((found.mode & 0o007) !== 0) {
      throw new Error('everyone on this machine may use the file: "chmod 600" (or 640) it')
    }
    return readFileSync(descriptor, "utf8")
  } finally {
    closeSync(descriptor)
  }
}
