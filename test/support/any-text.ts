import fc, { type Arbitrary } from "fast-check"

/** A character of any script. The one of fast-check takes a second to begin: it makes a table of them all. */
const character = fc.integer({ min: 0, max: 0x10ffff })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code), codeOf)

/** Returns texts of any characters. */
export function anyText(maxLength?: number): Arbitrary<string> {
  return fc.string({ unit: character, ...maxLength !== undefined && { maxLength } })
}

function codeOf(character: unknown): number {
  return String(character).codePointAt(0) ?? 0
}
