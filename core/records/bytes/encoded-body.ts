import { Buffer } from "node:buffer"
import type { Bytes } from "../../http/answer.ts"

/**
 * How pages become a text: an array of a list's records, an object of arrays by name for a bundle, or a line per
 * record, which begins with the name as `category` in a bundle.
 */
export type PageShape = "list" | "bundle" | "lines" | "named lines"

/** The records of a part of a page. */
export interface PartTexts {
  readonly name: string
  /** The JSON of each record, a non-empty object; in an array, also of several records, separated by commas. */
  readonly texts: readonly string[]
  readonly count: number
}

/** Records as JSON, in one of the shapes. */
export class EncodedBody {
  readonly bytes: Bytes
  readonly count: number

  constructor(bytes: Bytes, count: number) {
    this.bytes = bytes
    this.count = count
  }

  /** The records as values, for a caller that looks into them. Not of lines. */
  toJSON(): unknown {
    return JSON.parse(new TextDecoder().decode(this.bytes))
  }
}

/** Returns memory for at least `length` bytes. */
type TakeMemory = (length: number) => Buffer<ArrayBuffer>

/** Writes the parts of a page (one, unless it is a bundle) into memory from `take`. */
export function encodeParts(
  parts: readonly PartTexts[],
  shape: PageShape,
  take: TakeMemory = Buffer.allocUnsafeSlow,
): EncodedBody {
  const frames = parts.map(({ name, texts }, index) => ({ ...frameOf(name, shape, index), texts }))
  const end = shape === "bundle" ? "}" : ""
  const size = frames.reduce((sum, frame) => sum + sizeOf(frame), end.length)
  // Not one string: a page may be longer than a string can be.
  const bytes = take(size)
  let at = 0
  for (const { head, start, letter, tail, texts } of frames) {
    at += bytes.write(head, at)
    for (const text of texts) {
      if (start) at += bytes.write(start, at)
      at += bytes.write(start ? text.slice(1) : text, at)
      bytes[at++] = letter
    }
    // No comma follows the last record.
    if (tail && texts.length > 0) at--
    at += bytes.write(tail, at)
  }
  at += bytes.write(end, at)
  return new EncodedBody(bytes.subarray(0, at), parts.reduce((sum, { count }) => sum + count, 0))
}

/** What is written around the records of a part. */
interface Frame {
  readonly head: string
  /** Takes the place of the bracket that each record begins with. */
  readonly start: string
  /** The letter of ASCII behind each record. */
  readonly letter: number
  readonly tail: string
}

const comma = 0x2c
const lineFeed = 0x0a

function frameOf(name: string, shape: PageShape, index: number): Frame {
  if (shape === "lines") return { head: "", start: "", letter: lineFeed, tail: "" }
  if (shape === "named lines") {
    const start = `{"category":${JSON.stringify(name)},`
    return { head: "", start, letter: lineFeed, tail: "" }
  }
  const key = shape === "bundle" ? `${index === 0 ? "{" : ","}${JSON.stringify(name)}:` : ""
  return { head: `${key}[`, start: "", letter: comma, tail: "]" }
}

/** Returns the bytes of a part, or a few more. */
function sizeOf({ head, start, tail, texts }: Frame & Pick<PartTexts, "texts">): number {
  const framing = Buffer.byteLength(head + tail) + texts.length * (Buffer.byteLength(start) + 1)
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), framing)
}
