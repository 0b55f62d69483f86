import type { Test } from "tap"
import type { Instance } from "../../core/kernel/instance.ts"
import type { Metric } from "../../core/kernel/metric.ts"
import type { Service } from "../../core/kernel/service.ts"
import { instanceMetrics } from "../../plugins/capabilities/metrics/kernel-metrics.ts"

/** An instance, or what has metrics of its own only. */
type Measured = Instance | Pick<Instance, "metrics">

/** Returns the value of a metric, named without `event_export_`; undefined if it has none with these labels. */
export async function measure(
  measured: Measured,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const kernel = "nodes" in measured ? await instanceMetrics(measured) : []
  return valueOf([...kernel, ...await measured.metrics()], name, labels)
}

/** Like `measure`, for metrics that have been read. */
export function valueOf(
  metrics: readonly Metric[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const metric = metrics.find((each) => each.name === `event_export_${name}`)
  const wanted = Object.entries(labels)
  return metric?.values.find(({ labels: found = {} }) =>
    wanted.every(([label, value]) => found[label] === value)
  )?.value
}

/** Opens the address of the metrics of a service whose configuration has one. Returns what reads their text. */
export async function openMetrics(t: Test, service: Service) {
  const notes = await service.serving("http://localhost")
  const admin = notes.find(({ fields }) => "admin" in fields)?.fields["admin"]
  if (!admin) throw new Error("the configuration has no address for metrics")
  t.teardown(() => service.close())
  return {
    read: async () => {
      const response = await fetch(`${admin}/metrics`)
      return { text: await response.text(), type: response.headers.get("content-type") }
    },
  }
}
