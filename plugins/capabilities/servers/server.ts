import type { Socket } from "node:net"
import { performance } from "node:perf_hooks"
import { type Kysely, sql } from "kysely"
import type { UserError } from "../../../core/capability.ts"
import type { Schema } from "../../../core/tables.ts"
import {
  connect,
  connectTo,
  describeDenial,
  patientPool,
  poolsOf,
  type Target,
} from "../../databases/mysql/parts.ts"
import { readServerState, type ServerState } from "./server-state.ts"

/** The most milliseconds that a server may take to answer. */
const patience = 2000

/** One of several MySQL servers, with all connections to it. */
export class Server {
  /** Its host and port. */
  readonly name: string
  /** False if it never becomes the primary. */
  readonly mayBePrimary: boolean
  /** How to connect. */
  readonly options: Target["options"]
  readonly #sockets = new Set<Socket>()
  /** Two connections, since a server may answer while the query for its state waits. */
  readonly #probe: Kysely<Schema>
  #reading: Promise<Reading> | undefined
  #read: Reading | undefined
  #error: unknown

  constructor({ name, mayBePrimary, options }: Target) {
    this.name = name
    this.mayBePrimary = mayBePrimary
    this.options = { ...options, stream: () => this.#connect() }
    const createPool = poolsOf({ ...this.options, stream: () => this.#connect().unref() })
    this.#probe = connect(patientPool(createPool(2)), [])
  }

  /** Its last known state; undefined while it does not answer. */
  get state(): ServerState | undefined {
    return this.#error === undefined ? this.#read?.state : undefined
  }

  /** When it was asked for that state, by `performance.now()`. */
  get seenAt(): number {
    return this.#read?.begun ?? -Infinity
  }

  /** Why it does not answer; undefined while it does. */
  get problem(): string | undefined {
    if (this.#error === undefined) return undefined
    return this.#error instanceof Error ? this.#error.message : String(this.#error)
  }

  /** Why it is not the primary, to follow its name in a sentence; undefined if it may be. */
  get obstacle(): string | undefined {
    const { state, problem } = this
    if (!state) return `does not answer (${problem ?? "it was not asked yet"})`
    const { isWritable, isReadOnly, group, sources, filters } = state
    if (this.hasManyPrimaries) {
      return "belongs to a group with several primaries, which cannot see each other's open changes: switch it to a " +
        "single one by select group_replication_switch_to_single_primary_mode()"
    }
    if (group?.members === 0) {
      return `belongs to a group that the user may not see ("event-export grants" prints what it needs)`
    }
    if (group && !group.isSinglePrimary) {
      return "belongs to a group with several primaries; each commits before it knows the changes of the " +
        "others: run select group_replication_switch_to_single_primary_mode()"
    }
    if (isReadOnly) return "is read-only"
    if (!isWritable) return "is not the primary of its group"
    // With a filter, it may be for other databases.
    return sources.some(({ name, isRunning }) =>
        isRunning && !filters.some(({ channel }) => channel === name)
      )
      ? "is not read-only, but replicates from another server: stop that, or set super_read_only"
      : undefined
  }

  get hasManyPrimaries(): boolean {
    return this.state?.group?.isSinglePrimary === false
  }

  /** Undefined unless the server refuses the user. */
  get denial(): UserError | undefined {
    return describeDenial(this.#error)
  }

  /**
   * Reads the server's state. If it does not answer, breaks all connections to it, so that nothing waits in vain. Never
   * rejects.
   */
  async look(): Promise<void> {
    const begun = performance.now()
    const answering = this.#answer().catch(() => this.#answer())
    try {
      await within(patience, answering, this.name)
    } catch (error) {
      this.#error = error
      if (error instanceof Silence) this.#cut(error)
      return
    }
    try {
      this.#reading ??= this.#readState(begun)
      const left = Math.max(0, patience + begun - performance.now())
      this.#read = await within(left, this.#reading, this.name)
      this.#error = undefined
    } catch (error) {
      this.#error = error
    }
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await within(patience, this.#probe.destroy(), this.name).catch(() => {})
    this.#cut(new Silence(`The connections to ${this.name} are closed.`))
  }

  async #answer(): Promise<void> {
    await sql`select 1`.execute(this.#probe)
  }

  /** A statement may wait for a replication change for any length of time. */
  async #readState(begun: number): Promise<Reading> {
    try {
      return { begun, state: await readServerState(this.#probe) }
    } finally {
      this.#reading = undefined
    }
  }

  #connect(): Socket {
    const socket = connectTo(this.options)
    this.#sockets.add(socket)
    socket.on("error", () => {}).once("close", () => this.#sockets.delete(socket))
    return socket
  }

  #cut(reason: Silence): void {
    for (const socket of this.#sockets) socket.destroy(reason)
  }
}

interface Reading {
  readonly state: ServerState
  readonly begun: number
}

/** The server has been silent for too long. */
class Silence extends Error {
  readonly code = "ETIMEDOUT"
}

/** Waits for half the time twice: if this process itself was busy, the answer may have arrived in between. */
async function within<T>(milliseconds: number, working: Promise<T>, name: string): Promise<T> {
  const { promise: passed, reject } = Promise.withResolvers<never>()
  let timer = setTimeout(() => {
    timer = setTimeout(
      () => reject(new Silence(`${name} has not answered for ${patience} ms.`)),
      milliseconds / 2,
    )
  }, milliseconds / 2)
  try {
    return await Promise.race([working, passed])
  } finally {
    clearTimeout(timer)
  }
}
