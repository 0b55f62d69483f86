import { ndjsonTypes, readWeights } from "../../../core/capability.ts"

/** Returns the media type of NDJSON that a client prefers to JSON; undefined for JSON. */
export function linesTypeOf(accept: string | null): string | undefined {
  const weights = readWeights(accept ?? "")
  const weightOf = (name: string) => weights.get(name) ?? 0
  const [best] = ndjsonTypes.toSorted((a, b) => weightOf(b) - weightOf(a))
  return best && weightOf(best) > weightOf("application/json") ? best : undefined
}
