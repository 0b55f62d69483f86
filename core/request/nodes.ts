import type { Admission } from "../access/admission.ts"
import type { ChangeLog } from "../change-log/change-log.ts"
import type { Database } from "../data/database.ts"
import type { NodeStatus } from "../routes/contract.ts"

/** A database server that requests are read from. What it is like changes. */
export interface Node {
  /** Its host and port; empty if it is the only one. */
  readonly name: string
  readonly database: Database
  readonly changes: ChangeLog
  /** True while it is the one that is written to. */
  readonly isPrimary: boolean
  /** Returns true if an error is one of this server, so that the same request may succeed at another. */
  canAnotherTry(error: unknown): boolean
}

/** What a request needs of the node that it is read from. */
export interface ReadPreference {
  /** Whether only the primary will do, is asked first, or is spared. */
  readonly primary?: "only" | "first" | "spared"
  /** True if an answer may be of any age, from any server, as nothing else can tell operators what is wrong. */
  readonly isAnyAge?: boolean
  /** False to fail at the first attempt. */
  readonly isPatient?: boolean
  /** Asked before all others, if possible. */
  readonly preferred?: Node | undefined
  /** The client has gone. */
  readonly signal?: AbortSignal | undefined
  /** Called when it begins again, at another node or at the same. */
  readonly onRetry?: () => void
}

/**
 * The servers that requests are read from: each request from one, because rights and records belong to one snapshot.
 */
export interface Nodes {
  /** True if there are several, so that each snapshot has to say how current it is. */
  readonly areMany: boolean
  /** How the log is followed on the primary, or while there is none, on the last one. */
  readonly changes: ChangeLog
  /** The primary, or while there is none, the server that answers and is the least behind. */
  readonly best: Node
  /** True if the primary takes writes, and this process cannot reach it. */
  readonly isCutOff: boolean
  /** Describes the servers, in the order of the configuration; undefined if there is only one. */
  readonly status: readonly NodeStatus[] | undefined
  /** The node that a request reads from next, if it does not matter which; undefined if there is none. */
  next(): Node | undefined
  /** Returns true if requests are read from a server now. */
  isInUse(node: Node): boolean
  /** Seconds since the latest commit that all servers in use have: 0 if only the primary is in use. */
  readonly delay: number
  /** Resolves if a server is fit to answer polls. @throws if none is. */
  assertAnyFit(): Promise<void>
  /**
   * Runs `work` with a node; if that is away or behind, tries others for a while.
   * @throws {Unavailable} if none can do it; what else `work` throws.
   */
  read<T>(preference: ReadPreference, work: (node: Node) => Promise<T>): Promise<T>
  /** Checks that an admission is from a server that may be read from. @throws {ServerBehind} if it is not. */
  assertFit(
    admission: Pick<Admission, "heartbeat">,
    asked: {
      readonly node: Node
      readonly preference: Pick<ReadPreference, "primary" | "isAnyAge">
    },
  ): Promise<void>
}

/** Returns the node of a database with one server. It is always there: only the attempt shows whether it answers. */
export function oneNode(database: Database, changes: ChangeLog): Nodes {
  const node: Node = { name: "", database, changes, isPrimary: true, canAnotherTry: () => false }
  return {
    areMany: false,
    changes,
    best: node,
    isCutOff: false,
    status: undefined,
    next: () => node,
    isInUse: () => true,
    delay: 0,
    assertAnyFit: () => database.ping(),
    read: (_preference, work) => work(node),
    assertFit: async () => {},
  }
}
