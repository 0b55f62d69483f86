/** A merge of several programs: the numbers of the actors, in the order in which they take a step. */
export type Merge = readonly number[]

/** Counts the merges of programs of these lengths: 10! / (3! 3! 4!) = 4,200 for 3, 3 and 4 steps. */
export function countMerges(lengths: readonly number[]): number {
  let merges = 1
  let steps = 0
  for (const length of lengths) {
    // Stays whole: after each factor it is a binomial coefficient times the merges so far.
    for (let step = 1; step <= length; step++) merges = merges * ++steps / step
  }
  return merges
}

/**
 * Returns a merge by its index. Merges are in the order of a dictionary whose letters are the actors.
 *
 * @throws {RangeError} if there are not so many.
 */
export function mergeAt(lengths: readonly number[], index: number): Merge {
  const all = countMerges(lengths)
  if (!Number.isSafeInteger(index) || index < 0 || index >= all) {
    throw new RangeError(`there is no merge ${index}: the last one is ${all - 1}`)
  }
  const left = [...lengths]
  const merge: number[] = []
  for (let rest = index; left.some((steps) => steps > 0);) {
    const actor = left.findIndex((steps, actor) => {
      if (steps === 0) return false
      const below = countMerges(left.with(actor, steps - 1))
      if (rest < below) return true
      rest -= below
      return false
    })
    merge.push(actor)
    left[actor] = (left[actor] ?? 0) - 1
  }
  return merge
}
