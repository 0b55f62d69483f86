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
export function gauge(name: string, help: string, values: number | readonly MetricValue[]): Metric {
  return { name, help, kind: "gauge", values: valuesOf(values) }
}

/** Makes a counter of one value, or of values with labels. */
export function counter(
  name: string,
  help: string,
  values: number | readonly MetricValue[],
): Metric {
  return { name, help, kind: "counter", values: valuesOf(values) }
}

function valuesOf(values: number | readonly MetricValue[]): readonly MetricValue[] {
  return typeof values === "number" ? [{ value: values }] : values
}
