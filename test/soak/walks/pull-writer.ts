import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { sql } from "kysely"
import type { Database } from "../../../core/data/database.ts"
import type { Engine } from "../../support/database.ts"
import type { Random } from "../../support/random.ts"
import { RecordPlatform } from "../../support/record-platform.ts"

/** What a writer writes to. */
export interface WriterTarget {
  readonly database: Database
  readonly engine: Engine
  readonly eventIds: readonly string[]
  readonly random: Random
}

/** What happens when writers meet. */
const expected = new Set(["ER_DUP_ENTRY", "ER_LOCK_DEADLOCK", "ER_LOCK_WAIT_TIMEOUT"])

/** The platform: changes records all the time, sometimes in transactions that commit late. */
export class PullWriter {
  /** Changes so far. */
  changes = 0
  readonly #target: WriterTarget
  readonly #platform: RecordPlatform
  #isEnding = false
  #running: readonly Promise<void>[] = []

  constructor(target: WriterTarget) {
    const { eventIds, database: { dialect } } = target
    this.#target = target
    this.#platform = new RecordPlatform({
      events: () => eventIds,
      ago: (seconds) => sql`${dialect.now} - ${sql.lit(seconds)}` as unknown as number,
      newId: () => randomUUID(),
      most: 250,
    })
  }

  /** `count` writers, each with a connection; one on the embedded database. */
  start(count: number): void {
    const writers = this.#target.engine === "mysql" ? count : 1
    this.#running = Array.from({ length: writers }, () => this.#run(this.#target.random.fork()))
  }

  async stop(): Promise<void> {
    this.#isEnding = true
    await Promise.all(this.#running)
  }

  async #run(random: Random): Promise<void> {
    const platform = this.#platform
    const { database: { writer }, engine } = this.#target
    while (!this.#isEnding) {
      try {
        this.changes++
        if (random.below(4) > 0) await platform.change(writer, random)
        else if (engine === "mysql") {
          await writer.transaction().execute(async (db) => {
            await platform.change(db, random)
            await sleep(random.between(100, 3000))
            await platform.change(db, random)
          })
        } else {
          // As a transaction that was open for a while: a third of the lag, so that a slow machine has the rest.
          await platform.insertOne(writer, platform.place(random), randomUUID(), 10)
        }
      } catch (error) {
        const { code } = error as { code?: string }
        if (!expected.has(code ?? "")) throw error
      }
      await sleep(random.between(5, 60))
    }
  }
}
