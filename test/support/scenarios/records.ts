import { randomUUID } from "node:crypto"
import type { Database } from "../../../core/data/database.ts"
import { categories, type Category } from "../../../core/records/categories.ts"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { Builder } from "../builder.ts"
import type { VirtualService } from "./virtual-service.ts"

/** A state of a record: since when, in true time, and its `updated`; null if it was deleted. */
interface State {
  readonly since: number
  readonly updated: number | null
}

/** A record, of whatever event. */
export interface Key {
  readonly event: string
  readonly category: Category
  readonly id: string
}

/** The name of a record in a copy. */
export function nameOf({ event, category, id }: Key): string {
  return `${event} ${category} ${id}`
}

/** Writes records as the platform does, and remembers every state of each: the truth that copies are compared with. */
export class Records {
  readonly #service: VirtualService
  readonly #build: Builder
  readonly #states = new Map<string, { readonly key: Key; readonly states: State[] }>()

  constructor(service: VirtualService) {
    this.#service = service
    this.#build = new Builder({ writer: service.platform.db } as unknown as Database)
  }

  /** Inserts a record, and returns it. */
  async insert(event: string, category: Category): Promise<Key> {
    await this.#stamp()
    const { now } = this.#service
    const key = { event, category, id: randomUUID() }
    const row = { id: key.id, created: now, updated: now }
    if (category === "guests") await this.#build.guest(event, row)
    else await this.#build.item(category, event, row)
    await this.#remember(key)
    return key
  }

  /** Changes a record. */
  async update(key: Key): Promise<void> {
    await this.#stamp()
    await this.#service.platform.db.updateTable(tableOf(key)).set({ external_id: randomUUID() })
      .where("event_id", "=", key.event).where("id", "=", key.id).execute()
    await this.#remember(key)
  }

  /** Deletes a record. */
  async delete(key: Key): Promise<void> {
    await this.#stamp()
    await this.#service.platform.db.deleteFrom(tableOf(key))
      .where("event_id", "=", key.event).where("id", "=", key.id).execute()
    await this.#remember(key)
  }

  /** Returns the records that there are of a category. */
  present(event: string, category: Category): readonly Key[] {
    return [...this.#states.values()]
      .filter(({ key, states }) =>
        key.event === event && key.category === category && states.at(-1)?.updated !== null
      )
      .map(({ key }) => key)
  }

  /**
   * Returns the time, in true time, since when a copy has not been what the database holds of some events and
   * categories; null if it is the same.
   */
  wrongSince(
    copy: ReadonlyMap<string, number>,
    { events, kinds }: {
      readonly events: readonly string[]
      readonly kinds: readonly ("guests" | "items")[]
    },
  ): number | null {
    const included = kinds.flatMap((kind): readonly Category[] =>
      kind === "guests" ? ["guests"] : itemCategories
    )
    let earliest: number | null = null
    for (const [name, { key, states }] of this.#states) {
      if (!events.includes(key.event) || !included.includes(key.category)) continue
      const held = copy.get(name) ?? null
      const isHeld = ({ updated }: State) => updated === held
      const last = states.findLastIndex(isHeld)
      if (last < 0 && held !== null) throw new Error(`${name} never was as the copy has it`)
      const missed = states[last + 1]
      if (missed && (earliest === null || missed.since < earliest)) earliest = missed.since
    }
    return earliest
  }

  async #stamp(): Promise<void> {
    await this.#service.platform.stamp(this.#service.platform.db)
  }

  async #remember(key: Key): Promise<void> {
    const row = await this.#service.platform.db.selectFrom(tableOf(key)).select("updated")
      .where("event_id", "=", key.event).where("id", "=", key.id).executeTakeFirst()
    const known = this.#states.get(nameOf(key)) ?? { key, states: [] }
    known.states.push({ since: this.#service.time, updated: row?.updated ?? null })
    this.#states.set(nameOf(key), known)
  }
}

// The tables share the columns that are used here.
function tableOf({ category }: Key): "guest" {
  return categories[category] as "guest"
}
