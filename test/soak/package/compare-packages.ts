import type { Buffer } from "node:buffer"
import { gunzipSync } from "node:zlib"

/**
 * What a package is beside the one that was built again. `compression` is the only difference if the archives in them are
 * the same bytes, and were compressed by another release of zlib.
 */
export type Comparison = "equal" | "compression" | "different"

/** Bytes that no package of ours comes near. */
const longestArchive = 2 ** 28

/** Compares a package, a file of anybody's, with the one that was built again. Both are gzip, as npm packs. */
export function comparePackages(file: Buffer, rebuilt: Buffer): Comparison {
  if (file.equals(rebuilt)) return "equal"
  return unpack(file)?.equals(gunzipSync(rebuilt)) ? "compression" : "different"
}

/** Returns what gzip holds; undefined if programs that unpack may take different views of it. */
function unpack(bytes: Buffer): Buffer | undefined {
  const isPlain = bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8 && bytes[3] === 0
  if (!isPlain) return undefined
  try {
    const { buffer, engine } = gunzipSync(bytes, {
      info: true,
      maxOutputLength: longestArchive,
    }) as unknown as {
      readonly buffer: Buffer
      readonly engine: { readonly bytesWritten: number }
    }
    // What follows the archive is no part of it.
    return engine.bytesWritten < bytes.length ? undefined : buffer
  } catch {
    return undefined
  }
}
