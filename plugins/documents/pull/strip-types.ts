import { stripTypeScriptTypes } from "node:module"
import process from "node:process"

/**
 * Converts TypeScript to readable JavaScript, without types, the gaps they leave, and comments about them. Types must
 * be ASCII.
 */
export function stripTypes(text: string): string {
  // Node.js replaces types by spaces, so that every line and column stays in place.
  const stripped = withoutWarning(() => stripTypeScriptTypes(text)).split("\n")
  const kept: string[] = []
  for (const [index, original] of text.split("\n").entries()) {
    const line = closeGaps(original, stripped[index] ?? "")
    if (line !== "" || original.trim() === "") kept.push(line)
    else if (kept.at(-1)?.endsWith("*/")) {
      kept.splice(kept.findLastIndex((each) => each.trimStart().startsWith("/**")))
    }
  }
  return kept.join("\n").replaceAll(/\n{3,}/g, "\n\n")
}

/** Removes the spaces that replaced types, except one if a space followed the type. */
function closeGaps(original: string, stripped: string): string {
  return stripped.replaceAll(/ +/g, (spaces, start: number) => {
    const source = original.slice(start, start + spaces.length)
    if (source.trim() === "") return spaces
    if (start === 0) return /^ */.exec(source)?.[0] ?? ""
    return source.endsWith(" ") ? " " : ""
  }).trimEnd()
}

/** Runs `work` without Node.js's warning about experimental features. */
export function withoutWarning<T>(work: () => T): T {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return work()
  } finally {
    process.emitWarning = emitWarning
  }
}
