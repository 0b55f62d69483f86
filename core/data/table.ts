/** How a column is read: as a number (Unix seconds, money, counts, flags) or as text. */
export type ColumnKind = "number" | "text"

/** What a MySQL user may be granted on a table. */
export type Privilege = "select" | "insert" | "update" | "delete"

/** A table or view that the service needs. */
export interface Table {
  /** The columns that it reads or writes. */
  readonly columns: Readonly<Record<string, ColumnKind>>
  /** What serving does with the rows. */
  readonly privileges: readonly Privilege[]
}

/** Tables by name. */
export type Tables = Readonly<Record<string, Table>>
