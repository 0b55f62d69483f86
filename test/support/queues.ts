/**
 * Returns what each of some jobs runs, one after the other. All take from the same files, in their order; the crowded ones
 * only the first, before all others.
 */
export function queuesOf(
  files: readonly string[],
  { jobs, isCrowded }: { readonly jobs: number; readonly isCrowded: (file: string) => boolean },
): readonly Iterable<string>[] {
  const crowded = files.filter(isCrowded)
  const others = files.filter((file) => !crowded.includes(file)).values()
  return Array.from(
    { length: jobs },
    (_, index) => index === 0 ? oneAfter(crowded, others) : others,
  )
}

function* oneAfter(first: Iterable<string>, then: Iterable<string>): Iterable<string> {
  yield* first
  yield* then
}
