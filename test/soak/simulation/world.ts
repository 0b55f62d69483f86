import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Database } from "../../../core/data/database.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { openDatabase } from "../../../core/data/open.ts"
import { createLog, type Log } from "../../../core/log.ts"
import { secret } from "../../support/app.ts"
import { atExit } from "../../support/at-exit.ts"
import { Builder } from "../../support/builder.ts"
import { Random } from "../../support/random.ts"
import { findPersonal } from "../../support/scanned-log.ts"
import { allStorages } from "../../support/storages.ts"
import { Access } from "./access.ts"
import { Client, type ClientSettings } from "./client.ts"
import { Configuration, type Version } from "./configuration.ts"
import type { Exchange, Sent } from "./exchange.ts"
import { Faults } from "./faults.ts"
import { type ClientOptions, SimulatedService } from "./service.ts"
import { Violation } from "./simulation.ts"
import { Story } from "./story.ts"
import { Tables } from "./tables.ts"
import type { Machine } from "./virtual/machine.ts"

/** The accounts of every world. Their password is that of the builders. */
export const accounts = {
  "acme-export": { role: "service", grants: ["acme"], family: "/acme/v1" },
  "borealis-export": { role: "service", grants: ["borealis"], family: "/borealis/v1" },
  "partner-a": { role: "partner", grants: ["acme"], family: "/connector-a/v1" },
  "partner-b": { role: "partner", grants: ["acme", "borealis"], family: "/connector-b/v1" },
  "partner-c": { role: "partner", grants: ["borealis"], family: "/connector-b/v1" },
  operator: { role: "operator", grants: [], family: "/connector-b/v1" },
} as const

export type AccountName = keyof typeof accounts

/** The organizations of every world, with the numbers of their events. */
const organizations = { acme: 2, borealis: 2 } as const

const databaseOptions = { connections: 1, timeLimit: 10, storages: allStorages }

/** An empty database with all tables, which each world copies. */
const template = join(mkdtempSync(join(tmpdir(), "event-export-")), "template.db")

/** Makes the empty database of this process. */
export async function makeTemplate({ time }: Machine): Promise<void> {
  atExit(() => rmSync(dirname(template), { recursive: true, force: true }))
  const make = async () => {
    const database = await openDatabase(`sqlite:${template}`, databaseOptions)
    await migrate(database)
    await database.close()
  }
  await time.play(make())
}

/** A line that a service has logged. */
export interface LogLine extends Readonly<Record<string, unknown>> {
  readonly service: string
  /** As pino counts: 50 is an error. */
  readonly level: number
  readonly msg: string
}

/** One simulated world: the database and its platform, services, and all who use them. */
export class World {
  readonly machine: Machine
  readonly folder: string
  readonly story: Story
  readonly faults: Faults
  readonly tables: Tables
  /** Who may read what, and could. */
  readonly access: Access
  readonly configuration: Configuration
  readonly services: readonly SimulatedService[]
  /** How many copies of partners were compared with the tables. */
  compared = 0
  /** What is wrong; undefined if nothing is. */
  failure: Error | undefined
  readonly #observers: ((exchange: Exchange) => void)[] = []
  readonly #requestObservers: ((sent: Sent) => void)[] = []
  readonly #logObservers: ((line: LogLine) => void)[] = []
  #database: Database | undefined
  #build: Builder | undefined
  /** The ids of the organizations, by their slugs. */
  readonly organizations = new Map<string, string>()
  /** The ids of the events, by the slug of their organization. */
  readonly events = new Map<string, readonly string[]>()

  constructor(
    machine: Machine,
    { folder, seed }: { readonly folder: string; readonly seed: number },
  ) {
    this.machine = machine
    this.folder = folder
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    this.story = new Story(() => machine.time.steady)
    this.faults = new Faults(this, new Random(seed).fork())
    this.tables = new Tables(join(folder, "export.db"))
    this.access = new Access(machine.time, this.tables)
    machine.statements.onEffect = (statement) => {
      this.tables.follow(statement)
      this.access.follow(statement)
    }
    this.configuration = new Configuration(join(folder, "event-export.yaml"))
    this.services = ["export-1", "export-2"].map((name) =>
      new SimulatedService(machine, {
        name,
        config: this.configuration.file,
        environment: { DATABASE_URL: this.url, SESSION_SECRET: secret, PORT: "0" },
        log: this.#log(name),
      })
    )
  }

  get url(): string {
    return `sqlite:${join(this.folder, "export.db")}`
  }

  /** The platform's own connection to the database: what it writes are faults of nobody. */
  get database(): Database {
    if (!this.#database) throw new Error("the world is not prepared")
    return this.#database
  }

  get build(): Builder {
    if (!this.#build) throw new Error("the world is not prepared")
    return this.#build
  }

  get time() {
    return this.machine.time
  }

  /** Creates the database, its tables, organizations, events and accounts. */
  async prepare(): Promise<void> {
    copyFileSync(template, join(this.folder, "export.db"))
    this.#database = await openDatabase(this.url, databaseOptions)
    const epoch = Math.floor(Math.random() * 2 ** 31)
    await this.#database.writer.updateTable("change_state").set({ epoch }).execute()
    this.#build = new Builder(this.#database, { isAlone: true })
    for (const [slug, count] of Object.entries(organizations)) {
      const id = await this.build.organization(slug)
      this.organizations.set(slug, id)
      const events: string[] = []
      for (let index = 0; index < count; index++) {
        events.push(await this.build.event(id, { name: `Gala ${index + 1} of ${slug}` }))
      }
      this.events.set(slug, events)
    }
    for (const [name, { role, grants }] of Object.entries(accounts)) {
      await this.build.account(name, role)
      for (const organization of grants) await this.build.grant(name, { organization })
    }
    this.access.refresh()
  }

  /** Closes the platform's connection, and removes the files. All services must be stopped. */
  async close(): Promise<void> {
    this.tables.close()
    await this.#database?.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Says that something is wrong, from where nobody would catch it. The first one counts. */
  fail(error: Error): void {
    this.failure ??= error
  }

  /** Calls `observe` with every exchange from now on. */
  onExchange(observe: (exchange: Exchange) => void): void {
    this.#observers.push(observe)
  }

  /** Calls `observe` with every request from now on, also with those that never get a response. */
  onRequest(observe: (sent: Sent) => void): void {
    this.#requestObservers.push(observe)
  }

  /** Calls `observe` with every line that a service logs from now on. */
  onLog(observe: (line: LogLine) => void): void {
    this.#logObservers.push(observe)
  }

  /** Makes a client of an account. */
  client(account: AccountName, settings: Partial<ClientSettings> = {}): Client {
    return new Client(this, { account, ...settings })
  }

  /** The events that an account was granted when the world began. */
  eventsOf(account: AccountName): readonly string[] {
    return accounts[account].grants.flatMap((slug) => this.events.get(slug) ?? [])
  }

  /** True if nothing fails now, though services may be dead. */
  get isCalm(): boolean {
    return !this.faults.any && !this.time.isBlocked
  }

  /** True if nothing fails now, and all services answer. */
  get isQuiet(): boolean {
    return this.isCalm && this.services.every(({ isUp }) => isUp)
  }

  /** The services that answer. */
  get running(): readonly SimulatedService[] {
    return this.services.filter(({ isUp }) => isUp)
  }

  /** What they have in force. */
  get inForce(): readonly Version[] {
    return this.running.flatMap(({ service }) =>
      this.configuration.version(service.instance.config.hash) ?? []
    )
  }

  /**
   * Sends a request to the first service that runs, or to the one that `options` name: the balancer in front of them.
   * @throws {TypeError} as `fetch` does, if none runs or the connection breaks.
   */
  async fetch(
    request: Request,
    { client, account = client, service, ...options }: ClientOptions & {
      /** Who asks, for the exchange. */
      readonly client: string
      /** Whose program that is; of the account with its name by default. */
      readonly account?: string
      readonly service?: SimulatedService | undefined
    },
  ): Promise<Response> {
    const chosen = service ?? this.running[0] ?? this.services[0] as SimulatedService
    const began = this.time.steady
    const { pathname, search } = new URL(request.url)
    if (!chosen.isUp) return await chosen.fetch(request, options)
    const known: Sent = {
      service: chosen.name,
      life: chosen.lives,
      instance: chosen.service.instance,
      client,
      account,
      accountId: this.access.account(account)?.id,
      address: options.address ?? "127.0.0.1",
      config: chosen.service.instance.config.hash,
      method: request.method,
      path: pathname + search,
      requestHeaders: request.headers,
      began,
    }
    for (const observe of this.#requestObservers) observe(known)
    const parts: { response?: Response; body?: Uint8Array; isWhole?: boolean } = {}
    // The body may end before there is a response.
    const tell = () => {
      const { response, body, isWhole = false } = parts
      if (!response || !body) return
      const { status, headers } = response
      const exchange = { ...known, status, headers, body, isWhole, ended: this.time.steady }
      for (const observe of this.#observers) observe(exchange)
    }
    const onEnd = (body: Uint8Array, isWhole: boolean) => {
      Object.assign(parts, { body, isWhole })
      tell()
    }
    const response = await chosen.fetch(request, { ...options, onEnd })
    parts.response = response
    tell()
    return response
  }

  #log(name: string): Log {
    const observers = this.#logObservers
    const fail = (error: Error) => this.fail(error)
    return createLog("info", {
      write(line) {
        const leak = findPersonal(line)
        if (leak !== undefined) fail(new Violation(`${name} logged something personal: ${leak}`))
        const entry: LogLine = { service: name, ...JSON.parse(line) }
        for (const observe of observers) observe(entry)
      },
    })
  }
}
