import { existsSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { stringify } from "yaml"
import { idOf } from "../../../../plugins/capabilities/connect/ids.ts"
import { guestDifferences } from "../../../support/connect/guests.ts"
import { fillStatements, mappingOf, selects, tables } from "../../../support/connect/platform.ts"
import type { Copy } from "../../../support/partner/copy.ts"
import type { Random } from "../../../support/random.ts"
import { FeedKeeper } from "../readers/feed-keeper.ts"
import { keep } from "../readers/keep.ts"
import { type Simulation, type Step, Violation } from "../simulation.ts"
import type { World } from "../world.ts"

/** Attendees that change, and are never deleted; those after them come and go. */
// A third of them is more than what is deleted without being asked for.
const lasting = 70
const attendees = 85

/** Seconds from one comparison to the next. */
const every = 60

const anyone = (random: Random) => random.between(1, attendees)
const guest = (random: Random) => random.between(lasting + 1, attendees)

/** What the organizer does in their own database, each in a transaction. */
const changes: Readonly<Record<string, (random: Random) => string>> = {
  renames: (random) =>
    `update person set surname = 'N${random.below(1e6)}' where id = ${anyone(random)}`,
  "withdraws a consent": (random) =>
    `update permission set given = 1 - given where attendee_id = ${anyone(random)}`,
  "spoils an address": (random) =>
    `update person set mail = case mail when 'x' then '' else 'x' end where id = ${anyone(random)}`,
  "strikes off": (random) =>
    `update attendee set deleted_at = case when deleted_at is null then 'now' end
      where id = ${guest(random)}`,
  deletes: (random) => `delete from attendee where id = ${guest(random)}`,
  inserts: (random) =>
    `insert or ignore into attendee
      select id, 1 + id % 2, id, 0, null, null from person where id = ${guest(random)}`,
  moves: (random) => `update attendee set gala_id = 3 - gala_id where id = ${guest(random)}`,
}

/** An organizer with a database of their own, and a partner who reads what comes of it. */
export default function simulate(world: World): Simulation {
  const source = new Source(world)
  const step = (name: string, weight: number, run: (random: Random) => Promise<void>): Step => ({
    name: `the source ${name}`,
    weight,
    run,
  })
  const keepers = [1, 2].map((gala) => source.keeper(gala))
  const kept = keep(world, keepers, {
    weight: 0.5,
    compared: 1,
    invariant: "copies of what came from a source have what its SELECT returns",
  })
  return {
    ...kept,
    prepare: () => source.prepare(),
    steps: [
      ...kept.steps ?? [],
      ...Object.entries(changes).map(([name, change]) =>
        step(name, 0.5, async (random) => source.run(change(random)))
      ),
      step("is away", 0.1, async () => source.leave()),
      step("is back", 0.2, async () => source.comeBack()),
      step("is half restored", 0.1, (random) => source.restore(random)),
      step("has another column", 0.1, (random) => source.alter(random)),
    ],
    invariants: [...kept.invariants ?? [], {
      name: "what a source has all the time is never deleted",
      atRest: async () => source.checkDeletions(),
    }],
    async settle() {
      await source.settle()
      await kept.settle?.()
    },
  }
}

class Source {
  readonly #world: World
  readonly #file: string
  #database: DatabaseSync | undefined
  /** True while a step has its tables in another state. */
  #isBusy = false
  /** True once nobody changes it any more, and the services have had the time to take it over. */
  #isSettled = false

  constructor(world: World) {
    this.#world = world
    this.#file = join(world.folder, "source.db")
  }

  /** Makes it, and the mapping that the configuration names. */
  async prepare(): Promise<void> {
    const id = this.#world.organizations.get("acme")
    this.#database = new DatabaseSync(this.#file)
    this.#database.exec("pragma journal_mode = wal")
    for (const statement of [...tables, ...fillStatements(attendees)]) this.run(statement)
    const { timeZone: time_zone, money } = mappingOf("")
    const select = {
      ...selects,
      // Of the service: its partners may read what belongs to it.
      organization: `select '${id}' as id, 'acme' as slug, 'acme' as name`,
      event: selects.event?.replace("charity_id", `'${id}'`),
    }
    const mapping = { source: { url: "sqlite:source.db", time_zone, money, every }, select }
    writeFileSync(join(this.#world.folder, "source.yaml"), stringify(mapping))
    await Promise.resolve()
  }

  keeper(gala: number): FeedKeeper {
    const event = idOf("event", String(gala))
    const differences = (copy: Copy) => this.#differences(gala, copy)
    return new class extends FeedKeeper {
      override differences(): Promise<readonly string[]> {
        return Promise.resolve(differences(this.copy))
      }
    }(this.#world, {
      client: this.#world.client("acme-export"),
      family: "/acme/v1",
      lists: ["guests", "items"],
      event: () => event,
      name: `acme-export, gala ${gala} of the source,`,
    })
  }

  /** Runs a statement, if the source is there. */
  run(statement: string): void {
    if (existsSync(this.#file)) this.#database?.exec(statement)
  }

  leave(): void {
    if (!this.#isBusy && existsSync(this.#file)) renameSync(this.#file, `${this.#file}.away`)
  }

  comeBack(): void {
    if (existsSync(`${this.#file}.away`)) renameSync(`${this.#file}.away`, this.#file)
  }

  /** Empties a table, and fills it again part by part. */
  async restore(random: Random): Promise<void> {
    const table = random.pick(["attendee", "person", "permission"])
    await this.#whileBusy(async () => {
      this.run(`create table dump as select * from ${table}`)
      this.run(`delete from ${table}`)
      for (const part of [0, 1, 2]) {
        await this.#world.time.sleep(random.between(1, 1.5 * every) * 1000)
        this.run(`insert into ${table} select * from dump where rowid % 3 = ${part}`)
      }
      this.run("drop table dump")
    })
  }

  /** Renames a column for a while. */
  async alter(random: Random): Promise<void> {
    await this.#whileBusy(async () => {
      this.run("alter table person rename column surname to family")
      await this.#world.time.sleep(random.between(1, 3 * every) * 1000)
      this.run("alter table person rename column family to surname")
    })
  }

  async #whileBusy(work: () => Promise<void>): Promise<void> {
    if (this.#isBusy || !existsSync(this.#file)) return
    this.#isBusy = true
    await work().finally(() => this.#isBusy = false)
  }

  /** Lets the services take over the last changes. */
  async settle(): Promise<void> {
    this.comeBack()
    // What partners have of a refused row is what it was once.
    this.run("update person set mail = '' where mail = 'x'")
    await this.#world.time.sleep(5 * every * 1000)
    this.#isSettled = true
  }

  checkDeletions(): void {
    const ids = Array.from({ length: lasting }, (_, index) => `'${idOf("guest", `${index + 1}`)}'`)
    const found = this.#world.tables.all(
      `select record_id from deletion where record_id in (${ids.join(", ")})`,
    )
    if (found.length > 0) throw new Violation(`${found.length} guests of the source were deleted`)
  }

  #differences(gala: number, copy: Copy): readonly string[] {
    if (!this.#isSettled || !this.#database) return []
    const rows = this.#database.prepare(`select * from (${selects.guest}) where event = ?`)
      .all(gala)
    return guestDifferences(copy, rows).slice(0, 3)
  }
}
