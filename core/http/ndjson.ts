/** The media types of NDJSON, which are names of the same. */
export const ndjsonTypes = [
  "application/x-ndjson",
  "application/ndjson",
  "application/jsonl",
  "application/x-jsonlines",
] as const

/** What some readers of lines, such as those of Node.js, Bun and Python, take for the end of one. JSON allows it in texts. */
export const lineBreaks = ["\u0085", "\u2028", "\u2029"] as const
const anyLineBreak = new RegExp(`[${lineBreaks.join("")}]`, "g")

/** Escapes the line breaks that JSON leaves in texts: a reader of lines gets the same JSON, and never a part of it. */
export function escapeLineBreaks(json: string): string {
  return json.replace(
    anyLineBreak,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}
