import { rmSync } from "node:fs"
import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type mysql from "mysql2/promise"
import { atExit } from "../../../support/at-exit.ts"
import {
  killServer,
  type Server,
  type ServerFiles,
  startServer,
} from "../../../support/mysql/server-files.ts"
import { connectedTo, runAll } from "../../../support/mysql/statements.ts"
import { Relay } from "../../../support/relay.ts"
import { findStablePort } from "../../../support/stable-port.ts"
import { blankFiles, type ClusterOptions, commonFlags, type Passwords } from "./node-files.ts"

let nextId = 1

/** Milliseconds within which a server that runs answers a question of the harness. */
const patience = 3000

/** One server of a cluster on 127.0.0.1, which a test may kill, pause, cut off and start again. It survives a kill. */
export class ClusterNode {
  readonly port: number
  /** Where services and clients should connect to it: each can be cut or frozen. */
  readonly relays: readonly Relay[]
  /** True between `pause` and `resume`. */
  isPaused = false
  readonly #disarm: () => void
  readonly #options: ClusterOptions
  readonly #passwords: Passwords
  #files: ServerFiles
  #server: Server | undefined
  #uuid = ""
  #id = nextId++

  /** Creates the server's files, and does not start it yet. */
  static async create(options: ClusterOptions, passwords: Passwords): Promise<ClusterNode> {
    const port = await findStablePort()
    const files = await blankFiles(options, { port, passwords })
    const relays = [await Relay.open(files.url)]
    while (relays.length < (options.ways ?? 1)) relays.push(await Relay.open(files.url))
    return new ClusterNode(options, { files, passwords, relays })
  }

  private constructor(
    options: ClusterOptions,
    { files, passwords, relays }: {
      readonly files: ServerFiles
      readonly passwords: Passwords
      readonly relays: readonly Relay[]
    },
  ) {
    this.#options = options
    this.#passwords = passwords
    this.#files = files
    this.port = files.port
    this.relays = relays
    this.#disarm = atExit(() => {
      this.#server?.process.kill("SIGKILL")
      rmSync(this.#files.folder, { recursive: true, force: true })
    })
  }

  /** The only relay to it, or the first. */
  get relay(): Relay {
    return this.relays[0] as Relay
  }

  /** `127.0.0.1:port`, by way of each relay: what the service there calls it. */
  get names(): readonly string[] {
    return this.relays.map(({ url }) => new URL(url).host)
  }

  /** The only one of its names, or the first. */
  get name(): string {
    return new URL(this.relay.url).host
  }

  /** The address of the server itself, which nothing disturbs. */
  get address(): string {
    return new URL(this.#files.url).host
  }

  /** Root's URL, without the relay. */
  url(database = ""): string {
    return `mysql://root:${this.#passwords.root}@${this.address}/${database}`
  }

  get pid(): number | undefined {
    return this.#server?.process.pid
  }

  get uuid(): string {
    return this.#uuid
  }

  get isRunning(): boolean {
    const { exitCode, signalCode } = this.#server?.process ?? { exitCode: 0 }
    return exitCode === null && signalCode === null
  }

  /** True if statements have an answer: it runs, and is not paused. */
  get answers(): boolean {
    return this.isRunning && !this.isPaused
  }

  /** Starts the server. Resolves when it accepts connections. */
  async start(flags: readonly string[]): Promise<void> {
    const isFirst = this.#uuid === ""
    const own = [...commonFlags(this.#files), `--server-id=${this.#id}`, ...flags]
    this.#server = await startServer(this.#files, { flags: own, signal: this.#options.signal })
    // The accounts exist from now on, and a member of a cluster must not write them again.
    if (isFirst) await writeFile(join(this.#files.folder, "accounts.sql"), "")
    const [row] = await this.run("select @@server_uuid as uuid")
    this.#uuid = row?.["uuid"]
  }

  /** Ends the server at once, as a crash does. */
  async kill(): Promise<void> {
    if (this.#server) await killServer(this.#server.process)
    this.isPaused = false
  }

  /** Stops the server from running at all, until `resume`. Connections stay open. */
  pause(): void {
    this.isPaused = this.#server?.process.kill("SIGSTOP") ?? false
  }

  resume(): void {
    this.#server?.process.kill("SIGCONT")
    this.isPaused = false
  }

  /** Forgets all data of a server that does not run, which then starts as a new one. */
  async forget(): Promise<void> {
    await rm(this.#files.folder, { recursive: true, force: true })
    const { port } = this
    this.#files = await blankFiles(this.#options, { port, passwords: this.#passwords })
    this.#uuid = ""
    // With the number of before, it would take transactions of its former life for its own, and leave them out.
    this.#id = nextId++
  }

  /** Runs statements as root, on a connection of its own. Returns the rows of the last one. */
  async run(...statements: readonly string[]): Promise<mysql.RowDataPacket[]> {
    return await this.connected((connection) => runAll(connection, statements))
  }

  /** Runs `work` on a connection of root, and closes it. */
  async connected<T>(work: (connection: mysql.Connection) => Promise<T>): Promise<T> {
    return await connectedTo(this.url(), work)
  }

  /** Returns the rows of a question; none if the server does not answer. */
  async ask(question: string): Promise<mysql.RowDataPacket[]> {
    if (!this.answers) return []
    const asking = connectedTo(
      this.url(),
      async (connection) => {
        const [rows] = await connection.query({ sql: question, timeout: patience })
        return rows as mysql.RowDataPacket[]
      },
      patience,
    )
    return await asking.catch(() => [])
  }

  /** Returns the last errors in its log. */
  async errors(): Promise<string> {
    const log = await readFile(join(this.#files.folder, "log"), "utf8")
    const lines = log.split("\n").filter((line) => line.includes("[ERROR]"))
    return [this.address, ...lines.slice(-5)].join("\n  ")
  }

  /** Ends the server, and removes its data. */
  async remove(): Promise<void> {
    for (const relay of this.relays) relay.goAway()
    await this.kill()
    await rm(this.#files.folder, { recursive: true, force: true })
    this.#disarm()
  }
}

/** Returns a URL with the hosts of several servers, by one of the ways to each (the first). */
export function urlOf(
  nodes: readonly ClusterNode[],
  { database = "", user, password, way = 0 }: {
    readonly database?: string
    readonly user: string
    readonly password: string
    readonly way?: number
  },
): string {
  const hosts = nodes.map(({ names }) => names[way]).join(",")
  return `mysql://${user}:${encodeURIComponent(password)}@${hosts}/${database}`
}
