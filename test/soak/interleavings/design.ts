import type { ClockedDatabase } from "../../support/polling/clocked.ts"
import type { ChosenList } from "../../support/polling/chosen.ts"
import type { ListSource, Part, Source } from "../../support/partner/list-source.ts"
import type { ReaderKind } from "../../support/partner/reader.ts"
import type { Row } from "../../support/partner/rows.ts"
import type { Operation } from "./plan.ts"

/** Where a design is played. */
export interface Scene {
  readonly world: ClockedDatabase
  /** The only event. */
  readonly event: string
  /** Returns the event's guests as this service lists them. */
  service(): ListSource
  /** Returns those who consented to e-mail, as the family with that filter lists them. */
  chosen(): ChosenList
}

/** What a design offers to a reader. */
export interface Offer {
  readonly source: Source
  /** Returns all records that there are. */
  truth(): Promise<readonly Row[]>
  /** Looks at the tables between two steps. */
  note?(): Promise<unknown>
}

/** A way to serve lists, played on real MySQL. */
export interface MysqlDesign {
  /** How its reader differs from the one of the plan. */
  readonly kind?: Partial<ReaderKind>
  /** What it has of a list, if that is not as in the plan. */
  readonly parts?: readonly Part[]
  /** The operations that it must cope with; by default all. */
  readonly operations?: readonly Operation[]
  /** True if all guests consent when they are inserted. */
  readonly isFiltered?: boolean
  /** The age of the guests in seconds when they are first read, if it is not the one of the plan. */
  readonly age?: number
  /** Seconds after which nothing is hidden any more. */
  readonly rests?: number
  open(scene: Scene): Offer
}
