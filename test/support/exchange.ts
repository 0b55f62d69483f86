import { guests, leanGuest } from "../../core/plugin.ts"
import type { SessionKey } from "../../core/access/sessions.ts"
import { Problem, type ProblemCode } from "../../core/http/problems.ts"
import { bindList } from "../../core/records/lists/list.ts"
import {
  type Exchange,
  recordOf,
  type SentPage,
  type SentResponse,
} from "../../core/request/exchange.ts"
import { Stopwatch } from "../../core/request/incoming-request.ts"
import type { MountedRoute } from "../../core/routes/contract.ts"

/** What is told of an exchange; the rest is as usual. */
export interface Described extends Partial<Omit<SentResponse, "page" | "pages" | "problem">> {
  readonly id?: string
  readonly method?: string
  readonly address?: string
  readonly action?: NonNullable<Exchange["asked"]["action"]>
  readonly event?: string
  /** Its pattern, or what is needed of it. */
  readonly route?: string | object
  readonly family?: string
  readonly admission?: object | undefined
  /** The name and the role of the caller, unless there is an admission. */
  readonly account?: string
  readonly role?: string
  /** What the cookie says of the session that has ended. */
  readonly ended?: Partial<SessionKey>
  readonly username?: string
  readonly node?: string
  readonly retries?: number
  readonly delay?: number
  readonly waited?: number
  /** Milliseconds in all, and of these in the database. */
  readonly ms?: number
  readonly dbMs?: number
  readonly watch?: Stopwatch
  readonly code?: string
  readonly rejected?: readonly string[]
}

/** Returns the record of an answered request, for an observer. */
export function exchangeOf(described: Described, page?: SentPage): Exchange {
  const { code, rejected, status = 200, ms = 1, dbMs = 1, watch = new Fixed(ms, dbMs) } = described
  const { admission = callerOf(described), ended, event, family = "", route } = described
  const request = new Request("http://localhost/")
  const errors = rejected?.map((parameter) => ({ parameter, value: null, detail: "" }))
  const problem = (code || errors) &&
    new Problem((code ?? "invalid_parameter") as ProblemCode, "", errors && { errors })
  const { id = "an id", method = "GET", address = "192.0.2.1", action } = described
  const { username, node, retries, delay, waited } = described
  const { bytes = 0, began, ending, isWhole = true } = described
  return recordOf({
    asked: {
      ...{ id, method, address, action, request, url: new URL(request.url), watch },
      traceId: undefined,
      whenGone: undefined,
      match: route === undefined ? undefined : { route: routeOf(route, family), params: {} },
      input: {
        eventId: event === undefined ? undefined : { value: event, errors: [] },
      } as Exchange["asked"]["input"],
      key: ended as SessionKey | undefined,
    },
    decided: {
      admission: admission as Exchange["decided"]["admission"],
      ...username !== undefined && { username },
      ...node !== undefined && { node },
      ...retries !== undefined && { retries },
      ...delay !== undefined && { delay },
      ...waited !== undefined && { waited },
    },
  }, {
    ...{ status, bytes, page, pages: page ? [page] : [], isWhole },
    problem: problem || undefined,
    ...began !== undefined && { began },
    ...ending !== undefined && { ending },
  })
}

/** A stopwatch that shows these milliseconds. */
class Fixed extends Stopwatch {
  readonly #ms: number
  readonly #dbMs: number

  constructor(ms: number, dbMs: number) {
    super()
    this.#ms = ms
    this.#dbMs = dbMs
  }

  override get elapsed(): number {
    return this.#ms
  }

  override get inDatabase(): number {
    return this.#dbMs
  }
}

function routeOf(route: string | object, plugin: string): MountedRoute {
  const own = typeof route === "string" ? { pattern: { text: route } } : route
  return { plugin, ...own } as MountedRoute
}

function callerOf({ account, role }: Described): object | undefined {
  return account === undefined ? undefined : { session: { account: { username: account, role } } }
}

/** Returns what was sent of guests: the only page of a walk, without records, unless it is given otherwise. */
export function sentPageOf(page: Partial<SentPage> = {}): SentPage {
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
