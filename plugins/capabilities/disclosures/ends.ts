import type { Kysely } from "kysely"
import { type Config, contentOf, type List, settingsOf } from "../../../core/capability.ts"
import { filterNamed } from "../../../core/filters.ts"
import { readCompleteSince } from "../../../core/lists.ts"
import type { GuestFilter } from "../../../core/plugin.ts"
import type { Schema } from "../../../core/tables.ts"
import { beginOf } from "./record-start.ts"

/** Why a list does not have a guest any more: it was deleted, or the filter of the list does not let it through. */
export type EndKind = "deleted" | "withdrawn"

/** What the ledger knows of filters. Without it, no list has one. */
export interface Withdrawals {
  /** Hours after which a withdrawal should have been acknowledged. */
  readonly hours: number
}

/** Returns what a configuration says of withdrawals; undefined if no family can have a filter. */
export function withdrawalsOf(config: Pick<Config, "capabilities">): Withdrawals | undefined {
  if (!config.capabilities.some(({ capability }) => capability.name === "filters")) return undefined
  return { hours: settingsOf<{ readonly withdrawals: number }>(config, "disclosures").withdrawals }
}

/** Returns the filter of a list of guests, of its deletions or its digest; undefined if all guests are in it. */
export function filterOf({ gone, filter }: Pick<List, "gone" | "filter">): GuestFilter | undefined {
  const own = gone?.filter ?? filter
  return own?.kind === "consented" ? own : undefined
}

/** The filters that families have. */
export class Filters {
  readonly #rows: readonly FilterRow[]

  private constructor(rows: readonly FilterRow[]) {
    this.#rows = rows
  }

  /** Reads those that are in force, or were, also those of families that are not served any more. */
  static async read(db: Kysely<Schema>, withdrawals: Withdrawals | undefined): Promise<Filters> {
    if (!withdrawals) return new Filters([])
    return new Filters(
      await db.selectFrom("list_filter").select(["scope", "organization", "filter", "former"])
        .where("narrowed", "=", 1).execute(),
    )
  }

  /** Returns the filter of a family's guests of an organization's events. */
  of(prefix: string, organization: string | null): GuestFilter | undefined {
    const { filter = "", scope = "" } = this.#find(prefix, organization) ?? {}
    return filterNamed(filter, scope)
  }

  /**
   * Returns the filter by which a family's deletions tell whom it has ever had: also if it has none any more. Undefined if
   * it never had one, or while one takes the place of another.
   */
  ofDeletions(prefix: string, organization: string | null): GuestFilter | undefined {
    const row = this.#find(prefix, organization)
    return row && row.former === null ? filterNamed(row.filter || "everyone", row.scope) : undefined
  }

  /**
   * Returns true if what an account knows by one family, it knows of the list of another: of deletions, if that one has
   * never had a filter. A list that does not tell of withdrawals says nothing about them.
   */
  tells(
    { by, list, organization, kind }: {
      readonly by: string
      readonly list: string
      readonly organization: string | null
      readonly kind: EndKind
    },
  ): boolean {
    return by === list || (kind === "deleted" && !this.#find(by, organization))
  }

  #find(prefix: string, slug: string | null): FilterRow | undefined {
    return this.#rows.find(({ scope, organization }) =>
      organization === slug && scope.startsWith(`${prefix}/events/`)
    )
  }
}

type FilterRow = Pick<Schema["list_filter"], "scope" | "organization" | "filter" | "former">

/** A guest that a list does not have any more. */
export interface End {
  readonly id: string
  readonly kind: EndKind
  /** When the list told it: as a deletion in either case. */
  readonly at: number
  /** Its `updated` has always been between these times. */
  readonly from: number
  readonly to: number
}

interface EndQuery {
  readonly event: string
  /** That of the list; undefined for the deletions of guests. */
  readonly filter: GuestFilter | undefined
  /** Only those from here on, and before a time. */
  readonly since?: number
  readonly before?: number
  /** Only that of a guest. */
  readonly guest?: string
}

/** The most guests of a list that are looked at, oldest first. */
const most = 20_000

/** Finds the guests of an event that are gone from a list: those that its deletions name, so none that it never had. */
export async function findEnds(
  db: Kysely<Schema>,
  gapEnd: number,
  { event, filter, since = 0, before = 0, guest }: EndQuery,
): Promise<End[]> {
  const { deletions, isGone } = contentOf({ db }, "guests", { eventId: event, filter })
  const wanted = deletions
    .select(["deletion.event_id as event", "deletion.record_id as id"])
    .select(["deletion.at", "deletion.updated"])
    .where(isGone)
    .$if(guest !== undefined, (query) => query.where("deletion.record_id", "=", guest ?? ""))
    // In the order of the index. What is joined inside would be sorted.
    .$if(
      guest === undefined,
      (query) =>
        query.where("deletion.at", ">=", since).where("deletion.at", "<", before)
          .orderBy("deletion.at").limit(most),
    )
  const rows = await db.selectFrom(wanted.as("gone"))
    .leftJoin(
      "record_start as start",
      (join) =>
        join.onRef("start.event_id", "=", "gone.event").on("start.category", "=", "guests")
          .onRef("start.record_id", "=", "gone.id"),
    )
    .leftJoin(
      "guest as present",
      (join) =>
        join.onRef("present.event_id", "=", "gone.event").onRef("present.id", "=", "gone.id"),
    )
    .leftJoin(
      "deletion as erased",
      (join) =>
        join.onRef("erased.event_id", "=", "gone.event").on("erased.category", "=", "guests")
          .onRef("erased.record_id", "=", "gone.id"),
    )
    .select(["gone.id", "gone.at", "gone.updated", "start.time as start"])
    .select(["present.created as began", "erased.created", "erased.at as erased"])
    .execute()
  return rows.map(({ id, at, updated, start, began, created, erased }) => {
    const times = [start, began].filter((time) => time !== null)
    const isKnown = erased !== null || began === null
    // SQLite deletes the consent first. What was withdrawn before the guest was deleted has its own time.
    const isDeleted = erased !== null && (began === null ? erased <= at : erased === at)
    return {
      ...{ id, at, kind: isDeleted ? "deleted" : "withdrawn" },
      from: beginOf([...times, updated, ...isKnown ? [created] : []], gapEnd),
      to: updated ?? Infinity,
    }
  })
}

/**
 * Returns from when on a list with a filter cannot have had a guest, as far as is known; undefined if it has the guest, or
 * tells that it had.
 */
export async function findAbsence(
  db: Kysely<Schema>,
  gapEnd: number,
  { event: eventId, filter, guest }: EndQuery & { readonly guest: string },
): Promise<number | undefined> {
  const { records, deletions } = contentOf({ db }, "guests", { eventId, filter })
  // In one statement: between two, the guest may come or go.
  const traces = await records.select("record.id").where("record.id", "=", guest)
    .unionAll(
      deletions.select("deletion.record_id as id").where("deletion.record_id", "=", guest),
    ).execute()
  if (traces.length > 0) return undefined
  const ofList = { eventId, categories: ["guests"], filter }
  const known = await readCompleteSince({ db, run: (query) => query.execute() }, ofList)
  return Math.max(known, gapEnd + 1)
}
