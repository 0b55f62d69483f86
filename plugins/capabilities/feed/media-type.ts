/** The names of NDJSON. */
const ofLines = [
  "application/x-ndjson",
  "application/ndjson",
  "application/jsonl",
  "application/x-jsonlines",
]

/** Returns the name of NDJSON that a client prefers to JSON; undefined for JSON. */
export function linesTypeOf(accept: string | null): string | undefined {
  const weights = new Map(
    (accept ?? "").toLowerCase().split(",").map((range) => {
      const [name = "", ...parameters] = range.split(";").map((part) => part.trim())
      const weight = parameters.find((part) => part.startsWith("q="))
      return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
    }),
  )
  const weightOf = (name: string) => weights.get(name) ?? 0
  const [best] = ofLines.toSorted((a, b) => weightOf(b) - weightOf(a))
  return best && weightOf(best) > weightOf("application/json") ? best : undefined
}
