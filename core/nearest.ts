import { closest, distance } from "fastest-levenshtein"

/** Characters that are compared. More would take time, and typing errors show in fewer. */
const comparedLength = 32

/**
 * Suggests a known name for an unknown one, as the end of a sentence: the nearest known name if at most `most` letters
 * differ and at least one is the same, else all known names. Ignores case. Returns "" if no name is known.
 */
export function suggest(name: string, known: readonly string[], most: number): string {
  if (known.length === 0) return ""
  const folded = known.map((each) => each.toLowerCase())
  const unknown = name.slice(0, comparedLength).toLowerCase()
  const nearest = closest(unknown, folded)
  return distance(unknown, nearest) <= Math.min(most, nearest.length - 1)
    ? `: did you mean ${known[folded.indexOf(nearest)]}?`
    : `; there are ${known.join(", ")}`
}
