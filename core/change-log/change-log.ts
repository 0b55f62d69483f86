import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import type { Database } from "../data/database.ts"
import {
  describeFault,
  findRebuilt,
  findTriggerFaults,
  renewEpoch,
  type TableTimes,
  trackedTables,
} from "../data/triggers.ts"
import { type Log, RetryLog } from "../log.ts"
import type { ClockStep } from "./clock-steps.ts"
import { readHeartbeatTime } from "./heartbeat.ts"
import type { Floors } from "./note-steps.ts"
import { hasEmptied, Tail } from "./tail.ts"
import { Versions, type VersionsOptions } from "./versions.ts"
import { type CompareLook, findWatermark, type Look, reportLostCommits } from "./watermark.ts"

/** How a change log is followed. */
export interface ChangeLogOptions {
  readonly log: Log
  /** Milliseconds from one look at open changes to the next. */
  readonly every?: number
  /** How folding differs from the usual. */
  readonly versions?: Pick<VersionsOptions, "many">
}

/** How the log is followed if the database has several servers. */
export interface FollowedServer {
  /** Returns whether it is the primary: only there are open changes looked at. */
  readonly isPrimary: () => boolean
  /** Returns false while looking would be useless. */
  readonly isThere: () => boolean
  /** What the heartbeat's floor is made of, if other servers than the primary are read from. */
  readonly floors: Floors | undefined
  /** The database in which settled changes are folded. */
  readonly foldedIn: Database
  /** Called before a look at open changes. */
  readonly comparison: () => CompareLook
}

/** What a clock has shown. */
export interface ClockReading {
  /** Unix seconds. */
  readonly time: number
  /** The earliest time at which it was read, on the clock of `performance.now()`. */
  readonly at: number
}

/** What metrics show of how a change log is followed. */
export interface ChangeLogNumbers {
  /** Triggers that are missing or different, and tables that were rebuilt. */
  readonly faults: readonly string[]
  /** Seconds since the last look at open changes. */
  readonly age: number
  /** The age of the oldest open change, in seconds. */
  readonly oldestOpen: number
}

/**
 * Follows the change log in the background: which changes are open, whether the clock was set back, and whether the
 * triggers are there. One look per second serves all events and requests.
 */
export class ChangeLog {
  readonly versions: Versions
  /** Tells what changes, while somebody listens. */
  readonly tail: Tail
  readonly #database: Database
  readonly #options: ChangeLogOptions & { readonly every: number }
  readonly #server: FollowedServer | undefined
  readonly #ended = new AbortController()
  #look: Look | undefined
  #steps: readonly ClockStep[] = []
  #lookedAt = -Infinity
  #clock: ClockReading | undefined
  #heartbeatTime: number | undefined
  #faults: readonly string[] = []
  /** A digit per table: 0 if it was empty at the last look. */
  #emptyTables = ""
  readonly #tables: TableTimes = new Map()
  /** False until the triggers have been looked at. */
  #isKnown = false
  /** The epoch when the triggers were not as they should be, at the last look; undefined if they were. */
  #blindEpoch: number | null | undefined
  #running: Promise<unknown> = Promise.resolve()

  /** Looks once, and follows the log until `close`. @throws as the database does. */
  static async open(database: Database, options: ChangeLogOptions): Promise<ChangeLog> {
    const opened = new ChangeLog(database, options)
    await opened.look()
    await opened.lookAtTriggers()
    opened.#running = opened.#follow(opened.#options.every)
    return opened
  }

  /** Follows the log until `close`, from when the database is there. Until then, no event has a version. */
  static follow(
    database: Database,
    options: ChangeLogOptions,
    server: FollowedServer,
  ): ChangeLog {
    const followed = new ChangeLog(database, options, server)
    followed.#running = followed.#follow(0)
    return followed
  }

  private constructor(database: Database, options: ChangeLogOptions, server?: FollowedServer) {
    this.#database = database
    this.#options = { every: 1000, ...options }
    this.#server = server
    this.versions = new Versions(server?.foldedIn ?? database, {
      ...options.versions,
      log: options.log,
      common: () => this.common,
    })
    this.tail = new Tail(database, { log: options.log, common: () => this.common })
  }

  get #isPrimary(): boolean {
    return this.#server?.isPrimary() ?? true
  }

  /** True while changes may go unnoticed, because triggers are not as they should be. */
  get isBlind(): boolean {
    return this.#faults.length > 0
  }

  /**
   * What the version of every event and record depends on, besides what is in a snapshot; undefined while changes may
   * go unnoticed. If it is not the same before a snapshot and after it, the snapshot has no version.
   */
  get common(): string | undefined {
    return this.#isKnown && !this.isBlind ? this.#emptyTables : undefined
  }

  /**
   * The time from which to read the next time, for a snapshot that begins after this is read; 0 before the first look, and
   * on a server that is not the primary.
   */
  get watermark(): number {
    return this.#look?.watermark ?? 0
  }

  get numbers(): ChangeLogNumbers {
    return {
      faults: this.#faults,
      age: (performance.now() - this.#lookedAt) / 1000,
      oldestOpen: this.#look?.oldestOpen ?? 0,
    }
  }

  /** The latest reading of the primary's clock; undefined if there is none. */
  get clock(): ClockReading | undefined {
    return this.#clock
  }

  /** When the server's latest heartbeat was written, as of the last look; undefined if that is not known. */
  get heartbeatTime(): number | undefined {
    return this.#heartbeatTime
  }

  /** When the database's clock was set back. */
  get steps(): readonly ClockStep[] {
    return this.#steps
  }

  /** Looks at the open changes and the steps. @throws as the database does: what was known stays in force. */
  async look(): Promise<void> {
    const database = this.#database
    if (!this.#isPrimary) {
      this.#heartbeatTime = await database.inBackground(() => readHeartbeatTime(database)) ??
        this.#heartbeatTime
      return
    }
    const begun = performance.now()
    const compare = this.#server?.comparison()
    this.#look = await database.inBackground(() =>
      findWatermark(database, this.#server?.floors ?? null, compare)
    )
    this.#clock = { time: this.#look.clock, at: begun }
    if (!this.#server) reportLostCommits(this.#look, this.#heartbeatTime ?? 0, this.#options.log)
    this.#heartbeatTime = this.#look.clock
    this.#steps = this.#look.steps
    this.#lookedAt = performance.now()
  }

  /**
   * Looks at the triggers, and for empty tables. If changes have gone unnoticed, begins another epoch, in which no
   * earlier page, tag or record counts.
   *
   * @throws as the database does: what was known stays in force.
   */
  async lookAtTriggers(): Promise<void> {
    await this.#database.inBackground(async () => {
      const wrong = await findTriggerFaults(this.#database)
      const rebuilt = await findRebuilt(this.#database, this.#tables)
      const faults = [
        ...wrong.map((fault) => `trigger ${describeFault(fault)}`),
        ...rebuilt.map((table) => `table ${table} (it was made anew)`),
      ]
      const emptyTables = await findEmptyTables(this.#database)
      const { background, dialect } = this.#database
      const { epoch } = await background.selectFrom("change_state").select("epoch")
        .executeTakeFirstOrThrow()
      // `migrate`, or a service that noticed it before, has begun another epoch.
      const isRestored = faults.length === 0 && epoch === this.#blindEpoch
      const isEmptied = this.#isKnown && hasEmptied(this.#emptyTables, emptyTables)
      if ((isRestored || isEmptied) && this.#isPrimary) await renewEpoch(background, dialect)
      if (faults.join() !== this.#faults.join()) this.#report(faults)
      this.#faults = faults
      this.#blindEpoch = faults.length > 0 ? epoch : undefined
      this.#emptyTables = emptyTables
      this.#isKnown = true
    })
  }

  async close(): Promise<void> {
    this.#ended.abort()
    await Promise.all([this.#running, this.tail.close()])
  }

  #report(faults: readonly string[]): void {
    const { log } = this.#options
    if (faults.length === 0) log.info({}, "the triggers are complete again; pages are cached")
    else {
      log.error(
        { faults },
        'changes may go unnoticed: run "event-export migrate". Until then no page is cached and no 304 sent',
      )
    }
  }

  /** Never throws. A look takes at most a tenth of the time, unless others wait for the heartbeat that it writes. */
  async #follow(firstPause: number): Promise<void> {
    const { signal } = this.#ended
    const { every } = this.#options
    let triggersAt = performance.now()
    let pause = firstPause
    const attempts = new RetryLog(() => this.#options.log, {
      failed: "cannot look at the change log now; Next-Since stays where it was",
      over: "the change log is looked at again",
    })
    while (!signal.aborted) {
      try {
        await setTimeout(pause, undefined, { signal, ref: false })
        pause = every
        if (this.#server?.isThere() === false) continue
        const start = performance.now()
        await this.look()
        if (start - triggersAt > 5 * every || !this.#isKnown) {
          await this.lookAtTriggers()
          triggersAt = performance.now()
        }
        const longest = this.#server ? longestPause : Infinity
        const end = performance.now()
        pause = Math.max(every, Math.min(longest, 9 * (end - start)))
        attempts.succeeded()
        await this.versions.fold()
        pause = Math.max(0, pause - (performance.now() - end))
      } catch (error) {
        if (signal.aborted) return
        attempts.failed(error)
      }
    }
  }
}

/**
 * The longest pause between two looks at one server of several, in milliseconds: with an older heartbeat, it counts as
 * away.
 */
const longestPause = 2000

async function findEmptyTables({ background }: Database): Promise<string> {
  const columns = trackedTables.map((name) =>
    sql`exists (select 1 from ${sql.table(name)}) as ${sql.ref(name)}`
  )
  const { rows: [row] } = await sql<Record<string, number>>`select ${sql.join(columns)}`
    .execute(background)
  return trackedTables.map((name) => row?.[name] ? 1 : 0).join("")
}
