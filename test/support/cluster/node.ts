import { randomBytes } from "node:crypto"
import { rmSync } from "node:fs"
import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type mysql from "mysql2/promise"
import { atExit } from "../at-exit.ts"
import { durableFlags } from "../mysql/flags.ts"
import type { Program } from "../mysql/programs.ts"
import {
  createServerFiles,
  killServer,
  type Server,
  type ServerFiles,
  startServer,
} from "../mysql/server-files.ts"
import { connectedTo, runAll } from "../mysql/statements.ts"
import { Relay } from "../relay.ts"
import { findStablePort } from "../stable-port.ts"

/** What the servers of a cluster have in common. */
export interface ClusterOptions {
  readonly program: Program
  readonly signal: AbortSignal
}

/** Passwords of root, who may connect from 127.0.0.1, and of `repl`, who replicates. The same on all servers. */
export interface Passwords {
  readonly root: string
  readonly repl: string
}

/** Makes passwords up. */
export function makePasswords(): Passwords {
  const password = () => randomBytes(16).toString("hex")
  return { root: password(), repl: password() }
}

let nextId = 1

/** Milliseconds within which a server that runs answers a question of the harness. */
const patience = 3000

/** One server of a cluster on 127.0.0.1, which a test may kill, pause, cut off and start again. It survives a kill. */
export class ClusterNode {
  readonly port: number
  /** Where services and clients should connect to it: it can be cut or frozen. */
  readonly relay: Relay
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
    const url = `mysql://root:${passwords.root}@127.0.0.1:${port}`
    return new ClusterNode(options, { files, passwords, relay: await Relay.open(url) })
  }

  private constructor(
    options: ClusterOptions,
    { files, passwords, relay }: {
      readonly files: ServerFiles
      readonly passwords: Passwords
      readonly relay: Relay
    },
  ) {
    this.#options = options
    this.#passwords = passwords
    this.#files = files
    this.port = files.port
    this.relay = relay
    this.#disarm = atExit(() => {
      this.#server?.process.kill("SIGKILL")
      rmSync(this.#files.folder, { recursive: true, force: true })
    })
  }

  /** `127.0.0.1:port`, by way of the relay: what a service calls it. */
  get name(): string {
    return new URL(this.relay.url).host
  }

  /** The address of the server itself, which nothing disturbs. */
  get address(): string {
    return `127.0.0.1:${this.port}`
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
    const own = [...commonFlags(this.port), `--server-id=${this.#id}`, ...flags]
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
    this.#files = await blankFiles(this.#options, { port: this.port, passwords: this.#passwords })
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
    this.relay.goAway()
    await this.kill()
    await rm(this.#files.folder, { recursive: true, force: true })
    this.#disarm()
  }
}

/** Returns a URL with the hosts of several servers, by way of their relays. */
export function urlOf(
  nodes: readonly ClusterNode[],
  { database = "", user, password }: {
    readonly database?: string
    readonly user: string
    readonly password: string
  },
): string {
  const hosts = nodes.map(({ name }) => name).join(",")
  return `mysql://${user}:${encodeURIComponent(password)}@${hosts}/${database}`
}

async function blankFiles(
  { program, signal }: ClusterOptions,
  { port, passwords }: { readonly port: number; readonly passwords: Passwords },
): Promise<ServerFiles> {
  const files = await createServerFiles(program, { port, signal })
  // Each server gets a name of its own.
  await rm(join(files.folder, "data", "auto.cnf"), { force: true })
  const accounts = join(files.folder, "accounts.sql")
  await writeFile(accounts, accountStatements(passwords), { mode: 0o600 })
  return { ...files, url: `mysql://root:${passwords.root}@127.0.0.1:${port}` }
}

/** Accounts are no transactions: each server makes its own. */
function accountStatements({ root, repl }: Passwords): string {
  const rights = "replication slave, replication_applier, connection_admin, backup_admin"
  return [
    "set sql_log_bin = 0;",
    `create user root@'127.0.0.1' identified by '${root}';`,
    "grant all on *.* to root@'127.0.0.1' with grant option;",
    `alter user root@localhost identified by '${root}';`,
    `create user repl@'127.0.0.1' identified by '${repl}';`,
    `grant ${rights}, group_replication_stream on *.* to repl@'127.0.0.1';`,
    "",
  ].join("\n")
}

function commonFlags(port: number): string[] {
  return [
    ...durableFlags("mysql"),
    "--innodb-redo-log-capacity=16M",
    // It says how a server replicates; the rest costs time.
    "--performance-schema=ON",
    "--performance-schema-instrument=%=OFF",
    "--report-host=127.0.0.1",
    `--report-port=${port}`,
    "--gtid-mode=ON",
    "--enforce-gtid-consistency=ON",
    "--log-bin-trust-function-creators=ON",
    // Without it, `replace` leaves rows of other tables at the primary of MySQL 9.7 that replicas delete.
    "--loose-innodb-native-foreign-keys=ON",
  ]
}
