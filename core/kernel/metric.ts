/** A metric as it is now, for whatever shows metrics. */
export interface Metric {
  /** As Prometheus names it. */
  readonly name: string
  /** A sentence. */
  readonly help: string
  /** A counter only grows, from the start of the process or of the configuration on. */
  readonly kind: "gauge" | "counter"
  readonly values: readonly MetricValue[]
}

/** A value with its labels. */
export interface MetricValue {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** Makes a gauge of one value, or of values with labels. */
export const gauge = maker("gauge")

/** Makes a counter of one value, or of values with labels. */
export const counter = maker("counter")

function maker(kind: Metric["kind"]) {
  return (name: string, help: string, values: number | readonly MetricValue[]): Metric => ({
    name,
    help,
    kind,
    values: typeof values === "number" ? [{ value: values }] : values,
  })
}
