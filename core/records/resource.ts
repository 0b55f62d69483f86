import type { GenericSchema } from "valibot"
import type { Category } from "./categories.ts"
import type { Snapshot } from "../data/database.ts"
import type { Access } from "../access/grants.ts"
import type { Listed, Page } from "./page.ts"

/** Whose records a request may see: decided before a resource is asked. */
export interface Scope {
  readonly access: Access
  /** Slugs; undefined is any organization. */
  readonly organizations: readonly string[] | undefined
  /** The event that was authorized; empty for a resource that is not an event's. */
  readonly eventId: string
}

/** The query parameters that a listing may take. */
export type ListingParameter = "q" | "since" | "offset" | "limit" | "bucket" | "cursor"

/** What the records of an event are listed by. */
export const recordParameters: readonly ListingParameter[] = [
  "q",
  "since",
  "offset",
  "limit",
  "bucket",
  "cursor",
]

/**
 * A list that families may serve. `P` is the projection it wants: one for plain lists, one for
 * each category of a bundle.
 */
export interface Resource<P = unknown> {
  readonly name: string
  /** One sentence for people. */
  readonly summary?: string
  /** `event` records are read under a path with `:eventId`; `account` records need no event. */
  readonly scope: "event" | "account"
  readonly parameters: readonly ListingParameter[]
  /** True where the body is an object with an array a category, each paged by itself. */
  readonly bundle?: boolean
  /** True where it answers `Complete-Since`, and refuses a `since` from before that. */
  readonly forgets?: true
  /** The shape of the body; where it is missing, an array, or an object of arrays, of projections. */
  shape?(projection: P): GenericSchema
  /**
   * The categories of an event's records that it tells of. It is a promise that the answer is the
   * same as long as none of the event's records changes.
   */
  readonly among?: readonly Category[]
  /** The body where no record is as new as `since`; for what is listed by `since`. */
  readonly nothing?: unknown
  /** Reads one page. */
  list(
    snapshot: Snapshot,
    scope: Scope,
    page: Page,
    projection: P,
  ): Promise<Listed>
}
