import type { Database } from "../../../core/data/database.ts"
import { passes } from "../filters/passes.ts"
import { ListSource, type Part, type Place, type ReadPage } from "../partner/list-source.ts"
import type { Row } from "../partner/rows.ts"

/** The path of the family whose guests are those who consented to e-mail. */
export const chosenPath = "/chosen/v1"

/** Returns the ids of the guests of an event that the family has, by its tables. */
export async function chosenIds({ writer }: Database, event: string): Promise<ReadonlySet<string>> {
  const rows = await writer.selectFrom("guest")
    .leftJoin("consent", (join) =>
      join.onRef("consent.event_id", "=", "guest.event_id")
        .onRef("consent.guest_id", "=", "guest.id"))
    .select(["guest.id", "consent.status", "consent.channels"])
    .where("guest.event_id", "=", event).execute()
  return new Set(rows.filter((row) => passes("email", row)).map(({ id }) => id))
}

/** The list of the family: each page must have only guests who consent now, and name none who never has. */
export class ChosenList extends ListSource {
  readonly #all: ListSource
  readonly #event: string
  readonly #database: Database
  readonly #matched = new Set<string>()

  constructor(get: ConstructorParameters<typeof ListSource>[0], database: Database, event: string) {
    super(get, `${chosenPath}/events/${event}`, { list: "guests" })
    this.#all = new ListSource(get, `/connector-a/v1/events/${event}`, { list: "guests" })
    this.#database = database
    this.#event = event
  }

  /** Returns what it must have, of a list without a filter: who consents, the tables say. */
  async truth(): Promise<readonly Row[]> {
    const ids = await this.note()
    return (await this.#all.everything()).filter(({ id }) => ids.has(id))
  }

  /** Notes who consents now. Call it after each change. */
  async note(): Promise<ReadonlySet<string>> {
    const ids = await chosenIds(this.#database, this.#event)
    for (const id of ids) this.#matched.add(id)
    return ids
  }

  override async page(part: Part, place: Place): Promise<ReadPage> {
    const page = await super.page(part, place)
    const chosen = await this.note()
    const wrong = page.rows.find(({ id }) => !(part === "records" ? chosen : this.#matched).has(id))
    if (wrong) {
      const what = part === "records" ? "sent without a consent" : "named, and has never consented"
      throw new Error(`guest ${wrong.id} is ${what}`)
    }
    return page
  }
}
