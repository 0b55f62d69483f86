const sets = 7

/** The numbers of seven bits of which four are set: 35. Each two have a bit in common, and each has one of its own. */
const choices = Array.from({ length: 2 ** sets }, (_, number) => number)
  .filter((number) => number.toString(2).replaceAll("0", "").length === 4)

/**
 * Returns eight sets of names. Each two names are both in one, both missing in one, and each without the other in one:
 * capabilities that depend on each other without saying so are noticed.
 */
export function capabilitySets(names: readonly string[]): (readonly string[])[] {
  if (names.length > choices.length) throw new TypeError(`more than ${choices.length} names`)
  const isIn = (name: number, set: number) => ((choices[name] ?? 0) & 2 ** set) > 0
  return [
    [],
    ...Array.from({ length: sets }, (_, set) => names.filter((_, name) => isIn(name, set))),
  ]
}
