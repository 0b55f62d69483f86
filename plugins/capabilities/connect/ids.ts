import { Buffer } from "node:buffer"
import { createHash } from "node:crypto"

/** The namespace of all ids that are made here. Never changes: ids are for ever. */
const namespace = Buffer.from("7d0c5f6b2a9e4f0c8b1de53a6c4f9b27", "hex")

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/**
 * Returns the id that partners see of a row with this key in its source: the key itself if it is a UUID, else a UUID of
 * version 5 (RFC 9562) of the kind and the key. It depends on nothing else, so no change of the mapping moves it.
 */
export function idOf(kind: string, key: string): string {
  if (uuid.test(key)) return key.toLowerCase()
  const bytes = createHash("sha1").update(namespace).update(`${kind}/${key}`).digest()
  bytes[6] = (bytes[6] as number) & 0x0f | 0x50
  bytes[8] = (bytes[8] as number) & 0x3f | 0x80
  const text = bytes.toString("hex", 0, 16)
  return [[0, 8], [8, 12], [12, 16], [16, 20], [20, 32]]
    .map(([from, to]) => text.slice(from, to)).join("-")
}
