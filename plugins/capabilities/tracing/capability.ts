import type { Capability } from "../../../core/capability.ts"
import { openTracing } from "./open-tracing.ts"

/** Spans of requests for OpenTelemetry, if the environment names a collector. */
const tracing: Capability = {
  name: "tracing",
  summary: "Sends traces of requests to OpenTelemetry",
  async start({ environment }) {
    const opened = await openTracing(environment)
    return opened
      ? { observe: (facts) => opened.record(facts), needsLaps: true, close: () => opened.close() }
      : {}
  },
}

export default tracing
