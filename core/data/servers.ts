import type { ServerState } from "./mysql/server-state.ts"

/** One of the servers of a database. `Database.at` reads it. */
export interface Server {
  /** Its host and port. */
  readonly name: string
  /** False if it never becomes the primary. */
  readonly mayBePrimary: boolean
  /** What it has said about itself last; undefined while it does not answer. */
  readonly state: ServerState | undefined
  /** Why it does not answer; undefined while it does. */
  readonly problem: string | undefined
  /** When it was asked that, on the clock of `performance.now()`. */
  readonly seenAt: number
}

/** The servers of a database, as they are now. */
export interface Servers {
  readonly all: readonly [Server, ...Server[]]
  /** The one that is written to; undefined while there is none. */
  readonly primary: Server | undefined
  /** Calls `listener` whenever the primary has changed. Returns what stops that. */
  onPrimary(
    listener: (to: Server | undefined, from: Server | undefined) => void,
  ): () => void
  /**
   * Asks all servers now, for eight seconds at most, whether one is the primary. Returns true if none can have taken its place
   * before: more than half of its group agree, or without a group, all others that may be the primary are read-only. What a
   * server says of itself alone is no proof, as it may have been paused. Never rejects.
   */
  confirm(server: Server): Promise<boolean>
  /**
   * True if a server is one of more than half of a group that say that nothing can be committed in it now: they know no
   * primary, or one that is read-only, because it still applies what it has received.
   */
  isStranded(server: Server): boolean
  /** Looks at all servers now; takes eight seconds at most. Never rejects. */
  refresh(): Promise<void>
}
