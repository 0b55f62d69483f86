/** A media type that a client accepts. */
interface Range {
  /** In lower case, as `text/csv`, `text/*` or any type. */
  readonly name: string
  /** In lower case, without the weight. */
  readonly parameters: Readonly<Record<string, string>>
  /** From 0 (not accepted) to 1. */
  readonly weight: number
}

/** A choice of one of the offered media types. */
export interface MediaTypeChoice<Type extends string> {
  readonly type: Type
  /** The parameters that the client sent with it, such as `header=absent`, in lower case. */
  readonly parameters: Readonly<Record<string, string>>
}

/**
 * Chooses the most preferred of the offered media types by `Accept` (RFC 9110, 12.5.1). Among equals, a type that is
 * named comes before one that only matches a wildcard. If the client accepts none, returns the first that it does not
 * refuse by name.
 */
export function chooseType<Type extends string>(
  accept: string | null,
  offered: readonly [Type, ...Type[]],
): MediaTypeChoice<Type> {
  const ranges = (accept ?? "").toLowerCase().split(",").map(readRange)
  const [best] = offered
    .map((type) => ({ type, ...rangeFor(type, ranges) }))
    .filter(({ weight, precision }) => weight > 0 || precision === 0)
    .sort((a, b) => b.weight - a.weight || b.precision - a.precision)
  return best ?? { type: offered[0], parameters: {} }
}

/** Returns the most specific range that matches a type: its weight counts, even if that is zero. */
function rangeFor(type: string, ranges: readonly Range[]) {
  const [group] = type.split("/")
  for (const [index, name] of [type, `${group}/*`, "*/*"].entries()) {
    const [best] = ranges.filter((range) => range.name === name).sort((a, b) => b.weight - a.weight)
    if (best) return { ...best, precision: 2 - index }
  }
  return { weight: 0, precision: 0, parameters: {} }
}

function readRange(text: string): Range {
  const [name = "", ...rest] = text.split(";").map((part) => part.trim())
  const { q = "1", ...parameters } = Object.fromEntries(
    rest.map((part) => part.split("=").map((side) => side.trim().replaceAll('"', ""))),
  )
  return { name, parameters, weight: Math.min(Number(q) || 0, 1) }
}
