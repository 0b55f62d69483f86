import {
  boundedCache,
  type CapabilityHost,
  type Database,
  type List,
  type Observer,
  type SentPage,
} from "../../../core/capability.ts"
import { addDisclosures, type Disclosure } from "./ledger.ts"

/**
 * Returns an observer that records which records of events accounts were sent: a page counts if it has records and was
 * answered with a body, whether all of it arrived or not. Written in the background, like the audit log. `near` is an
 * option of `addDisclosures`.
 */
export function disclosureTrail(
  database: Database,
  { batch, near = 3600 }: { readonly batch: CapabilityHost["batch"]; readonly near?: number },
): Observer {
  const known = new Set<string>()
  const write = (entries: readonly Disclosure[], signal: AbortSignal) =>
    addDisclosures(database, entries, { near, known, signal })
  const disclosures = batch(write, { name: "disclosures", most: 100_000, vital: true })
  const extend = coverage()
  return ({ asked: { method, match }, decided: { admission }, sent: response }) => {
    const { status, began, ending, pages } = response
    const eventId = admission?.event?.id
    if (!match || !admission || eventId === undefined || ending === "cut") return
    // What is made while it is sent counts from its beginning on: any of it may be sent. All of it was, once it ends.
    const hasBegun = began !== undefined && ending === undefined
    const accountId = admission.session.account.id
    const { prefix } = match.route
    for (const page of pages) {
      const { list, isFiltered, feed } = page
      if (list.parts.length === 0 || list.hasHorizon) continue
      if (ending === "continued" && list.bundle) continue
      const sent = status === 200 && method !== "HEAD" && page.rows > 0
      if (!sent && (isFiltered || hasBegun || method === "HEAD")) continue
      const key = [accountId, eventId, prefix, list.name].join("\n")
      const range = isFiltered || hasBegun ? page.range : extend(key, page, sent)
      if (!sent) continue
      disclosures.add({
        eventId,
        accountId,
        prefix,
        list: list.name,
        fields: fieldsOf(list),
        whole: !isFiltered && !hasBegun && !list.filter,
        from: range.from,
        to: range.to,
        at: page.at,
        next: feed?.bound ?? page.nextSince,
      })
    }
  }
}

/**
 * Returns a function that adds a page to what walks have covered of lists, in this process, and returns the range to
 * record if it was `sent`. While an account polls a list in which nothing changes, nothing is recorded. The next page
 * with records also covers that time: so it continues the range before.
 */
function coverage() {
  const covered = boundedCache<{ readonly to: number; readonly recorded: number }>({
    most: 100_000,
  })
  return (key: string, { range }: SentPage, sent: boolean): SentPage["range"] => {
    const { from, to } = range
    const last = covered.get(key)
    const isNext = last !== undefined && from <= last.to + 1
    if (!isNext && !sent) return range
    const latest = Math.max(to, isNext ? last.to : to)
    covered.set(key, { to: latest, recorded: sent ? latest : last?.recorded ?? latest })
    return { from: isNext ? Math.min(from, last.recorded) : from, to }
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
