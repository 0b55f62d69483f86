import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type mysql from "mysql2/promise"
import { stringify } from "yaml"
import { idOf } from "../../../plugins/capabilities/connect/ids.ts"
import { guestDifferences } from "../../support/connect/guests.ts"
import { fillStatements, mappingOf, selects, tables } from "../../support/connect/platform.ts"
import { secret } from "../../support/app.ts"
import type { Teardown } from "../../support/database.ts"
import { FeedReader } from "../../support/partner/feed-reader.ts"
import type { Random } from "../../support/random.ts"
import { runCommand } from "../../support/run-command.ts"
import { writeConfiguration } from "./configuration.ts"
import type { Observations } from "./observations.ts"
import { Poller } from "./poller.ts"
import type { PrivateMysql } from "./private-mysql.ts"
import type { Scene } from "./stage.ts"

/** Attendees that change, and are never deleted; those after them come and go. */
const lasting = 40
const attendees = 60

/** The galas of the source. */
const galas = [1, 2] as const

/** The user that reads the source. */
export const reader = "reader"

/** What the source's own writer does, besides what faults do. `n` is another number each time. */
const changes: readonly ((random: Random, n: number) => readonly string[])[] = [
  (random, n) => [`update person set surname = 'N${n}' where id = ${random.between(1, attendees)}`],
  (random, n) => [
    `update place set street = '${n} Hill' where person_id = ${random.between(1, attendees)}`,
  ],
  (random) => [
    `update permission set given = 1 - given where attendee_id = ${random.between(1, attendees)}`,
  ],
  // Cannot be taken over, or can again.
  (random) => [
    `update person set mail = case mail when 'x' then '' else 'x' end
      where id = ${random.between(1, attendees)}`,
  ],
  (random) => [
    `update attendee set deleted_at = case when deleted_at is null then now() end
      where id = ${random.between(lasting + 1, attendees)}`,
  ],
  (random) => {
    const id = random.between(lasting + 1, attendees)
    return [
      `delete from attendee where id = ${id}`,
      ...random.below(2) === 0
        ? []
        : [`insert into attendee values (${id}, ${random.pick(galas)}, ${id}, 1, null, null)`],
    ]
  },
  (random) => [
    `update attendee set gala_id = 3 - gala_id where id = ${
      random.between(lasting + 1, attendees)
    }`,
  ],
]

interface SourceOptions {
  readonly server: PrivateMysql
  readonly random: Random
  readonly observations: Observations
}

/** An organizer's own database, whose records the services take over, with a writer and a partner for each gala. */
export class Source {
  /** The path of the mapping. */
  readonly mapping: string
  /** Committed changes. */
  commits = 0
  /** True while triggers tell the keys of all that changes. */
  isTold = false
  /** True once something has changed that no trigger tells. */
  hasUntold = false
  readonly #options: SourceOptions
  readonly #folder: string
  /** For commands. */
  readonly #configuration: string
  #selects: Record<string, string> = {}
  #partners: readonly { readonly reader: FeedReader; readonly poller: Poller }[] = []
  #running: Promise<void> | undefined
  #isPaused = true

  /** Makes and fills the source, and writes its mapping. */
  static async create(t: Teardown, options: SourceOptions): Promise<Source> {
    const folder = mkdtempSync(join(tmpdir(), "event-export-source-"))
    const source = new Source(folder, options)
    t.teardown(async () => {
      await source.pause()
      rmSync(folder, { recursive: true, force: true })
    })
    const [organization] = await options.server.run("select id from chaos.organization")
    source.#nameOrganization(organization?.["id"])
    await options.server.run(
      "create database source",
      `create user ${reader} identified by 'reader'`,
      `grant select, delete, trigger on source.* to ${reader}`,
      "use source",
      ...tables,
      ...fillStatements(attendees),
    )
    return source
  }

  private constructor(folder: string, options: SourceOptions) {
    this.#options = options
    this.#folder = folder
    this.mapping = join(folder, "mapping.yaml")
    this.#configuration = join(folder, "config.yaml")
    writeConfiguration({
      ...{ file: this.#configuration, port: 0, adminPort: 0, mapping: this.mapping, secret },
      databaseUrl: `${options.server.url}/chaos`,
    })
    const own = `mysql://${reader}:reader@127.0.0.1:${options.server.port}`
    for (const [name, url] of Object.entries({ url: own, owner: options.server.url })) {
      writeFileSync(join(folder, name), `${url}/source`, { mode: 0o600 })
    }
  }

  /** Lets the mapping select an organization of the service: partners may read what belongs to it. */
  #nameOrganization(id: string): void {
    const organization = `select '${id}' as id, 'acme' as slug, 'Acme' as name`
    const event = selects.event?.replace("charity_id", `'${id}'`) ?? ""
    this.#selects = { ...selects, organization, event }
    this.writeMapping()
  }

  /** Takes the source over for the first time, and lets the writer and the partners begin. */
  async open(scene: Scene): Promise<void> {
    await this.command("run")
    const get = scene.client.getFor(scene.cookies["acme-export"] ?? "")
    const { signal } = new AbortController()
    this.#partners = galas.map((gala) => {
      const reader = new FeedReader(get, `/acme/v1/events/${idOf("event", String(gala))}`)
      const random = this.#options.random.fork()
      return { reader, poller: new Poller(reader, { pause: [300, 900], random, signal }) }
    })
    await this.resume()
  }

  /** Writes the mapping. With `condition`, all attendees fulfil it, and the mapping is another one. */
  writeMapping(condition = ""): void {
    const { timeZone: time_zone, money, keys } = mappingOf("", {}, "")
    const of = Object.fromEntries([...keys].map(([kind, all]) => [
      kind,
      Object.fromEntries(all.map(({ table, column, of }) => [table, of ? { column, of } : column])),
    ]))
    const select = { ...this.#selects, guest: `${this.#selects["guest"]} ${condition}` }
    const source = { url: { file: "url" }, time_zone, money, every: 5 }
    writeFileSync(this.mapping, stringify({ source, select, keys: of }))
  }

  /** Runs a command of `connect` until it works. Returns what it prints. */
  async command(args: string): Promise<string> {
    for (let left = 600;; left--) {
      const words = ["-c", this.#configuration, "connect", ...args.split(" ")]
      const { code, out, err } = await runCommand(words)
      if (code === 0) return out
      if (left === 0) throw new Error(`connect ${args} does not work: ${err}`)
      await sleep(200)
    }
  }

  /** Makes the triggers of the mapping, or takes them away. */
  async tell(isTold: boolean): Promise<void> {
    if (!isTold) this.isTold = false
    await this.command(`${isTold ? "apply" : "undo"} --as ${join(this.#folder, "owner")}`)
    // What has changed before, no trigger has told.
    if (isTold) await this.command("run")
    this.isTold = isTold
  }

  /** Runs statements in the source. @throws as the server does. */
  async run(...statements: readonly string[]): Promise<mysql.RowDataPacket[]> {
    return await this.#options.server.run("use source", ...statements)
  }

  /** Lets the writer and the partners go on. */
  async resume(): Promise<void> {
    this.#isPaused = false
    this.#running = this.#write()
    await Promise.all(this.#partners.map(({ poller }) => poller.start()))
  }

  /** Pauses the writer, after the change that is running, and the partners. */
  async pause(): Promise<void> {
    this.#isPaused = true
    await this.#running
    await Promise.all(this.#partners.map(({ poller }) => poller.stop()))
  }

  async #write(): Promise<void> {
    const { random } = this.#options
    while (!this.#isPaused) {
      await this.change(random, random.below(8) === 0 ? random.between(500, 4000) : 0).catch(
        () => {},
      )
      await sleep(random.between(50, 300))
    }
  }

  /** Makes a change, or several that are committed after some milliseconds. @throws as the server does. */
  async change(random: Random, late = 0): Promise<void> {
    await this.#options.server.connected(async (connection) => {
      await connection.query("use source")
      await connection.query("set innodb_lock_wait_timeout = 1, lock_wait_timeout = 1")
      await connection.query("begin")
      for (let left = late > 0 ? 3 : 1; left > 0; left--) {
        const statements = random.pick(changes)(random, ++this.commits)
        for (const statement of statements) await connection.query(statement)
        await sleep(late / 3)
      }
      await connection.query("commit")
    })
  }

  /** Waits until the services have all that was committed. Reports what they have lost. */
  async settle(): Promise<void> {
    await this.pause()
    const { observations } = this.#options
    // What partners have of a refused row is what it was once.
    await this.run("update person set mail = '' where mail = 'x'")
    if (this.isTold) {
      // A key leaves the queue when its records are written.
      for (
        let left = 600;
        (await this.run("select 1 from event_export_change")).length > 0;
        left--
      ) {
        if (left === 0) return observations.violate("keys wait in the source for two minutes")
        await sleep(200)
      }
    }
    const isKnown = this.isTold && !this.hasUntold
    await this.command("run")
    this.hasUntold = false
    const state = JSON.parse(await this.command("status --json"))
    if (isKnown && (state.changed > 0 || state.removed > 0)) {
      observations.violate("a change was lost that a trigger has told")
    }
  }

  /** Lets partners poll once more, and compares their copies with what the SELECT returns. */
  async check(): Promise<void> {
    const { observations, server } = this.#options
    await Promise.all(this.#partners.map(({ poller }) => poller.pollOnce()))
    for (const [index, { reader: { copy } }] of this.#partners.entries()) {
      const rows = await this.run(
        `select * from (${selects.guest}) g where event = ${galas[index]}`,
      )
      for (const text of guestDifferences(copy, rows)) observations.violate(text)
    }
    const ids = Array.from({ length: lasting }, (_, index) => `'${idOf("guest", `${index + 1}`)}'`)
    const [{ count }] = await server.run(
      `select count(*) as count from chaos.deletion where record_id in (${ids.join(", ")})`,
    ) as [{ readonly count: number }]
    if (count > 0) observations.violate("a guest was deleted whom the source has all the time")
    const [event] = await server.run(
      `select starts from chaos.event where id = '${idOf("event", "1")}'`,
    )
    // Half past six in London, in summer.
    if (event?.["starts"] !== Date.UTC(2026, 9, 24, 17, 30) / 1000) {
      observations.violate("an event of the source begins at another time")
    }
  }
}
