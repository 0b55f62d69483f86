import type { GenericSchema } from "valibot"
import { type Gone, type GuestFilter, nameOfFilter } from "../../change-log/departures.ts"
import type { Snapshot } from "../../data/database.ts"
import { sha256 } from "../../data/sha256.ts"
import type { Bytes } from "../../http/answer.ts"
import type { ListResult, PageRequest } from "./page.ts"
import type { Projection } from "../kinds/projection.ts"
import { EncodedBody } from "../bytes/encoded-body.ts"
import type { Resource, Scope } from "./resource.ts"

/** A resource with the projection of its route: everything that HTTP has to know about a list. */
export interface List
  extends Required<Pick<Resource, "name" | "scope" | "parameters" | "summary" | "bundle">> {
  /** True if the list has `Complete-Since`, and refuses an earlier `since`. */
  readonly hasHorizon: boolean
  /** The lists that it stands for, such as those of a feed; missing if it stands for itself. */
  readonly of?: readonly List[]
  /** The categories of records that the list depends on. If declared, it is cacheable until one changes. */
  readonly categories: Resource["categories"] | undefined
  /** The body if no record is as new as `since`; undefined if `since` does not select records. */
  readonly emptyBody: unknown
  /** An example of the body, if it is not made of records. */
  readonly example: unknown
  /**
   * The header `Fields`: what records are made of, of a digest those that it counts; undefined for deletions, and for
   * lists that say nothing of their records.
   */
  readonly fields?: string | undefined
  /** Which guests the list has, or counts for its events; undefined for all. */
  readonly filter: GuestFilter | undefined
  /** The deletions, if it is a list of deletions. */
  readonly gone: Gone | undefined
  /** The arrays of records in the body; none if the body is something else. */
  readonly parts: readonly ListPart[]
  /** The shape of the body, if it is not the arrays of `parts`. */
  readonly schema: GenericSchema | undefined
  read(snapshot: Snapshot, scope: Scope, page: PageRequest): Promise<ListResult>
  /** True if its pages are the records of its categories, which depend on nothing but their version. */
  readonly isOfRecords?: boolean
}

/** An array of records in a body: the body itself, or one of several, by its name there. */
export interface ListPart {
  readonly name: string | undefined
  readonly projection: Projection
}

/** Binds a resource to a projection. */
export function bindList<P>(resource: Resource<P>, projection: P): List {
  const parts = partsOf(projection)
  const { of: digested = projection, gone } = (projection ?? {}) as {
    readonly of?: unknown
    readonly gone?: Gone
  }
  const filter = gone?.filter ?? partsOf(digested)[0]?.projection.filter
  const sentence = resource.scope === "event" ? filter?.sentence ?? "" : ""
  const { hasHorizon = false, isOfRecords = false } = resource
  return {
    name: resource.name,
    summary: `${resource.summary ?? ""} ${sentence}`.trimEnd(),
    filter,
    gone,
    scope: resource.scope,
    parameters: resource.parameters,
    fields: hasHorizon ? undefined : fieldsOf(partsOf(digested)),
    parts,
    bundle: resource.bundle ?? false,
    hasHorizon,
    categories: resource.categories,
    emptyBody: resource.emptyBody,
    schema: resource.shape?.(projection),
    example: resource.example,
    async read(snapshot, scope, page) {
      let result = await resource.list(snapshot, scope, page, projection)
      const leftOut = [...result.leftOut ?? []]
      const goesOn = () => Object.keys(result.next).length > 0
      // Clients stop at an empty page, so it must be the last one.
      while (result.leftOut?.length && countRecords(result.body) === 0 && goesOn()) {
        const rest = { ...page, offset: 0, after: result.next }
        result = await resource.list(snapshot, scope, rest, projection)
        leftOut.push(...result.leftOut ?? [])
      }
      return leftOut.length > 0 ? { ...result, leftOut } : result
    },
    isOfRecords: isOfRecords && followsVersion({ parts, hasHorizon }),
  }
}

/** Returns the name of the filter that decides which records a list has, and had; empty without one. */
export function filterNameOf({ filter, gone }: Pick<List, "filter" | "gone">): string {
  return nameOfFilter(gone?.filter ?? filter)
}

/**
 * Returns true if the version of an event stands for the pages of a list. Rewriting may depend on anything, and a
 * horizon moves without a change.
 */
export function followsVersion({ parts, hasHorizon }: Pick<List, "parts" | "hasHorizon">): boolean {
  return !hasHorizon && !parts.some(({ projection }) => projection.rewritten)
}

function partsOf(projection: unknown): ListPart[] {
  if (isProjection(projection)) return [{ name: undefined, projection }]
  const named = Object.entries(projection ?? {}).map(([name, projection]) => ({ name, projection }))
  return named.every(({ projection }) => isProjection(projection)) ? named : []
}

/**
 * Returns eight hexadecimal digits that differ if parts have other names, or their records other fields, those of objects
 * in them included; undefined without parts.
 */
export function fieldsOf(parts: readonly ListPart[]): string | undefined {
  if (parts.length === 0) return undefined
  const names = parts.map(({ name = "", projection }) => [name, namesIn(projection.schema)])
  return sha256(JSON.stringify(names)).slice(0, 8)
}

/** Returns the names of fields in a shape of valibot, in order, and after each those in it. */
function namesIn(shape: unknown): readonly unknown[] {
  if (Array.isArray(shape)) return shape.flatMap(namesIn)
  if (typeof shape !== "object" || shape === null) return []
  const { entries, wrapped, item, options } = shape as Record<string, unknown>
  return entries
    ? Object.entries(entries).map(([name, inner]) => [name, ...namesIn(inner)])
    : namesIn(wrapped ?? item ?? options)
}

/** Returns the records of a part of a body; none if they are not there. */
export function recordsOf(body: unknown, { name }: ListPart): readonly Record<string, unknown>[] {
  const list = name === undefined ? body : (body as Record<string, unknown> | undefined)?.[name]
  return Array.isArray(list) ? list : []
}

/** Consecutive records of a list, as JSON. */
export interface RecordLines extends Pick<ListResult, "next" | "leftOut"> {
  /** A line per record. */
  readonly lines: Bytes
  readonly rows: number
}

/** Reads a page of a list as lines. Those of a bundle begin with their `category`. */
export async function readLines(
  list: List,
  snapshot: Snapshot,
  scope: Scope,
  page: PageRequest,
): Promise<RecordLines> {
  const { body, ...rest } = await list.read(snapshot, scope, { ...page, asLines: true })
  return { ...rest, lines: encodeBody(body), rows: countRecords(body) }
}

/** Counts the records of a body: an array, or an object of arrays. Returns 0 for any other body. */
export function countRecords(body: unknown): number {
  if (body instanceof EncodedBody) return body.count
  if (Array.isArray(body)) return body.length
  if (typeof body !== "object" || body === null) return 0
  return Object.values(body).reduce((sum, part) => sum + countRecords(part), 0)
}

/** Encodes a body as JSON. */
export function encodeBody(body: unknown): Bytes {
  if (body instanceof EncodedBody) return body.bytes
  return new TextEncoder().encode(JSON.stringify(body))
}

/** Returns true for the results of `pick`, `whole` and `rewritten`. */
export function isProjection(value: unknown): value is Projection {
  const { fields, searched, schema, project } = (value ?? {}) as Partial<Projection>
  return Array.isArray(fields) && Array.isArray(searched) && schema?.kind === "schema" &&
    typeof project === "function"
}
