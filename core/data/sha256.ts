import { hash } from "node:crypto"

/** Returns the SHA-256 of a text in UTF-8, as 64 lower-case hexadecimal digits. */
export function sha256(text: string): string {
  return hash("sha256", text, "hex")
}
