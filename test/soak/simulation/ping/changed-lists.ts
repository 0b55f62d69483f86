import { categories } from "../../../../core/records/kinds/categories.ts"
import type { World } from "../world.ts"

/** The last change of a list of an event. */
export interface ListChange {
  /** Its number in the change log. */
  readonly seq: number
  /** When it was visible at the latest, on the steady clock, in milliseconds. */
  readonly at: number
}

interface LogRow {
  readonly seq: number
  readonly event_id: string
  readonly category: string | null
}

/** Statements that may change a list. */
const tables = [
  ...Object.values(categories),
  "event",
  "event_change",
  "consent",
  "address",
  "departure",
]
const changing = new RegExp(
  `^\\s*(insert into|replace into|update|delete from) "?(${tables.join("|")})"?\\s`,
  "i",
)

/** Which lists have changed, and when: the change log, read right after each statement. */
export class ChangedLists {
  readonly #world: World
  /** By event and list, as `EVENT guests`. */
  readonly all = new Map<string, ListChange>()
  /** Is called when lists have changed. */
  onChange = () => {}
  #last = 0
  #mayHaveChanged = false

  constructor(world: World) {
    this.#world = world
    const { statements } = world.machine
    const { onEffect } = statements
    statements.onEffect = (statement) => {
      onEffect(statement)
      this.#follow(statement.sql)
    }
  }

  #follow(sql: string): void {
    const changesIt = changing.test(sql)
    this.#mayHaveChanged ||= changesIt
    if (!changesIt && !(this.#mayHaveChanged && /^(commit|rollback)$/.test(sql))) return
    if (!changesIt) this.#mayHaveChanged = false
    this.read()
  }

  /** Reads what is new in the log. */
  read(): void {
    const { tables, time } = this.#world
    const rows = tables.all<LogRow>(
      "select seq, event_id, category from event_change where seq > ? order by seq",
      this.#last,
    )
    if (rows.length > 0) this.onChange()
    for (const { seq, event_id, category } of rows) {
      this.#last = Number(seq)
      const lists = category === null
        ? ["guests", "items", "events"]
        : [category === "guests" || category === "events" ? category : "items"]
      for (const list of lists) {
        this.all.set(`${event_id} ${list}`, { seq: this.#last, at: time.steady })
      }
    }
  }
}
