import { Buffer } from "node:buffer"
import { endOfText, startOfText } from "../../data/mysql/raw-row.ts"

// These write JSON into `out` from `end` on, and return the new end. The caller reserves the bytes.

const quote = 0x22
const backslash = 0x5c
const space = 0x20
/** The letter `u` of an escape such as `\u001f`. */
const numbered = 0x75
const digits = Buffer.from("0123456789abcdef")

/** By byte of a text: 0 if it is written as it is, else the letter behind the backslash. */
const escapes = new Uint8Array(256).fill(numbered, 0, space)
for (const pair of ['""', "\\\\", "\bb", "\ff", "\nn", "\rr", "\tt"]) {
  escapes[pair.charCodeAt(0)] = pair.charCodeAt(1)
}

/** Writes text that is JSON: at most three bytes per character. */
export function writeJson(out: DataView, end: number, json: string): number {
  return end + Buffer.from(out.buffer).write(json, end)
}

/** Writes a value as `JSON.stringify` does. */
export function writeValue(out: DataView, end: number, value: unknown): number {
  return writeJson(out, end, JSON.stringify(value))
}

/** Writes a whole number: at most 24 bytes. */
export function writeInteger(out: DataView, end: number, value: number): number {
  if (value < 0 || value > 0x7fffffff) return writeValue(out, end, value)
  let length = 1
  for (let power = 10; power <= value; power *= 10) length++
  let rest = value | 0
  for (let at = end + length - 1; at >= end; at--) {
    const tens = (rest / 10) | 0
    out.setUint8(at, 0x30 + rest - 10 * tens)
    rest = tens
  }
  return end + length
}

/** Writes the UTF-8 text whose length is at `place`: at most six bytes per byte, and two quotes. */
export function writeText(out: DataView, end: number, source: DataView, place: number): number {
  const stop = endOfText(source, place)
  let at = startOfText(source, place)
  out.setUint8(end++, quote)
  while (at < stop) {
    if (at + 4 <= stop) {
      const four = source.getInt32(at, true)
      if (!hasEscape(four)) {
        out.setInt32(end, four, true)
        at += 4
        end += 4
        continue
      }
    }
    const byte = source.getUint8(at++)
    const escape = escapes[byte] as number
    if (escape === 0) {
      out.setUint8(end++, byte)
      continue
    }
    out.setUint8(end++, backslash)
    out.setUint8(end++, escape)
    if (escape !== numbered) continue
    out.setUint16(end, 0x3030)
    out.setUint8(end + 2, digits[byte >> 4] as number)
    out.setUint8(end + 3, digits[byte & 15] as number)
    end += 4
  }
  out.setUint8(end++, quote)
  return end
}

/**
 * Returns true if one of four bytes is a quote, a backslash or below a space. Subtracting n from each
 * byte sets the highest bit of the bytes below n; bytes that had it before do not count.
 */
function hasEscape(four: number): boolean {
  const quotes = four ^ 0x22222222
  const backslashes = four ^ 0x5c5c5c5c
  return ((((four - 0x20202020) & ~four) | ((quotes - 0x01010101) & ~quotes) |
    ((backslashes - 0x01010101) & ~backslashes)) & 0x80808080) !== 0
}

/** Writes the JSON document whose length is at `place`, without the spaces between its parts. */
export function writeDocument(out: DataView, end: number, source: DataView, place: number): number {
  const stop = endOfText(source, place)
  let inText = false
  for (let at = startOfText(source, place); at < stop; at++) {
    const byte = source.getUint8(at)
    if (byte === quote) inText = !inText
    else if (byte === backslash) out.setUint8(end++, source.getUint8(at++))
    else if (!inText && byte <= space) continue
    out.setUint8(end++, source.getUint8(at))
  }
  return end
}
