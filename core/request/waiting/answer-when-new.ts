import { performance } from "node:perf_hooks"
import type { Admission } from "../../access/admission.ts"
import { readPreferences } from "../../http/prefer.ts"
import type { Findings } from "../facts.ts"
import type { ListAnswer } from "../listing/answer-list.ts"
import type { Awaited, Mark, Waiting } from "./waiting.ts"

/** A request that prefers to wait, and may. */
export interface Wait {
  readonly seconds: number
  readonly mark: Mark
}

/**
 * Returns how long a request for the first page of a list prefers to wait, with a mark from before anything is
 * read; undefined if it does not, or if nothing can be waited for.
 */
export async function readWait(
  { incoming: { request }, match, input }: Findings,
  waiting: Waiting,
): Promise<Wait | undefined> {
  const { headers } = request
  if (match?.route.kind !== "listing" || match.route.export) return undefined
  const { scope, categories } = match.route.list
  const query = input?.query?.value
  if (!query || query.cursor !== undefined || query.offset > 0) return undefined
  if (scope === "event" && categories === undefined) return undefined
  // Each change of the event would repeat all searches that wait, and no limit counts these.
  if (query.terms.length > 0 || query.bucket || query.hash) return undefined
  const preferred = readPreferences(headers).get("wait") ?? ""
  const seconds = Math.min(/^\d{1,9}$/.test(preferred) ? Number(preferred) : 0, waiting.longest)
  const mark = seconds > 0 ? await waiting.mark() : undefined
  return mark === undefined ? undefined : { seconds, mark }
}

/** A request whose first answer is there, and what it needs to wait for another one. */
interface Waiter {
  readonly findings: Findings
  readonly waiting: Waiting
  /** The most requests of the account that wait at the same time. */
  readonly most: number
  readonly signal: AbortSignal | undefined
  /** Is called before each wait: then the request counts as waiting, no longer as running. */
  readonly onHold: () => void
  /** Checks everything again, as for a new request, and answers. Undefined if its turn to do so does not come. */
  readonly again: () => Promise<ListAnswer | undefined>
}

/**
 * Returns the first answer if it has something new. Otherwise waits until there is something, or until the
 * time is up, and returns the answer of then. If no place is free, returns the first answer at once,
 * without the header that says that the wait was applied; so it does if `again` has no answer.
 *
 * @throws {Problem} as `again` does.
 */
export async function answerWhenNew(
  first: ListAnswer,
  { seconds, mark }: Wait,
  { findings, waiting, most, signal, onHold, again }: Waiter,
): Promise<ListAnswer> {
  const { admission, incoming: { watch } } = findings
  const headers = { "preference-applied": `wait=${seconds}` }
  const applied = (made: ListAnswer) => ({ ...made, headers: { ...made.headers, ...headers } })
  if (!admission || !isNothingNew(first, findings)) return applied(first)
  using place = waiting.enter(admission.session.account.id, most)
  if (!place) return first
  onHold()
  const until = performance.now() + seconds * 1000
  let made = first
  for (let from: Mark | undefined = mark; from !== undefined;) {
    const start = performance.now()
    watch.enter(undefined)
    const milliseconds = Math.max(0, until - start)
    const end = await waiting.hold(awaitedBy(admission), { mark: from, milliseconds, signal })
    findings.waited = (findings.waited ?? 0) + performance.now() - start
    if (end === "gone") return made
    from = end === "changed" ? await waiting.mark() : undefined
    const next = await again()
    if (!next) return made
    made = next
    if (!isNothingNew(made, findings)) break
  }
  return applied(made)
}

/**
 * True if the client has all of it: nothing has changed, or nothing was changed or deleted since the time that it
 * sent.
 */
function isNothingNew({ status, page }: ListAnswer, { input, admission }: Findings): boolean {
  if (status === 304) return true
  const hasSince = input?.query?.value?.given.has("since") === true && page.list.parts.length > 0
  const deleted = admission?.event?.deleted ?? -Infinity
  return hasSince && page.rows === 0 && !page.hasNext && deleted < page.since
}

/** Returns what changes a list: the event, or for a list of events all that the caller may read. */
function awaitedBy({ event, access }: Admission): Awaited {
  return event ? { eventIds: [event.id], organizationIds: [] } : access
}
