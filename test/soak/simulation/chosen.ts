import { type FilterName, passes } from "../../support/filters/passes.ts"
import type { Truth } from "../../support/truth.ts"
import type { Tables } from "./tables.ts"

/** The prefix of the family whose guests are chosen by a filter. */
export const chosenFamily = "/chosen/v1"

/** A filter that is in force for an organization, as the table has it. */
export interface FilterRow {
  readonly organization: string
  readonly filter: string
  /** The one before, while readers may not have all that this has changed. */
  readonly former: string | null
}

export const filterQuery = `select organization, filter, former from list_filter
  where scope = '${chosenFamily}/events/:eventId/guests' order by organization`

const names: Readonly<Record<string, FilterName>> = {
  "": "all",
  consented: "consented",
  "consented email": "email",
  "consented sms": "sms",
}

/** Returns the filter of a row, and the one before, by the names that the tests have for them. */
export function filtersOf({ filter, former }: FilterRow): readonly FilterName[] {
  return [filter, former].flatMap((name) => names[name ?? "none"] ?? [])
}

/** True while readers of a family cannot have all that another filter has changed. */
export function isFilterChanging(tables: Tables, family: string): boolean {
  return family === chosenFamily &&
    tables.all<FilterRow>(filterQuery).some(({ former }) => former !== null)
}

/** Returns the filter that chooses a family's guests of an event; undefined while it changes. */
function filterOf(tables: Tables, event: string): FilterName | undefined {
  const [slug] = tables.all<{ readonly slug: string }>(
    "select slug from organization where id = (select organization_id from event where id = ?)",
    event,
  )
  const rows = tables.all<FilterRow>(filterQuery)
  const row = rows.find(({ organization }) => organization === slug?.slug)
  return row && row.former === null ? filtersOf(row)[0] : undefined
}

/** Returns the records of an event that a family has, of all in its tables; undefined while its filter changes. */
export async function truthOf(
  tables: Tables,
  event: string,
  family: string,
): Promise<Truth | undefined> {
  const truth = await tables.recordsOf(event)
  if (family !== chosenFamily) return truth
  const filter = filterOf(tables, event)
  const isChosen = ({ consentStatus, consentChannels }: Truth["guests"][number]) =>
    filter !== undefined &&
    passes(filter, { status: String(consentStatus), channels: String(consentChannels) })
  return filter && { ...truth, guests: truth.guests.filter(isChosen) }
}
