import { guests, leanGuest } from "../../core/plugin.ts"
import { bindList } from "../../core/records/list.ts"
import type { Facts, Line, PageFacts } from "../../core/request/facts.ts"
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
    pages: page ? [page] : [],
    isQuiet: false,
    trace: continueTrace(null),
    watch: new Stopwatch(),
    route: undefined,
    admission: undefined,
    ended: undefined,
    whenSent: (listener) => listener(true),
  }
}

/** Returns the facts of a page of guests: the only page of a walk, without records, unless it is given otherwise. */
export function pageFactsOf(page: Partial<PageFacts> = {}): PageFacts {
  return {
    list: bindList(guests, leanGuest),
    rows: 0,
    at: 1_700_000_000,
    since: 0,
    nextSince: 1_700_000_000,
    isFirst: true,
    isFiltered: false,
    range: { from: 0, to: 1_700_000_000 },
    span: undefined,
    leftOut: [],
    completeSince: undefined,
    isSame: undefined,
    cursor: undefined,
    pollInterval: 60,
    hasNext: false,
    ...page,
  }
}
