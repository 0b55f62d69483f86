/**
 * Returns sets of names of which each two names are both in one, both missing in one, and each without the other in one.
 * Capabilities that depend on each other without saying so are noticed with few sets.
 */
export function capabilitySets(names: readonly string[]): (readonly string[])[] {
  const sets: (readonly string[])[] = [[], names]
  // The numbers of two names differ in at least one bit.
  for (let bit = 1; bit < names.length; bit *= 2) {
    for (const wanted of [true, false]) {
      sets.push(names.filter((_, number) => ((number & bit) > 0) === wanted))
    }
  }
  return sets
}
