import { sql } from "kysely"
import {
  flag,
  nullable,
  type RowsOf,
  seconds,
  slug,
  type Storage,
  table,
} from "../../../core/tables.ts"

const filtersTables = {
  /** The filters that lists of guests have, as `nameOfFilter` writes them; empty for none. */
  list_filter: table({
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      /** The path of the list's route. Empty in the row of a database of version 1, whose lists had no filters. */
      scope: slug,
      /** The slug of an organization: a family may come to have another. */
      organization: slug,
      filter: slug,
      /** The one before, while a change of it is not finished. */
      former: nullable(slug),
      /** When it was changed. */
      at: seconds,
      /** 1 once the list has had a filter. */
      narrowed: flag,
    },
    key: ["scope", "organization"],
  }),
} as const

/** What is known of the filters that lists have. */
export const filtersStorage: Storage = {
  name: "filters",
  tables: filtersTables,
  // The lists of a database that was served without this had no filters.
  async fill(db) {
    await sql`insert into list_filter (scope, organization, filter, at, narrowed)
        select '', '', '', 0, 0 from (select 1 as one) as single where exists (select 1 from organization)
        and not exists (select 1 from list_filter)`.execute(db)
  },
}

declare module "../../../core/data/schema.ts" {
  interface Schema extends RowsOf<typeof filtersTables> {}
}
