import { foldEvent } from "../../../core/change-log/versions.ts"
import { recordsIn } from "../../support/partner/copy.ts"
import {
  type ListSource,
  type Part,
  type Place,
  type ReadPage,
  type Source,
} from "../../support/partner/list-source.ts"
import { Reader } from "../../support/partner/reader.ts"
import { ChosenList } from "../../support/polling/chosen.ts"
import type { ClockedDatabase } from "../../support/polling/clocked.ts"
import { printTable, type TableRow } from "./table.ts"
import type { ClockTable } from "./clock-table.ts"
import type { WriterConnection } from "./connection.ts"
import { tellPage, tellRecords } from "./copies.ts"
import type { Gate } from "./gate.ts"
import { Guests } from "./guests.ts"
import { type Plan, reader as readingActor } from "./plan.ts"

/** What became of an interleaving. */
export interface Played {
  /** What is wrong in the end, or undefined. */
  readonly problem: string | undefined
  /** Returns a table of the steps. */
  table(): string
}

interface PerformanceOptions {
  readonly plan: Plan
  readonly world: ClockedDatabase
  readonly event: string
  /** The guests of the event as the service lists them; a `ChosenList` has only those who consented. */
  readonly source: ListSource
  readonly writers: readonly WriterConnection[]
  readonly gate: Gate
  readonly time: ClockTable
  readonly organization: string
  /** Looks at open changes as the service does. */
  readonly look: () => Promise<void>
}

/** One interleaving, from an event without guests to the comparison of the copy with the table. */
export class Performance {
  readonly #options: PerformanceOptions
  readonly #guests: Guests
  readonly #reader: Reader
  readonly #rows: TableRow[] = []
  readonly #start: number
  #got = ""
  /** True if the next request is the first of a poll. */
  #isFirst = true

  constructor(options: PerformanceOptions) {
    const { plan, world, event, source } = options
    this.#options = options
    this.#start = world.clock.now
    this.#guests = new Guests(event, plan, source instanceof ChosenList)
    const { kind, limit, parts } = plan
    this.#reader = new Reader(this.#listened(source), { kind, limit, parts })
  }

  /** Plays all of it. */
  async play(): Promise<Played> {
    let problem: string | undefined
    try {
      await this.#prepare()
      await this.#mix()
      problem = await this.#finish()
    } catch (error) {
      problem = String(error)
      this.#note(undefined, "fails", problem.slice(0, 200))
      for (const writer of this.#options.writers) await writer.end("rollback")
      await this.#options.gate.finish()
    }
    return {
      problem,
      table: () => printTable(["writer 0", "writer 1", "reader"], this.#rows),
    }
  }

  /** Adds the guests and, in most plans, lets the reader finish a walk and everything change after it. */
  async #prepare(): Promise<void> {
    const { plan, writers: [writer], organization } = this.#options
    let ticks = plan.merge.length
    for (const statements of this.#guests.begin(organization)) {
      await writer?.run(statements)
      await this.#wait(plan.ticks[ticks++] ?? 0)
    }
    await this.#wait(plan.age)
    await this.#look()
    if (plan.hasWalked) await this.#poll("has polled")
    if (!plan.hasWalked || !plan.isBusy) return
    for (const statements of this.#guests.touchAll()) {
      await this.#wait(plan.ticks[ticks++] ?? 0)
      await writer?.run(statements)
    }
    this.#note(undefined, "#0 to #2 are updated")
  }

  /** Takes the steps of the merge. */
  async #mix(): Promise<void> {
    const { plan, gate, world, event } = this.#options
    const taken = [0, 0, 0]
    for (const [index, actor] of plan.merge.entries()) {
      await this.#wait(plan.ticks[index] ?? 0)
      if (plan.slowLook?.to === index) await this.#endSlowLook()
      if (plan.slowLook?.from === index) {
        await gate.start(() => this.#look(), plan.slowLook.statements)
        this.#note(undefined, "a look begins")
      }
      if (plan.folds[index] && !gate.isHolding) await foldEvent(world.database, event)
      const step = taken[actor] ?? 0
      taken[actor] = step + 1
      if (actor === readingActor) await this.#request(plan.looks[index] ?? false)
      else await this.#write(actor, step)
    }
  }

  async #write(writer: number, step: number): Promise<void> {
    const { plan, writers } = this.#options
    const connection = writers[writer] as WriterConnection
    const { isolation, ends } = plan.writers[writer] as Plan["writers"][number]
    if (step === 0) {
      await connection.begin(isolation)
      this.#note(writer, `begin, ${isolation}`)
    } else if (step === 1) {
      const { statement, does } = this.#guests.write(writer)
      await connection.run(statement)
      this.#note(writer, does)
    } else {
      await connection.end(ends)
      this.#note(writer, ends)
    }
  }

  async #request(looks: boolean): Promise<void> {
    const lookedNow = looks && this.#isFirst && !this.#options.gate.isHolding
    if (lookedNow) await this.#look()
    this.#isFirst = await this.#reader.read()
    this.#note(readingActor, lookedNow ? "look, request" : "request", this.#got)
  }

  async #endSlowLook(): Promise<void> {
    const { gate } = this.#options
    if (!gate.isHolding) return
    await gate.finish()
    this.#note(undefined, "the look ends")
  }

  /** Ends the walk, polls once more, and returns how the copy differs. */
  async #finish(): Promise<string | undefined> {
    const { source } = this.#options
    await this.#endSlowLook()
    if (!this.#isFirst) await this.#poll("ends the walk")
    await this.#wait(1)
    await this.#look()
    await this.#poll("polls once more")
    const truth = await (source instanceof ChosenList ? source.truth() : source.everything())
    this.#note(undefined, "copy", tellRecords([...this.#reader.copy.values()], this.#start))
    this.#note(undefined, "table", tellRecords(truth, this.#start))
    const found = this.#reader.copy.differences(recordsIn(truth))
    return found.length > 0
      ? `the copy differs: ${found.map(({ text }) => text).join("; ")}`
      : undefined
  }

  async #poll(does: string): Promise<void> {
    const got: string[] = []
    do {
      this.#isFirst = await this.#reader.read()
      got.push(this.#got)
    } while (!this.#isFirst)
    this.#note(undefined, does, got.join(" | "))
  }

  async #look(): Promise<void> {
    await this.#options.look()
  }

  async #wait(seconds: number): Promise<void> {
    const { source, time } = this.#options
    if (source instanceof ChosenList) await source.note()
    await time.wait(seconds)
  }

  #note(actor: number | undefined, does: string, got = ""): void {
    const clock = this.#options.world.clock.now - this.#start
    this.#rows.push({ clock, actor, does, got })
  }

  /** Remembers what the last page was, for the table. */
  #listened(source: Source): Source {
    return {
      page: async (part: Part, place: Place): Promise<ReadPage> => {
        this.#got = "failed"
        const page = await source.page(part, place)
        this.#got = tellPage(part, place, page, this.#start)
        return page
      },
    }
  }
}
