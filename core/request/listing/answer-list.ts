import { ResyncRequired } from "../../records/deletions.ts"
import type { Snapshot } from "../../data/database.ts"
import type { ListResult } from "../../records/page.ts"
import type { Scope } from "../../records/resource.ts"
import type { ListingRoute } from "../../routes/contract.ts"
import type { CursorBinding, Cursors, Walk } from "./cursor.ts"
import { matchesEtag } from "../../http/etag.ts"
import { type EncodedPage, encodingFor, etagIn, represent } from "./encoded-page.ts"
import type { Query } from "./query.ts"
import { type Polling, pollInterval } from "./poll-interval.ts"
import { Problem } from "../../http/problems.ts"
import { jsonType, privateHeaders, respondBytes } from "../../http/respond.ts"

/** A page, with what its headers are made of. */
export interface FoundPage {
  readonly page: EncodedPage
  readonly query: Query
  /** That of the first page of the walk that this page belongs to. */
  readonly nextSince: number
  readonly binding: CursorBinding
  /** The database's clock, read before the records were. */
  readonly now: number
  /** The status of the event; undefined where the list is not an event's. */
  readonly status: string | undefined
}

/** Reads a page. @throws {Problem} where deletions are no longer known. */
export async function readListing(
  route: ListingRoute,
  { scope, query }: { readonly scope: Scope; readonly query: Query },
  snapshot: Snapshot,
): Promise<ListResult> {
  try {
    return await route.list.read(snapshot, scope, query)
  } catch (error) {
    if (!(error instanceof ResyncRequired)) throw error
    throw new Problem(
      "resync_required",
      `${error.message} Read the whole list again with since=-1, forget what is not in it, and ` +
        `go on from its Next-Since.`,
      { headers: { "complete-since": String(error.completeSince) } },
    )
  }
}

/** Answers a list: its records, what a client needs to go on, and 304 where it has them already. */
export async function respondListing(
  { request, route }: { readonly request: Request; readonly route: ListingRoute },
  found: FoundPage,
  { cursors, polling }: { readonly cursors: Cursors; readonly polling: Polling },
): Promise<Response> {
  const { page, nextSince, status } = found
  const { next, completeSince } = page
  const encoding = encodingFor(page, request.headers.get("accept-encoding"))
  const etag = etagIn(page, encoding)
  const parts = Object.keys(next)
  const headers: Record<string, string> = {
    ...privateHeaders,
    etag,
    "next-since": String(nextSince),
    "poll-interval": String(pollInterval(polling, status)),
  }
  if (completeSince !== undefined) headers["complete-since"] = String(completeSince)
  if (parts.length > 0) {
    const { origin, pathname } = new URL(request.url)
    const cursor = cursors.seal(walkOf(found), found.binding)
    headers["link"] = `<${origin}${pathname}?cursor=${cursor}>; rel="next"`
    if (route.list.bundle) headers["more"] = parts.join(", ")
  }
  if (matchesEtag(request.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers })
  }
  const { bytes, headers: encoded } = await represent(page, encoding)
  return respondBytes(bytes, { headers: { ...jsonType, ...headers, ...encoded } })
}

function walkOf({ page, query, nextSince, now }: FoundPage): Walk {
  const { terms, since, limit, bucket = "" } = query
  return { q: terms.join(" "), since, limit, bucket, nextSince, issued: now, after: page.next }
}
