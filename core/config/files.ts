import { isUtf8 } from "node:buffer"
import { createHash } from "node:crypto"
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs"

/** Files by path, with the state in which each was found. */
export type FileStates = ReadonlyMap<string, string>

/** The largest file that a configuration is read from, in bytes. */
const largestFile = 1024 * 1024

/**
 * Reads a file. Never waits: opening a pipe would, until somebody writes to it.
 *
 * @throws {Error} if it cannot be read, is larger than a mebibyte, or is not a file of UTF-8 text.
 */
export function readRegularFile(path: string): { readonly text: string; readonly mode: number } {
  // Opened once, so that size, mode and text are of the same file, even if it is replaced meanwhile.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = fstatSync(descriptor)
    if (found.isDirectory()) throw new Error("it is a folder: name a file in it")
    if (!found.isFile()) {
      throw new Error(
        "it is not a regular file; each reload reads it again, so it cannot be a pipe or a device",
      )
    }
    if (found.size > largestFile) throw new Error(`it has more than ${largestFile} bytes`)
    const bytes = readFileSync(descriptor)
    if (!isUtf8(bytes)) throw new Error("it is not UTF-8 text: save it in this encoding")
    return { text: bytes.toString("utf8"), mode: found.mode }
  } finally {
    closeSync(descriptor)
  }
}

/** Returns a text that changes whenever reading the file would give something else. */
export function stateOf(path: string): string {
  try {
    const { text, mode } = readRegularFile(path)
    return `${mode} ${createHash("sha256").update(text).digest("base64url")}`
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code ?? message
  }
}
