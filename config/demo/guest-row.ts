import type { Insertable } from "kysely"
import type { Schema } from "../../core/data/schema.ts"
import type { Place } from "./places.ts"

/** A guest's row, and the place that the guest lives in. */
export interface Guest {
  readonly row: Insertable<Schema["guest"]>
  readonly place: Place
}
