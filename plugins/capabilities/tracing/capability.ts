import type { Capability, Environment } from "../../../core/capability.ts"
import type { Tracing } from "./tracing.ts"

/** Spans of requests for OpenTelemetry, if the environment names a collector. */
const tracing: Capability = {
  name: "tracing",
  summary: "Sends traces of requests to OpenTelemetry",
  async start({ environment }) {
    const opened = await openTracing(environment)
    return opened
      ? {
        observe: (exchange) => opened.record(exchange),
        needsLaps: true,
        close: () => opened.close(),
      }
      : {}
  },
}

export default tracing

/**
 * Sends the traces of requests to the collector that `OTEL_EXPORTER_OTLP_ENDPOINT` (or
 * `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`) names. Returns undefined, and loads nothing, if there is none.
 *
 * @throws {Error} if the packages that it needs are not installed.
 */
export async function openTracing(environment: Environment): Promise<Tracing | undefined> {
  const names = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]
  const name = names.find((name) => environment[name])
  if (name === undefined) return undefined
  const { Tracing } = await load(name)
  return new Tracing({
    service: environment["OTEL_SERVICE_NAME"] || "event-export",
    ratio: ratioIn(environment["OTEL_TRACES_SAMPLER_ARG"]),
  })
}

async function load(name: string) {
  try {
    return await import("./tracing.ts")
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw error
    throw new Error(
      `${name} is set, and the packages of OpenTelemetry are not installed: ` +
        `${(error as Error).message}. Nothing was started. Install the peerDependencies of ` +
        `package.json, or remove the variable.`,
      { cause: error },
    )
  }
}

function ratioIn(text: string | undefined): number {
  const ratio = Number(text || 1)
  if (ratio >= 0 && ratio <= 1) return ratio
  throw new Error(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1. Nothing was started.`)
}
