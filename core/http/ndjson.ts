/** The media types of NDJSON. All mean the same. */
export const ndjsonTypes = [
  "application/x-ndjson",
  "application/ndjson",
  "application/jsonl",
  "application/x-jsonlines",
] as const

/**
 * Characters that some line readers, such as those of Node.js, Bun and Python, take for the end of a line. JSON allows
 * them in texts.
 */
export const lineBreaks = ["\u0085", "\u2028", "\u2029"] as const
const anyLineBreak = new RegExp(`[${lineBreaks.join("")}]`, "g")

/** Escapes these characters, so that no line reader splits a record. */
export function escapeLineBreaks(json: string): string {
  return json.replace(
    anyLineBreak,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}
