/** What the service does with several servers. */
export interface Design {
  readonly appliers: "in commit order" | "in any order"
  /** Where `Next-Since` is from. */
  readonly nextSince:
    | "the row of the snapshot"
    | "the clock of the node"
    | "memory, for each node"
    | "memory, before it is committed"
  /** Where the steps of the clock are from. */
  readonly steps: "the snapshot" | "memory"
  /** Which nodes continue a walk by cursor. */
  readonly cursors: "nodes as new as the walk" | "any node"
  /** Which nodes have pages at an offset. */
  readonly offsets: "the primary" | "any node"
  /** What tells two sets of changes apart. */
  readonly version: "marks" | "numbers"
  readonly base: "in a row" | "in memory"
  /** What tells two contents of a record apart. */
  readonly recordVersion: "a random mark" | "a counter"
  /** When a new primary answers and takes changes. */
  readonly newPrimary: "after its backlog" | "at once"
  /** Which pages have an entity tag. */
  readonly tags: "all" | "those that are read again"
  /** What the first look on a new primary notes: how far clocks may differ, or nothing. */
  readonly takeover: number | undefined
}

/** The design of the service. */
export const real: Design = {
  appliers: "in commit order",
  nextSince: "the row of the snapshot",
  steps: "the snapshot",
  cursors: "nodes as new as the walk",
  offsets: "the primary",
  version: "marks",
  base: "in a row",
  recordVersion: "a random mark",
  newPrimary: "after its backlog",
  tags: "those that are read again",
  takeover: 3,
}
