import { Buffer } from "node:buffer"
import { hash } from "node:crypto"

/** The namespace of all ids that are made here. Never changes: partners keep ids. */
const namespace = Buffer.from("7d0c5f6b2a9e4f0c8b1de53a6c4f9b27", "hex")

/** True for a UUID, which stays as it is. */
export function isUuid(key: string): boolean {
  return uuid.test(key)
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/**
 * Returns the id that partners see of a row with this key in its source: the key itself if it is a UUID, else a UUID of
 * version 5 (RFC 9562) of the kind and the key. It depends on nothing else, so no change of the mapping moves it.
 */
export function idOf(kind: string, key: string): string {
  if (isUuid(key)) return key.toLowerCase()
  const text = hash("sha1", Buffer.concat([namespace, Buffer.from(`${kind}/${key}`)]))
  const variant = (Number.parseInt(text.slice(16, 18), 16) & 0x3f | 0x80).toString(16)
  return [
    text.slice(0, 8),
    text.slice(8, 12),
    `5${text.slice(13, 16)}`,
    variant + text.slice(18, 20),
    text.slice(20, 32),
  ].join("-")
}
