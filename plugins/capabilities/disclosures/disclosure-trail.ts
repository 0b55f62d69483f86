import {
  Batch,
  boundedCache,
  type Database,
  type List,
  type Observer,
  type OpenBatch,
  type PageFacts,
} from "../../../core/capability.ts"
import { addDisclosures, type Disclosure } from "./ledger.ts"

/**
 * Records which records of events accounts were sent: a page counts if it has records and was answered with a
 * body, whether all of it arrived or not. Written in the background, like the audit log.
 */
export class DisclosureTrail {
  readonly #batch: Batch<Disclosure>
  readonly #covered = new Covered()

  /** `near` is an option of `addDisclosures`. */
  constructor(
    database: Database,
    { batch, near = 3600 }: { readonly batch: OpenBatch; readonly near?: number },
  ) {
    const known = new Set<string>()
    const write = (entries: readonly Disclosure[], signal: AbortSignal) =>
      addDisclosures(database, entries, { near, known, signal })
    this.#batch = batch(write, { name: "disclosures", most: 100_000, vital: true })
  }

  /** Records the page of a request, if it has records of an event. */
  readonly record: Observer = ({ line, page, route, admission }) => {
    const eventId = admission?.event?.id
    if (!page || !route || !admission || eventId === undefined) return
    const { list, isFiltered } = page
    // What is made while it is sent counts from its beginning on: any of it may be sent. All of it was, once it ends.
    const hasBegun = line.beginMs !== undefined && line.ending === undefined
    if (line.ending === "cut" || (line.ending === "continued" && list.bundle)) return
    if (list.parts.length === 0 || list.hasHorizon) return
    const accountId = admission.session.account.id
    const { prefix } = route
    const sent = line.status === 200 && line.method !== "HEAD" && page.rows > 0
    if (!sent && (isFiltered || hasBegun || line.method === "HEAD")) return
    const key = [accountId, eventId, prefix, list.name].join("\n")
    const range = isFiltered || hasBegun ? page.range : this.#covered.extend(key, page, sent)
    if (!sent) return
    this.#batch.add({
      eventId,
      accountId,
      prefix,
      list: list.name,
      fields: fieldsOf(list),
      whole: !isFiltered && !hasBegun,
      from: range.from,
      to: range.to,
      at: page.at,
      next: page.nextSince,
    })
  }
}

/**
 * What walks have covered of lists, in this process. While an account polls a list in which nothing changes,
 * nothing is recorded. The next page with records also covers that time: so it continues the range before.
 */
class Covered {
  readonly #latest = boundedCache<{ readonly to: number; readonly recorded: number }>({
    most: 100_000,
  })

  /** Adds a page. Returns the range to record if it was `sent`. */
  extend(key: string, { range: { from, to } }: PageFacts, sent: boolean): PageFacts["range"] {
    const last = this.#latest.get(key)
    const isNext = last !== undefined && from <= last.to + 1
    if (!isNext && !sent) return { from, to }
    const latest = Math.max(to, isNext ? last.to : to)
    const start = isNext ? Math.min(from, last.recorded) : from
    this.#latest.set(key, { to: latest, recorded: sent ? latest : last?.recorded ?? latest })
    return { from: start, to }
  }
}

const fields = new WeakMap<List, readonly string[]>()

/** Returns the names of the fields of a list's records, as `Guest.email`. */
function fieldsOf(list: List): readonly string[] {
  const known = fields.get(list)
  if (known) return known
  const names = list.parts.flatMap(({ projection }) =>
    projection.fields.map((field) => `${projection.record}.${field}`)
  )
  fields.set(list, names)
  return names
}
