import { sha256 } from "../../../support/partner/digest.ts"
import { readExport } from "../../../support/export-reader.ts"
import { recordsOfCsv } from "../../../support/csv-reader.ts"
import { Copy } from "../../../support/partner/copy.ts"
import { type List, listOf, type Row, rowOf } from "../../../support/partner/rows.ts"
import type { Random } from "../../../support/random.ts"
import { type Fields, recordsOf } from "../../../support/truth.ts"
import type { Ask, Client, Got } from "../client.ts"
import { Violation } from "../simulation.ts"
import type { World } from "../world.ts"
import { anyService, ask, disturbed, NotNow } from "./asking.ts"
import type { Keeper } from "./keep.ts"

/** How a reader of exports reads them. */
export interface ExportReading {
  readonly list: List
  readonly category?: string
  readonly accept: "application/x-ndjson" | "text/csv; end=line" | "text/csv"
  /** Records of a portion; all by default. */
  readonly limit?: number
}

interface ExportReaderOptions extends ExportReading {
  readonly client: Client
  readonly family: string
  /** Returns the id of the event: there is none before the world is prepared. */
  readonly event: () => string
  readonly name: string
}

/** A program that downloads a whole list, and keeps what is complete. */
export class ExportReader implements Keeper {
  readonly copy = new Copy()
  readonly isInterrupted = false
  readonly #world: World
  readonly #options: ExportReaderOptions

  constructor(world: World, options: ExportReaderOptions) {
    this.#world = world
    this.#options = options
  }

  get name(): string {
    return this.#options.name
  }

  get state(): string {
    return `${this.copy.size} records`
  }

  /** It keeps nothing but whole downloads. */
  crash(): void {}

  async poll(random: Random, isCalm = false): Promise<void> {
    const { client, family, event, list, category, limit, accept } = this.#options
    const query = new URLSearchParams({
      ...limit && { limit: String(limit) },
      ...category && { category },
    })
    let next: string | null = `${family}/events/${event()}/${list}/export?${query}`
    const rows: Row[] = []
    const secrets = () => new Set(this.#world.inForce.map(({ secrets }) => secrets.join()))
    const before = secrets()
    for (let portions = 0; next !== null; portions++) {
      if (portions > 300) throw new Violation(`${this.name} downloads without end`)
      const got: Got = await ask(client, next, {
        headers: { accept },
        expected: ["400 invalid_parameter"],
        ...isCalm ? {} : leavesOrStalls(random),
        ...anyService(this.#world, random),
      })
      if (got.status === 400) {
        // Another secret may have signed the URL of the rest.
        const isSigned = portions > 0 && before.union(secrets()).size > 1
        if (isSigned) throw new NotNow(400, "invalid_parameter")
        throw new Violation(`${this.name} got 400 for ${next}: ${got.text}`)
      }
      const { rows: some, next: following } = this.#read(got)
      if (limit && some.length > limit) {
        throw new Violation(`${this.name} asked for ${limit} and got ${some.length} records`)
      }
      rows.push(...some.map((row) => rowOf(row, list, accept !== "application/x-ndjson")))
      next = following
    }
    this.copy.clear()
    for (const row of rows) this.copy.put(row)
  }

  async differences(): Promise<readonly string[]> {
    const { event, family, list, category } = this.#options
    const truth = recordsOf(await this.#world.tables.recordsOf(event()), family)
    const isWanted = (key: string) =>
      category ? key.startsWith(`${category} `) : listOf(key) === list
    const wanted = new Map([...truth].filter(([key]) => isWanted(key)))
    return this.copy.differences(wanted).slice(0, 3).map(({ text }) => text)
  }

  /** Reads a whole response: its connection was not cut. */
  #read({ text }: Got): { readonly rows: readonly Fields[]; readonly next: string | null } {
    if (this.#options.accept === "text/csv") return { rows: recordsOfCsv(text), next: null }
    try {
      return readExport(text)
    } catch (error) {
      const about = `${text.length} characters, ${sha256(text).slice(0, 8)}`
      throw new Violation(`${this.name} got an export that is not whole: ${error} (${about})`)
    }
  }
}

/** Returns how a client behaves: a download takes long, so more leave in its middle, or are slow. */
function leavesOrStalls(random: Random): Ask {
  const kind = random.below(6)
  if (kind === 0) return { leavesAfter: random.below(2000) }
  return kind === 1 ? { stalls: random.between(1000, 8000) } : disturbed(random)
}
