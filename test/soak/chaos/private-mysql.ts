import { rmSync } from "node:fs"
import { rm } from "node:fs/promises"
import type mysql from "mysql2/promise"
import { atExit } from "../../support/at-exit.ts"
import { durableFlags } from "../../support/mysql/flags.ts"
import type { Program } from "../../support/mysql/programs.ts"
import {
  createServerFiles,
  killServer,
  type Server,
  type ServerFiles,
  startServer,
} from "../../support/mysql/server-files.ts"
import { connectedTo, runAll } from "../../support/mysql/statements.ts"
import { findStablePort } from "../../support/stable-port.ts"

/** Connections that accounts other than root may have at the same time. */
export const mostConnections = 80

/**
 * A MySQL server that nobody else uses, so that a test may kill it, freeze it and fill its disk. It
 * loses no commit when it is killed.
 */
export class PrivateMysql {
  readonly #files: ServerFiles
  readonly #megabytes: number
  readonly #signal: AbortSignal
  readonly #disarm: () => void
  #server: Server | undefined

  /** Starts a server whose data may have so many megabytes. */
  static async start(
    program: Program,
    { megabytes, signal }: { readonly megabytes: number; readonly signal: AbortSignal },
  ): Promise<PrivateMysql> {
    const files = await createServerFiles(program, { port: await findStablePort(), signal })
    const server = new PrivateMysql(files, { megabytes, signal })
    try {
      await server.start()
      return server
    } catch (error) {
      await server.remove()
      throw error
    }
  }

  private constructor(
    files: ServerFiles,
    { megabytes, signal }: { readonly megabytes: number; readonly signal: AbortSignal },
  ) {
    this.#files = files
    this.#megabytes = megabytes
    this.#signal = signal
    this.#disarm = atExit(() => {
      this.#server?.process.kill("SIGKILL")
      rmSync(files.folder, { recursive: true, force: true })
    })
  }

  /** Names root, and no database. */
  get url(): string {
    return this.#files.url
  }

  get port(): number {
    return this.#files.port
  }

  get version(): string {
    return this.#server?.version ?? "not running"
  }

  /** Starts the server, again or for the first time. Resolves when it accepts connections. */
  async start(): Promise<void> {
    const flags = [
      ...durableFlags(this.#files.program.kind),
      `--max-connections=${mostConnections}`,
      // All tables share one file of limited size. When it is full, writes fail as on a full disk.
      "--innodb-file-per-table=OFF",
      "--innodb-autoextend-increment=8",
      `--innodb-data-file-path=ibdata1:12M:autoextend:max:${this.#megabytes}M`,
    ]
    this.#server = await startServer(this.#files, { flags, signal: this.#signal })
  }

  /** Ends the server at once, as a crash does. */
  async kill(): Promise<void> {
    if (this.#server) await killServer(this.#server.process)
  }

  /** True if the server does not run: if it was killed, or has ended by itself. */
  get hasEnded(): boolean {
    const { exitCode, signalCode } = this.#server?.process ?? {}
    return exitCode !== null || signalCode !== null
  }

  /** Stops the server from running at all, until `thaw`. Connections stay open. */
  freeze(): void {
    this.#server?.process.kill("SIGSTOP")
  }

  thaw(): void {
    this.#server?.process.kill("SIGCONT")
  }

  /** Runs statements as root, on a connection of its own. Returns the rows of the last one. */
  async run(...statements: readonly string[]): Promise<mysql.RowDataPacket[]> {
    return await this.connected((connection) => runAll(connection, statements))
  }

  /** Runs `work` on a connection of root, and closes it. */
  async connected<T>(work: (connection: mysql.Connection) => Promise<T>): Promise<T> {
    return await connectedTo(this.url, work)
  }

  /** Ends the server, and removes its data. */
  async remove(): Promise<void> {
    await this.kill()
    await rm(this.#files.folder, { recursive: true, force: true })
    this.#disarm()
  }
}
