/** What a client needs to know that it has all of an export. */
interface ExportEnd {
  /** Records. */
  readonly count: number
  /** Of all bytes before the line, without compression, in hexadecimal. */
  readonly sha256: string
  /** The URL of the rest; null if there is none. */
  readonly next: string | null
}

/** Returns the last line of an export: without it, the download is truncated. */
export function lastLine(form: "ndjson" | "csv", { count, sha256, next }: ExportEnd): string {
  return form === "ndjson"
    ? `${JSON.stringify({ end: { count, sha256, next } })}\n`
    : `#end,count=${count},sha256=${sha256},next=${next ?? ""}\r\n`
}
