import type { Facts, Line } from "../../core/request/facts.ts"
import { continueTrace, Stopwatch } from "../../core/request/incoming-request.ts"

/** Returns the facts of an answered request, for an observer. */
export function factsOf(line: Partial<Line>, page?: Facts["page"]): Facts {
  return {
    line: {
      ...{ id: "an id", traceId: "", spanId: "", method: "GET", address: "192.0.2.1" },
      ...{ status: 200, bytes: 0, ms: 1, dbMs: 1 },
      ...line,
    },
    page,
    isQuiet: false,
    trace: continueTrace(null),
    watch: new Stopwatch(),
  }
}
