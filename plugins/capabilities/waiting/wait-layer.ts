import { performance } from "node:perf_hooks"
import type { Admission } from "../../../core/accounts.ts"
import type { ListAnswer, Node, OpenExchange } from "../../../core/capability.ts"
import type { AnswerList, BegunLayer, ListAttempt, ListLayer } from "../../../core/lists.ts"
import { type ListingRoute, readPreferences } from "../../../core/plugin.ts"
import type { Waiting, WaitMark, WaitTarget } from "./waiting.ts"

/** Returns the layer that holds requests that prefer to wait until there is something new. */
export function waitLayer(waiting: Waiting): ListLayer {
  return {
    async begin({ asked: { request: { headers }, input } }, route) {
      if (!headers.has("prefer") || !canWait(route, input)) return undefined
      const preferred = readPreferences(headers).get("wait") ?? ""
      const wanted = /^\d{1,9}$/.test(preferred) ? Number(preferred) : 0
      const seconds = Math.min(wanted, waiting.longest)
      // The mark must be taken before anything is read.
      const mark = seconds > 0 ? await waiting.mark() : undefined
      return mark === undefined ? undefined : new Wait(waiting, seconds, mark)
    },
  }
}

/** True for the first page of a list if waiting for its changes is possible. */
function canWait(
  { list: { scope, categories }, export: isExport }: ListingRoute,
  input: OpenExchange["asked"]["input"],
): boolean {
  const query = input?.query?.value
  if (isExport || !query || query.cursor !== undefined || query.offset > 0) return false
  if (scope === "event" && categories === undefined) return false
  // Each change of the event would repeat all waiting searches, uncounted by any limit.
  return query.terms.length === 0 && !query.bucket && !query.hash
}

/** The wait of one request. */
class Wait implements BegunLayer {
  readonly needsDeletions = true
  readonly #waiting: Waiting
  readonly #seconds: number
  readonly #mark: WaitMark

  constructor(waiting: Waiting, seconds: number, mark: WaitMark) {
    this.#waiting = waiting
    this.#seconds = seconds
    this.#mark = mark
  }

  /** The node whose log is followed: another may lack the changes found there. */
  get node(): Node | undefined {
    return this.#waiting.node
  }

  /**
   * Returns the current answer if it has something new; else the answer once something is new or the time is up. If no
   * place is free, or the request's turn does not come again, returns the current answer without the header about the
   * wait.
   */
  async answer(attempt: ListAttempt, next: AnswerList): Promise<ListAnswer> {
    const { exchange } = attempt
    const present = await next()
    const { admission } = exchange.decided
    const { concurrent, waiting } = attempt.limits
    if (!admission || !isNothingNew(present, exchange)) return this.#apply(present)
    const { account } = admission.session
    using place = this.#waiting.enter(account.id, waiting)
    if (!place) return present
    attempt.leave()
    const until = performance.now() + this.#seconds * 1000
    let latest = present
    for (let mark: WaitMark | undefined = this.#mark; mark !== undefined;) {
      const end = await this.#hold(attempt, awaitedBy(admission), { mark, until })
      if (end === "gone") return latest
      mark = end === "changed" ? await this.#waiting.mark() : undefined
      using again = await this.#waiting.enterAgain(account.id, concurrent, attempt.signal)
      if (!again) return latest
      latest = await next()
      // A list of events may be the same after a change: its times are in seconds, and the latest may be ahead.
      if (!admission.event || !isNothingNew(latest, exchange)) break
    }
    return this.#apply(latest)
  }

  async #hold(
    { exchange: { decided }, signal }: ListAttempt,
    awaited: WaitTarget,
    { mark, until }: { readonly mark: WaitMark; readonly until: number },
  ) {
    const start = performance.now()
    const milliseconds = Math.max(0, until - start)
    const end = await this.#waiting.hold(awaited, { mark, milliseconds, signal })
    decided.waited = (decided.waited ?? 0) + performance.now() - start
    return end
  }

  #apply(answered: ListAnswer): ListAnswer {
    const { "preference-applied": other, ...headers } = answered.headers
    const own = `wait=${this.#seconds}`
    return {
      ...answered,
      headers: { ...headers, "preference-applied": other ? `${other}, ${own}` : own },
    }
  }
}

/** True if the client has everything: nothing has changed or been deleted since its tag, `since` or cursor. */
function isNothingNew(
  { status, page }: ListAnswer,
  { asked: { input }, decided: { admission } }: OpenExchange,
): boolean {
  if (status === 304) return true
  if (!page || page.list.parts.length === 0) return false
  const { named, from } = input?.query?.value ?? {}
  if (page.list.of) return from !== undefined && from !== "now" && page.rows === 0 && !page.hasNext
  const hasSince = named?.has("since") === true
  const deleted = admission?.event?.deleted ?? -Infinity
  return hasSince && page.rows === 0 && !page.hasNext && deleted < page.since
}

/** Returns what the request waits for: its event; for a list of events, all that the caller may read. */
function awaitedBy({ event, access }: Admission): WaitTarget {
  return event ? { eventIds: [event.id], organizationIds: [] } : access
}
