import type { List } from "./answer.ts"

/** What the service does with several servers. Times are in seconds of the model. */
export interface Design {
  /** How replicas apply what the primary has committed. */
  readonly appliers: "in commit order" | "in any order"
  /** Where `Next-Since` is from. */
  readonly nextSince:
    | "the floor"
    | "the watermark of the snapshot"
    | "the clock of the node"
    | "memory, for each node"
    | "memory, before it is committed"
  /** How old a heartbeat may be on a server that is in use. */
  readonly staleness: number
  /** How old a watermark is that becomes the floor. */
  readonly floorAge: number
  /** How old a heartbeat may be on a server that says that it can be written to. */
  readonly writableAge: number
  /** Whose word makes up for an old heartbeat on such a server. */
  readonly confirmation: "that of the majority" | "its own" | "nobody's"
  /** How far a node may be behind while a group has no primary. */
  readonly stranded: "staleness" | "anything"
  /** Which nodes continue a walk by cursor. */
  readonly cursors: "nodes as new as the walk" | "any node"
  /** Which nodes have pages at an offset: those that can be written to, with a heartbeat of at most this age, or any. */
  readonly offsets: number | "any node"
  /** Which pages have an entity tag. */
  readonly tags: "all" | "those that are read again"
  /** The lists whose pages have none, even so, if a deletion comes again. */
  readonly untagged: readonly List[]
  /** How far the clocks of two primaries may differ, which the first look on the second one notes; undefined for nothing. */
  readonly takeover: number | undefined
  /** What is done when a process that has gone on with a former primary looks at the present one. */
  readonly splits: "are noted" | "are not noticed"
  /** Where the steps of the clock are from. */
  readonly steps: "the snapshot" | "memory"
  /** When a new primary answers and takes changes. */
  readonly newPrimary: "after its backlog" | "at once"
  /** What tells two sets of changes apart. */
  readonly version: "marks" | "numbers"
  /** Where it is kept up to which change the log is folded. */
  readonly base: "in a row" | "in memory"
  /** What tells two contents of a record apart. */
  readonly recordVersion: "a mark" | "a counter"
}

/** The design of the service. */
export const real: Design = {
  appliers: "in commit order",
  nextSince: "the floor",
  staleness: 1,
  floorAge: 2,
  writableAge: 2,
  confirmation: "that of the majority",
  stranded: "staleness",
  cursors: "nodes as new as the walk",
  offsets: 0,
  tags: "those that are read again",
  untagged: ["records", "deletions"],
  takeover: 3,
  splits: "are noted",
  steps: "the snapshot",
  newPrimary: "after its backlog",
  version: "marks",
  base: "in a row",
  recordVersion: "a mark",
}
