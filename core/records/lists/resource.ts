import type { GenericSchema } from "valibot"
import type { Category } from "../kinds/categories.ts"
import type { Snapshot } from "../../data/database.ts"
import type { Access } from "../../access/admission.ts"
import type { ListResult, PageRequest } from "./page.ts"

/** The records that a request may see. Decided before a resource is read. */
export interface Scope {
  readonly access: Access
  /** Slugs; undefined means any organization. */
  readonly organizations: readonly string[] | undefined
  /** The event that was authorized; empty for a resource that is not an event's. */
  readonly eventId: string
}

/** The query parameters that a listing may take. */
export type ListingParameter =
  | "q"
  | "since"
  | "offset"
  | "limit"
  | "bucket"
  | "hash"
  | "category"
  | "mine"
  | "fields"
  | "of"
  | "cursor"
  | "after"

/** The parameters of a list of an event's records. */
export const recordParameters: readonly ListingParameter[] = [
  "q",
  "since",
  "offset",
  "limit",
  "bucket",
  "hash",
  "cursor",
]

/** The parameters of a list of an event's items. */
export const itemParameters: readonly ListingParameter[] = [
  ...recordParameters.filter((name) => name !== "cursor"),
  "category",
  "cursor",
]

/** A list that families may serve. `P` is the projection it wants: a plain list one, a bundle one per category. */
export interface Resource<P = unknown> {
  readonly name: string
  /** One sentence for people. */
  readonly summary?: string
  /** `event` records are read under a path with `:eventId`; `account` records need no event. */
  readonly scope: "event" | "account"
  readonly parameters: readonly ListingParameter[]
  /** The record of the projection that it wants, or of each in a bundle. Left out, it takes any. */
  readonly records?: string | Readonly<Record<string, string>>
  /** True if the body is an object with an array per category, paged separately. */
  readonly bundle?: boolean
  /** True if the list has `Complete-Since`, and refuses an earlier `since`. */
  readonly hasHorizon?: true
  /** Returns the shape of the body; left out, it is an array, or an object of arrays, of projections. */
  shape?(projection: P): GenericSchema
  /** An example of the body, for documents, if the body is not made of records. */
  readonly example?: unknown
  /** Record categories that the list depends on. If declared, it is cacheable until one changes. */
  readonly categories?: readonly Category[]
  /** The body if no record is as new as `since`; for lists that `since` selects from. */
  readonly emptyBody?: unknown
  /** True if its pages are the records of its categories, newest first, and nothing else: whatever has these can cut one. */
  readonly isOfRecords?: true
  list(snapshot: Snapshot, scope: Scope, page: PageRequest, projection: P): Promise<ListResult>
}
