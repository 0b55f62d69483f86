import type { Tables } from "./tables.ts"

/** A row of the table of sessions. Times are Unix seconds. */
export interface SessionRow {
  readonly id: string
  readonly account_id: string
  readonly created: number
  readonly used: number | null
  readonly expires: number
  readonly reason: string | null
  readonly lasting: number
}

/** What the row of a session was from a moment on; undefined once it was deleted. */
export interface SessionVersion {
  /** On the steady clock, in milliseconds. */
  readonly at: number
  readonly row: SessionRow | undefined
}

const columns = "id, account_id, created, used, expires, reason, lasting"

/** The rows of all sessions as they were at each moment. */
export class SessionHistory {
  readonly #versions = new Map<string, SessionVersion[]>()

  /** Notes how the rows are now: some of them by their ids, or all. */
  read(tables: Tables, at: number, ids?: readonly string[]): void {
    const wanted = ids ?? [...this.#versions.keys()]
    const rows = ids
      ? ids.flatMap((id) =>
        tables.all<SessionRow>(`select ${columns} from session where id = ?`, id)
      )
      : tables.all<SessionRow>(`select ${columns} from session order by id`)
    const found = new Map(rows.map((row) => [row.id, row] as const))
    for (const id of new Set([...wanted, ...found.keys()])) this.#note(id, at, found.get(id))
  }

  /** Returns what the row was, oldest first. */
  versionsOf(id: string): readonly SessionVersion[] {
    return this.#versions.get(id) ?? []
  }

  #note(id: string, at: number, row: SessionRow | undefined): void {
    const versions = this.#versions.get(id) ?? []
    const last = versions.at(-1)?.row
    if (JSON.stringify(last) === JSON.stringify(row)) return
    versions.push({ at, row })
    this.#versions.set(id, versions)
  }
}
