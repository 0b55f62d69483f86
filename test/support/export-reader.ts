import { sha256 } from "../../core/data/sha256.ts"
import { recordsOfCsv } from "./csv-reader.ts"

/** What the last line of an export says. */
interface End {
  readonly count: number
  readonly sha256: string
  readonly next: string | null
}

/** An export as a partner reads it. */
export interface ReadExport {
  readonly rows: readonly Record<string, unknown>[]
  readonly next: string | null
}

/**
 * Reads an export, and checks it as its last line says.
 *
 * @throws {Error} if it is truncated or changed.
 */
export function readExport(text: string): ReadExport {
  if (!text.endsWith("\n")) throw new Error("the last line is not whole")
  const start = text.lastIndexOf("\n", text.length - 2) + 1
  const [content, last] = [text.slice(0, start), text.slice(start)]
  const isCsv = last.startsWith("#end,")
  const end = isCsv ? endOfCsv(last.trimEnd()) : (JSON.parse(last) as { end?: End }).end
  if (!end) throw new Error("there is no last line")
  if (sha256(content) !== end.sha256) throw new Error("the content is another")
  const rows = isCsv
    ? recordsOfCsv(content)
    : content.split(/[\n\u0085\u2028\u2029]/).slice(0, -1).map((line) => JSON.parse(line))
  if (rows.length !== end.count) throw new Error(`${rows.length} records instead of ${end.count}`)
  return { rows, next: end.next }
}

function endOfCsv(line: string): End {
  const parts = line.split(",").slice(1).map((part) => {
    const at = part.indexOf("=")
    return [part.slice(0, at), part.slice(at + 1)]
  })
  const { count, sha256, next } = Object.fromEntries(parts)
  return { count: Number(count), sha256, next: next === "" ? null : next }
}
