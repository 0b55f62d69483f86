import { Buffer } from "node:buffer"
import { gunzipSync } from "node:zlib"
import { printableLine } from "../../../core/kernel/printable.ts"

/**
 * What a package is beside the one that was built again. `compression` is the only difference if the archives in them are
 * the same bytes, and were compressed by another release of zlib.
 */
export type Comparison =
  | { readonly kind: "equal" }
  | { readonly kind: "compression" }
  /** Lines for people, without names that a terminal obeys. */
  | { readonly kind: "different"; readonly lines: readonly string[] }

/** A member of a tar archive: its header, and what follows. */
interface Entry {
  /** As it is installed, without `package/`. */
  readonly path: string
  readonly header: Buffer
  readonly content: Buffer
}

/** Bytes that no package of ours comes near. */
const longestArchive = 2 ** 28
const block = 512

/** Compares a package, a file of anybody's, with the one that was built again. Both are gzip of tar, as npm packs. */
export function comparePackages(file: Buffer, rebuilt: Buffer): Comparison {
  if (file.equals(rebuilt)) return { kind: "equal" }
  try {
    const [theirs, ours] = [unpack(file), unpack(rebuilt)]
    if (theirs.equals(ours)) return { kind: "compression" }
    return { kind: "different", lines: compareArchives(theirs, ours) }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { kind: "different", lines: [error.message] }
  }
}

/** Returns the content of a file of a package. @throws {Unreadable} if it has none, or is no package. */
export function readFromPackage(file: Buffer, path: string): string {
  const entry = entriesOf(unpack(file)).find((each) => each.path === path)
  if (!entry) throw new Unreadable(`it has no ${path}`)
  return entry.content.toString()
}

/** Thrown for bytes that are no package. The message says why, in the middle of a sentence. */
export class Unreadable extends Error {
  override readonly name = "Unreadable"
}

function unpack(bytes: Buffer): Buffer {
  // Of these, programs that unpack may take different views.
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) {
    throw new Unreadable("it is no gzip")
  }
  if (bytes[3] !== 0) throw new Unreadable("its gzip header has fields that npm does not write")
  let unpacked
  try {
    unpacked = gunzipSync(bytes, { info: true, maxOutputLength: longestArchive }) as unknown as {
      readonly buffer: Buffer
      readonly engine: { readonly bytesWritten: number }
    }
  } catch (error) {
    throw new Unreadable(`it cannot be decompressed: ${(error as Error).message}`)
  }
  const { buffer, engine } = unpacked
  if (engine.bytesWritten < bytes.length) {
    throw new Unreadable(`${bytes.length - engine.bytesWritten} bytes follow its archive`)
  }
  return buffer
}

function entriesOf(archive: Buffer): Entry[] {
  const entries: Entry[] = []
  for (let at = 0; at + block <= archive.length;) {
    const header = archive.subarray(at, at + block)
    if (header.every((byte) => byte === 0)) break
    const size = numberIn(header, 124, 12)
    if (
      !(size >= 0) || at + block + size > archive.length ||
      numberIn(header, 148, 8) !== sumOf(header)
    ) {
      throw new Unreadable(`its archive is broken at byte ${at}`)
    }
    const [prefix, name] = [textIn(header, 345, 155), textIn(header, 0, 100)]
    const path = (prefix ? `${prefix}/${name}` : name).replace(/^package\//, "")
    entries.push({ path, header, content: archive.subarray(at + block, at + block + size) })
    at += block + Math.ceil(size / block) * block
  }
  return entries
}

function textIn(header: Buffer, start: number, length: number): string {
  return header.toString("utf8", start, start + length).replace(/\0.*$/s, "")
}

function numberIn(header: Buffer, start: number, length: number): number {
  const digits = textIn(header, start, length).trim()
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN
}

/** The sum of a header's bytes, with spaces in the place of the sum. */
function sumOf(header: Buffer): number {
  return header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0)
}

function compareArchives(theirs: Buffer, ours: Buffer): string[] {
  const [file, rebuilt] = [named(entriesOf(theirs)), named(entriesOf(ours))]
  const lines = [...new Set([...rebuilt.keys(), ...file.keys()])].flatMap((key) => {
    const [one, other] = [file.get(key), rebuilt.get(key)]
    const what = !one
      ? "is missing in the file"
      : !other
      ? "is only in the file"
      : !one.content.equals(other.content)
      ? `differs from byte ${firstDifference(one.content, other.content)} on`
      : !one.header.equals(other.header)
      ? "has another mode, owner, time, type or link: compare them with tar -tv"
      : undefined
    return what ? [`${printableLine(key)} ${what}`] : []
  })
  if (lines.length > 0) return lines
  const [first] = [...file.keys()].filter((key, index) => [...rebuilt.keys()][index] !== key)
  return [
    first === undefined
      ? `the archives differ at byte ${firstDifference(theirs, ours)}, outside of all files`
      : `the files are in another order, from ${printableLine(first)} on`,
  ]
}

/** Returns entries by their paths. A path that is there again is one of its own: it replaces the former when unpacked. */
function named(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  const found = new Map<string, Entry>()
  for (const entry of entries) {
    let key = entry.path
    for (let n = 2; found.has(key); n++) key = `${entry.path} (number ${n} of this name)`
    found.set(key, entry)
  }
  return found
}

function firstDifference(one: Buffer, other: Buffer): number {
  const at = one.findIndex((byte, index) => byte !== other[index])
  return at < 0 ? one.length : at
}
