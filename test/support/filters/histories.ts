import fc from "fast-check"
import type { Kysely } from "kysely"
import type { Test } from "tap"
import type { Schema } from "../../../core/data/schema.ts"
import { findDisclosures } from "../../../plugins/capabilities/disclosures/find-disclosures.ts"
import type { Engine } from "../database.ts"
import type { CopyReader, ReaderKind } from "../partner/reader.ts"
import type { Get } from "../partner/reply.ts"
import { type FilterName, filterNames, passes } from "./passes.ts"
import {
  type Change,
  chosen,
  FilterWorld,
  guestId,
  type GuestRow,
  make,
  unfiltered,
} from "./world.ts"

/** A step of a history. */
export type Step =
  | {
    readonly do: "change"
    readonly event: 0 | 1
    readonly guest: number
    readonly change: Change
  }
  /** The same in a transaction that stays open until `commit`: the embedded database has none beside others. */
  | { readonly do: "late"; readonly event: 0 | 1; readonly guest: number; readonly change: Change }
  | { readonly do: "commit" }
  | { readonly do: "filter"; readonly filter: FilterName }
  | { readonly do: "ledger" }
  | { readonly do: "read"; readonly partner: number; readonly pages: number }

/** A history that begins with a filter. */
export interface History {
  readonly filter: FilterName
  readonly steps: readonly Step[]
}

const guests = 4

/** What is of the history before. */
const erased = [
  ...["guest", "departure", "deletion", "vacant_position", "record_start"] as const,
  ...["disclosure", "erasure_notice"] as const,
]

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("put"), name: fc.constantFrom("Ada", "Bea") }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("delete", "forget") }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("consent"),
      status: fc.constantFrom("active", "active", "active", "inactive"),
      channels: fc.constantFrom("email", "sms", "email,sms", "SMS , Email", ""),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("move"), to: fc.integer({ min: 1, max: guests }) }),
  },
) as fc.Arbitrary<Change>

const place = {
  event: fc.constantFrom(0, 0, 0, 1),
  guest: fc.integer({ min: 1, max: guests }),
  change,
}

/** The partners: one of each kind for the first event, and one for the second. */
const kinds: readonly (ReaderKind | "feed")[] = [
  { by: "cursor", keeps: "Next-Since" },
  { by: "offset", keeps: "Next-Since", sendsTags: true },
  { by: "cursor", keeps: "Next-Since", sendsTags: true, polls: ">=" },
  "feed",
]

/** Histories, with late commits or without. */
export function histories(hasLate: boolean): fc.Arbitrary<History> {
  const step = fc.oneof(
    { weight: 12, arbitrary: fc.record({ do: fc.constant("change"), ...place }) },
    ...hasLate
      ? [
        { weight: 3, arbitrary: fc.record({ do: fc.constant("late"), ...place }) },
        { weight: 2, arbitrary: fc.constant({ do: "commit" }) },
      ]
      : [],
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant("filter"), filter: fc.constantFrom(...filterNames) }),
    },
    { weight: 1, arbitrary: fc.constant({ do: "ledger" }) },
    {
      weight: 10,
      arbitrary: fc.record({
        do: fc.constant("read"),
        partner: fc.integer({ min: 0, max: kinds.length + 1 }),
        pages: fc.integer({ min: 1, max: 5 }),
      }),
    },
  ) as fc.Arbitrary<Step>
  return fc.record({
    filter: fc.constantFrom(...filterNames),
    steps: fc.array(step, { minLength: 10, maxLength: 40, size: "max" }),
  })
}

interface Partner {
  readonly account: string
  readonly reader: CopyReader
  readonly event: string
  readonly isFiltered: boolean
  /** The keys of all guests that it was sent. */
  readonly received: Set<string>
}

/** Plays histories on one service, each with new partners. */
export class HistoryPlayer {
  readonly #world: FilterWorld
  readonly #hasLate: boolean
  /** How each partner gets paths, by its account. */
  readonly #gets: ReadonlyMap<string, Get>

  static async open(t: Test, engine: Engine): Promise<HistoryPlayer> {
    const world = await FilterWorld.open(t, engine, "all")
    const gets = new Map<string, Get>()
    for (let place = 0; place < kinds.length + 2; place++) {
      gets.set(`partner-${place}`, await world.as(`partner-${place}`))
    }
    return new HistoryPlayer(world, gets, engine === "mysql")
  }

  private constructor(world: FilterWorld, gets: ReadonlyMap<string, Get>, hasLate: boolean) {
    this.#world = world
    this.#gets = gets
    this.#hasLate = hasLate
  }

  /** Returns what has gone wrong; nothing if all is right. */
  async play({ filter, steps }: History): Promise<readonly string[]> {
    const world = this.#world
    const { database } = world.workshop
    const { writer } = database
    for (const table of erased) {
      await writer.deleteFrom(table).where("event_id", "in", world.events).execute()
    }
    await writer.deleteFrom("departure").where("event_id", "in", world.events).execute()
    await world.guests(world.events[0] as string, ["email", "sms", "", null])
    await world.change(filter)
    await world.settled()
    await writer.deleteFrom("departure").where("event_id", "in", world.events).execute()
    await writer.updateTable("list_filter").set({ narrowed: filter === "all" ? 0 : 1 }).execute()
    const wrong: string[] = []
    const matched = new Set<string>()
    // Until a change is settled, another process may send whom the former filter passes.
    let inForce = [world.filter]
    const noteMatching = (rows: readonly GuestRow[]) => {
      const passing = rows.filter((row) => inForce.some((each) => passes(each, row)))
      for (const { event, id } of passing) matched.add(`${event} ${id}`)
    }
    const partners = this.#partners()
    const late = await this.#late()
    noteMatching(await world.rows())
    try {
      for (const step of steps) {
        if (step.do === "read") {
          await this.#read(partners[step.partner] as Partner, { pages: step.pages, matched, wrong })
        } else if (step.do === "filter") {
          noteMatching(await world.rows())
          // The former configuration writes what is left of it after the reload.
          await world.written()
          // A transaction may have locked what the list has gained: then that comes later, or the reload is refused.
          if (!late?.isOpen) await world.settled()
          await world.change(step.filter).catch((error: unknown) => {
            if (!late?.isOpen) throw error
          })
          inForce.push(world.filter)
          if (!late?.isOpen) {
            await world.settled()
            inForce = [world.filter]
          }
        } else if (step.do === "ledger") {
          wrong.push(...await this.#judgeLedger(partners, matched))
        } else if (step.do === "commit") await late?.commit()
        else {
          const { event: place, guest, change } = step
          const event = world.events[place] as string
          const whole = { event, events: world.events, guest, change }
          if (late?.isUsed(whole)) continue
          if (step.do === "late") await late?.make(whole)
          else await make(writer, whole)
        }
        noteMatching(await world.rows())
      }
      await late?.commit()
      await world.settled()
      noteMatching(await world.rows())
      const rows = await world.rows()
      for (const partner of partners) {
        await this.#read(partner, { pages: Infinity, matched, wrong })
        const { event, isFiltered } = partner
        const expected = rows.filter((row) =>
          row.event === event && (!isFiltered || passes(world.filter, row))
        ).map(({ id }) => `guests ${id}`).sort().join()
        const actual = [...partner.reader.copy.keys()].sort().join()
        if (expected !== actual) {
          wrong.push(`partner ${partners.indexOf(partner)} has [${actual}], not [${expected}]`)
        }
      }
      wrong.push(...await this.#judgeLedger(partners, matched))
    } finally {
      await late?.close()
    }
    return wrong
  }

  #partners(): Partner[] {
    const world = this.#world
    const [first = "", second = ""] = world.events
    return [...this.#gets].map(([account, get], place) => {
      const kind = kinds[place]
      const isFiltered = place <= kinds.length
      const event = place === kinds.length ? second : first
      const family = isFiltered ? chosen : unfiltered
      const reader = kind === "feed" || event === second
        ? world.feedReader(event, family, get)
        : world.reader(event, kind ?? { by: "cursor", keeps: "Next-Since" }, family, get)
      return { account, reader, event, isFiltered, received: new Set() }
    })
  }

  /**
   * Returns what is wrong with the ledger: it names each partner who was sent a guest, and none for a guest that its family
   * has never had.
   */
  async #judgeLedger(
    partners: readonly Partner[],
    matched: ReadonlySet<string>,
  ): Promise<readonly string[]> {
    const { database } = this.#world.workshop
    await this.#world.written()
    const wrong: string[] = []
    for (let number = 1; number <= guests; number++) {
      const id = guestId(number)
      const { records } = await findDisclosures(database, id, { withdrawals: { hours: 24 } })
      for (const partner of partners) {
        const { account, event, isFiltered, received } = partner
        const recipients = records.find((record) => record.event.id === event)?.recipients ?? []
        const isNamed = recipients.some((each) => each.account === account)
        const what = `${account} for guest ${number}`
        if (received.has(`guests ${id}`) && !isNamed) wrong.push(`the ledger lacks ${what}`)
        if (isFiltered && isNamed && !matched.has(`${event} ${id}`)) {
          wrong.push(`the ledger names ${what}`)
        }
      }
    }
    return wrong
  }

  /** Reads pages, or until a poll has ended that began now. */
  async #read(
    { reader, event, isFiltered, received }: Partner,
    { pages, matched, wrong }: {
      readonly pages: number
      readonly matched: ReadonlySet<string>
      readonly wrong: string[]
    },
  ): Promise<void> {
    const world = this.#world
    const told = reader.copy
    const names = watchNames(told)
    let polls = reader.isInterrupted ? 2 : 1
    for (let page = 0; page < pages; page++) {
      const rows = isFiltered ? await world.rows() : []
      names.clear()
      await reader.read()
      for (const [key, isDeletion] of names) {
        if (!isDeletion) received.add(key)
        if (!isFiltered) continue
        const id = key.replace("guests ", "")
        const row = rows.find((each) => each.event === event && each.id === id)
        if (isDeletion && !matched.has(`${event} ${id}`)) wrong.push(`${id} was named`)
        if (!isDeletion && (!row || !passes(world.filter, row))) wrong.push(`${id} was sent`)
      }
      if (!reader.isInterrupted && --polls === 0 && pages === Infinity) break
    }
  }

  async #late() {
    if (!this.#hasLate) return undefined
    return new LateWriter(this.#world.workshop.database.writer)
  }
}

/** Notes what is put into a copy (false) and deleted from it (true), also if it did not have it. */
export function watchNames(copy: CopyReader["copy"]): Map<string, boolean> {
  const names = new Map<string, boolean>()
  const { put, delete: remove } = Object.getPrototypeOf(copy)
  copy.put = (row) => {
    names.set(`guests ${row.id}`, false)
    put.call(copy, row)
  }
  copy.delete = (key) => {
    names.set(key, true)
    return remove.call(copy, key)
  }
  return names
}

/** Makes changes in a transaction that stays open. */
class LateWriter {
  readonly #db: Kysely<Schema>
  #open: Awaited<ReturnType<ReturnType<Kysely<Schema>["startTransaction"]>["execute"]>> | undefined
  readonly #guests = new Set<string>()

  constructor(db: Kysely<Schema>) {
    this.#db = db
  }

  get isOpen(): boolean {
    return this.#open !== undefined
  }

  /** True if a change would wait for the open transaction. */
  isUsed({ guest, change }: Parameters<typeof make>[1]): boolean {
    return [guest, change.do === "move" ? change.to : guest].some((each) =>
      this.#guests.has(guestId(each))
    )
  }

  async make(change: Parameters<typeof make>[1]): Promise<void> {
    this.#open ??= await this.#db.startTransaction().setIsolationLevel("read committed").execute()
    this.#guests.add(guestId(change.guest))
    if (change.change.do === "move") this.#guests.add(guestId(change.change.to))
    await make(this.#open, change)
  }

  async commit(): Promise<void> {
    await this.#open?.commit().execute()
    await this.close()
  }

  async close(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    this.#guests.clear()
    if (open && !open.isCommitted && !open.isRolledBack) await open.rollback().execute()
  }
}
