import { hash } from "node:crypto"
import { Buffer } from "node:buffer"
import { setImmediate } from "node:timers/promises"
import {
  type CapabilityHost,
  type List,
  type ListAnswer,
  represent,
  retryLater,
  type Snapshot,
} from "../../../core/capability.ts"
import {
  admitAgain,
  type AnswerOwn,
  digestRecords,
  isSameCopy,
  type ListRequest,
  type PageRequest,
} from "../../../core/lists.ts"
import { etagOf, type MountedRoute, Problem } from "../../../core/plugin.ts"
import type { ExportSettings } from "./exports.ts"
import { readPortions } from "./portions.ts"
import type { Slots } from "./slots.ts"

type Digest = ReturnType<typeof digestRecords>

/** The parts of the service that a digest of content needs. */
type DigestHost = Pick<
  CapabilityHost<ExportSettings>,
  "settings" | "plan" | "walks" | "draining"
>

/** Returns a function that answers `of=content`. Like an export, it reads the records and takes a slot. */
export function digestContent(host: DigestHost, slots: Slots): AnswerOwn {
  return (request) => {
    if (request.input.query?.value?.of !== "content") return undefined
    const list = findDigested(request.route, host.plan.routes)
    return list && answerDigest(request, list, { host, slots })
  }
}

/** Returns the list of a digest; undefined if its family does not have it. */
function findDigested(
  { pattern }: MountedRoute,
  routes: readonly MountedRoute[],
): List | undefined {
  const digested = pattern.text.replace(/\/digest$/, "")
  for (const route of routes) {
    if (route.kind === "listing" && route.pattern.text === digested) return route.list
  }
  return undefined
}

/** @throws {Problem} 503 if it takes longer than an export may; also as `Slots.take` does. @throws {Unavailable} */
async function answerDigest(
  request: ListRequest,
  digested: List,
  { host, slots }: { readonly host: DigestHost; readonly slots: Slots },
): Promise<ListAnswer> {
  const { route: { list }, node, incoming, admission } = request
  const { walks, settings, draining } = host
  const { query, isFiltered, nextSince } = walks.of(request)
  const stop = new AbortController()
  const leave = slots.take(admission.session.account.id, () => stop.abort())
  const late = AbortSignal.timeout(settings.seconds * 1000)
  const until = AbortSignal.any([stop.signal, draining, late])
  // The client is gone, and others may want the slot.
  incoming.whenGone?.(() => stop.abort())
  try {
    const { body, count } = await node.database.longSnapshot(async (snapshot) => {
      const { scope } = await admitAgain(snapshot, request, nextSince)
      const { bucket = "", hash } = query
      const page = { since: -1, offset: 0, limit: Infinity, terms: [], bucket, hash }
      return await digestList(snapshot, { list: digested, scope, page }, until)
    }, incoming.watch)
    const isSame = query.mine === undefined ? undefined : isSameCopy(query, list, body)
    const bytes = Buffer.from(JSON.stringify(body))
    const pollInterval = walks.intervalOf(request)
    const headers = {
      ...walks.headersOf(request),
      "next-since": String(nextSince),
      ...isSame !== undefined && { copy: isSame ? "same" : "different" },
    }
    const content = { bytes, etag: etagOf(bytes), compressed: {} }
    const answer = await represent(content, headers, incoming.request.headers)
    const at = admission.at
    const page = {
      ...{ list, at, pollInterval, since: query.since, nextSince, rows: 0, leftOut: [] },
      ...{ isFirst: true, isFiltered, range: { from: at, to: at } },
      ...{ span: undefined, isSame, hasNext: false },
    }
    return { ...answer, page, charged: count }
  } finally {
    leave()
  }
}

/**
 * Computes the digest and count of a list, or of each part of a bundle, in one snapshot. @throws {Problem} 503 if it is
 * stopped.
 */
async function digestList(
  snapshot: Snapshot,
  { list, ...reading }: Omit<Parameters<typeof readPortions>[1], "page"> & {
    readonly page: PageRequest
  },
  until: AbortSignal,
): Promise<{
  readonly body: Digest | Readonly<Record<string, Digest>>
  readonly count: number
}> {
  let count = 0
  const digests: Record<string, Digest> = {}
  const { categories = [], bundle } = list
  for (const category of categories) {
    const page = bundle ? { ...reading.page, category } : reading.page
    // The lines have a category, which the records in the list lack.
    const start = bundle ? `{"category":${JSON.stringify(category)},`.length : 1
    const found: { readonly id: string; readonly time: string }[] = []
    for await (const { lines } of readPortions(snapshot, { ...reading, list, page })) {
      for (const line of new TextDecoder().decode(lines).split("\n")) {
        if (line === "") continue
        const record = `{${line.slice(start)}`
        found.push({ id: JSON.parse(record).id, time: hash("sha256", record) })
      }
      if (until.aborted) throw new Problem("unavailable", tooLong, retryLater)
      // Otherwise, an embedded database would hold up all other requests.
      await setImmediate()
    }
    count += found.length
    digests[category] = digestRecords(found, page)
  }
  const [only] = Object.values(digests)
  return { body: bundle || !only ? digests : only, count }
}

const tooLong =
  "The digest of content took longer than an export may, or others were waiting. Ask for a part of it: with bucket or hash."
