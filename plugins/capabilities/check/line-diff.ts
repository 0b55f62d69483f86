/** A line of two texts: only in the first, only in the second, or in both. */
export interface DiffLine {
  readonly sign: "-" | "+" | " "
  readonly text: string
}

/** The most pairs of lines that are compared: more would take long, and memory. */
const mostPairs = 4_000_000

/**
 * Returns the lines that differ between two texts, with some around them; null stands for what is left out. None if they
 * are equal. Finds the fewest lines, unless the texts have too much between their first and last difference: then all of
 * that differs.
 */
export function diffLines(
  before: string,
  after: string,
  { around = 2 }: { readonly around?: number } = {},
): (DiffLine | null)[] {
  const [a, b] = [before.split("\n"), after.split("\n")]
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++
  let end = 0
  const most = Math.min(a.length, b.length) - start
  while (end < most && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const same = (texts: readonly string[]) => texts.map((text) => ({ sign: " ", text }) as const)
  const middle = compare(a.slice(start, a.length - end), b.slice(start, b.length - end))
  const all = [...same(a.slice(0, start)), ...middle, ...same(a.slice(a.length - end))]
  const isNear = all.map((_, index) =>
    all.slice(Math.max(0, index - around), index + around + 1).some(({ sign }) => sign !== " ")
  )
  return all.flatMap((line, index) => isNear[index] ? [line] : isNear[index + 1] ? [null] : [])
}

/** Compares by the longest common subsequence. */
function compare(a: readonly string[], b: readonly string[]): DiffLine[] {
  const removed = (text: string) => ({ sign: "-", text }) as const
  const added = (text: string) => ({ sign: "+", text }) as const
  if (a.length * b.length > mostPairs) return [...a.map(removed), ...b.map(added)]
  const width = b.length + 1
  // At i and j, how many lines the ends of both texts from there on have in common.
  const common = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = a[i] === b[j]
        ? at(i + 1, j + 1) + 1
        : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [one, other] = [a[i], b[j]]
    if (one !== undefined && one === other) {
      lines.push({ sign: " ", text: one })
      i++
      j++
    } else if (one !== undefined && (other === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(one))
      i++
    } else {
      lines.push(added(other ?? ""))
      j++
    }
  }
  return lines
}
