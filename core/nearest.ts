import { closest, distance } from "fastest-levenshtein"

/** Characters that are compared. Nobody mistypes more, and comparing takes time. */
const longest = 32

/**
 * Suggests what was meant by an unknown name, as the end of a sentence: the nearest of the known
 * names if at most `most` letters differ, else all of them. Ignores case.
 */
export function suggest(name: string, known: readonly string[], most: number): string {
  if (known.length === 0) return ""
  const folded = known.map((each) => each.toLowerCase())
  const given = name.slice(0, longest).toLowerCase()
  const nearest = closest(given, folded)
  return distance(given, nearest) <= most
    ? `: did you mean ${known[folded.indexOf(nearest)]}?`
    : `; there are ${known.join(", ")}`
}
