import type { Snapshot } from "./database.ts"
import type { Access } from "./grants.ts"
import type { Page } from "./page.ts"

/** Whose records a request may see: decided before a resource is asked. */
export interface Scope {
  readonly access: Access
  /** Slugs; undefined is any organization. */
  readonly organizations: readonly string[] | undefined
  /** The event that was authorized; empty for a resource that is not an event's. */
  readonly eventId: string
}

/**
 * A list that families may serve. `P` is the projection it wants: one for plain lists, one for
 * each category of a bundle.
 */
export interface Resource<P = unknown> {
  readonly name: string
  /** `event` records are read under a path with `:eventId`; `account` records need no event. */
  readonly scope: "event" | "account"
  /** Reads one page; the result is ready for JSON. */
  list(
    snapshot: Snapshot,
    scope: Scope,
    page: Page,
    projection: P,
  ): Promise<unknown>
}
