/** A sample: one line of Prometheus' text format. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Returns the samples of a text in Prometheus' format. */
export function samplesOf(text: string): Sample[] {
  return text.split("\n").filter((line) => line && !line.startsWith("#")).map((line) => {
    const [, name = "", inside = "", value = ""] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    const labels = inside.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)
    return {
      name,
      labels: Object.fromEntries([...labels].map(([, label, value]) => [label, value])),
      value: Number(value),
    }
  })
}

/** Returns the value of the one sample with this name and at least these labels, or undefined. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = samples.filter((sample) =>
    sample.name === name &&
    Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
  )
  if (found.length > 1) throw new Error(`${name} occurs ${found.length} times`)
  return found[0]?.value
}
