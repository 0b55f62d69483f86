import { Buffer } from "node:buffer"
import type { Admission } from "../../access/admission.ts"
import { etagOf, extendTag, type JsonContent } from "../../http/representation.ts"
import { countRecords, encodeBody, followsVersion } from "../../records/lists/list.ts"
import type { ListResult, Positions } from "../../records/lists/page.ts"
import type { ListRequest } from "../authorize.ts"
import type { SentPage } from "../exchange.ts"
import type { ListQuery } from "./query.ts"

/** A request for a page of a list: `query` says which one, once a cursor has been read. */
export interface PageLookup extends ListRequest {
  readonly query: ListQuery
  /** The `Next-Since` of the walk: a snapshot of a server that is not as far must not be read. */
  readonly nextSince: number
}

/** What is known of a page from its records. */
export type PageContent = Pick<SentPage, "rows" | "span" | "leftOut" | "completeSince">

/** A page as it is sent: the parts that are the same for every caller. */
export interface SendablePage extends Omit<JsonContent, "etag">, PageContent {
  /** The position to continue from, for each part of the list that has more records. */
  readonly next: Positions
  /** The version of the event that the page is of; undefined if it is not known, or the list has none. */
  readonly version: string | undefined
  /**
   * A tag of its bytes, and of what follows it. Undefined if the version stands for the page, or if nothing says what
   * follows.
   */
  readonly contentTag: string | undefined
}

/** A form of a page other than JSON. */
export interface PageForm {
  /** Tells the form from all other forms of the list; letters, digits and hyphens. */
  readonly tag: string
  /** Says what the form is, such as `content-type`. */
  readonly headers: Readonly<Record<string, string>>
  /** Writes the JSON body of a page. */
  write(body: unknown): string
}

/** Writes a page in another form. */
export function writeForm(page: SendablePage, form: PageForm): SendablePage {
  const body: unknown = JSON.parse(new TextDecoder().decode(page.bytes))
  const bytes = new TextEncoder().encode(form.write(body))
  const contentTag = page.contentTag && extendTag(page.contentTag, form.tag)
  return { ...page, bytes, contentTag, compressed: {} }
}

/** Makes a page of what was found. */
export function encodePage(
  request: PageLookup,
  version: string | undefined,
  { body, next, completeSince, span, leftOut = [] }: ListResult,
): SendablePage {
  const bytes = encodeBody(body)
  const covered = coveredBy(request, version, Object.keys(next).length > 0)
  const contentTag = covered === undefined
    ? undefined
    : etagOf(Buffer.concat([bytes, Buffer.from(covered)]))
  const summary = { rows: countRecords(body), span, leftOut, completeSince }
  return { bytes, compressed: {}, next, version, contentTag, ...summary }
}

/**
 * Returns what the tag of a page's bytes covers besides them: what follows the page may change, or be more for an
 * earlier `since`. Undefined if the page has no such tag: its version stands for it, or nothing says what follows.
 */
function coveredBy(
  { route: { list }, query: { since } }: PageLookup,
  version: string | undefined,
  goesOn: boolean,
): string | undefined {
  if (!list.categories) return goesOn ? undefined : ""
  if (version === undefined || followsVersion(list)) return undefined
  return goesOn ? `${version} ${since}` : version
}

/** Returns the version of an admission's event; undefined if it is not known, or the list has none. */
export function versionOf(
  { route: { list }, node }: Pick<PageLookup, "route" | "node">,
  { event }: Admission,
): string | undefined {
  return event && list.categories ? node.changes.versions.versionOf(event) : undefined
}

/** Returns a key that is different for every page of a configuration. Each has pages of its own. */
export function keyOf({ route, query, admission }: PageLookup): string {
  const { since, offset, limit, bucket, hash, category, of, terms, after } = query
  const page = [since, offset, limit, bucket, hash, category, of, terms, after]
  // Deleted records keep their places for a day: without the time, the next page might not follow this one.
  const at = offset > 0 ? admission.session.now : undefined
  return `${route.pattern.text} ${JSON.stringify([admission.event?.id, page, at])}`
}
