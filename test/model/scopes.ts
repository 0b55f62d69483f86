import type { Scope } from "./scope.ts"

const guide = { by: "cursor", limit: 9, lists: ["records", "deletions"] } as const

/** Small worlds that together have everything that can happen. */
export const scopes = {
  "changes that take a while": {
    clocks: [0, 0],
    records: "a",
    changes: ["a", "b"],
    partner: { by: "cursor", limit: 9, lists: ["records"] },
    apart: ["a change and its commit"],
    most: { seconds: 3, changes: 2, requests: 1 },
  },
  "lists that are read on different servers": {
    clocks: [0, 0],
    records: "a",
    changes: ["a", "-a"],
    partner: guide,
    missesLooks: true,
    most: { seconds: 4, changes: 1, requests: 2 },
  },
  "repairs": {
    clocks: [0, 0],
    records: "ab",
    changes: ["a"],
    partner: { by: "cursor", limit: 9, lists: ["records"], repairs: true },
    missesLooks: true,
    most: { seconds: 4, changes: 1, requests: 2 },
  },
  "entity tags": {
    clocks: [0, 0],
    records: "a",
    changes: ["a", "-a"],
    partner: { ...guide, tags: true },
    most: { seconds: 2, changes: 2, requests: 4 },
  },
  "walks by cursor": {
    clocks: [0, 0],
    records: "abc",
    changes: ["a", "b"],
    partner: { by: "cursor", limit: 1, lists: ["records"] },
    most: { seconds: 2, changes: 2, requests: 4 },
  },
  "walks by offset": {
    clocks: [0, 0],
    records: "ab",
    changes: ["a"],
    partner: { by: "offset", limit: 1, lists: ["records"], isNew: true },
    missesLooks: true,
    failovers: ["complete", "pause"],
    most: { seconds: 2, changes: 1, requests: 4, failovers: 1 },
  },
  "a replica that crashes": {
    clocks: [0, 0],
    records: "a",
    changes: ["a", "-a"],
    partner: guide,
    most: { seconds: 3, changes: 1, requests: 4, crashes: 1 },
  },
  "clocks that differ": {
    clocks: [0, -2],
    records: "ab",
    changes: ["a", "-a"],
    partner: guide,
    failovers: ["complete", "loss"],
    most: { seconds: 3, changes: 1, requests: 2, failovers: 1 },
  },
  "a clock that is set back": {
    clocks: [0, 0],
    records: "a",
    changes: ["a", "-a"],
    partner: guide,
    missesLooks: true,
    most: { seconds: 3, changes: 1, requests: 2, setBacks: 1 },
  },
  "a primary that is paused": {
    clocks: [0, 0],
    records: "a",
    changes: ["a"],
    partner: guide,
    failovers: ["pause"],
    apart: ["a look and its heartbeat"],
    most: { seconds: 3, changes: 1, requests: 2, failovers: 1 },
  },
  "an election": {
    clocks: [0, 0],
    records: "a",
    changes: ["-a"],
    partner: guide,
    failovers: ["election"],
    most: { seconds: 4, changes: 1, requests: 2, failovers: 1 },
  },
  "replicas that are new": {
    clocks: [0, 0],
    records: "a",
    changes: ["-a"],
    partner: guide,
    isNew: true,
    most: { seconds: 5, changes: 1, requests: 4 },
  },
  "caches and lost commits": {
    clocks: [0, 0],
    records: "a",
    changes: ["a", "b"],
    failovers: ["complete", "loss"],
    most: { changes: 2, cachings: 1, failovers: 1, folds: 1 },
  },
} satisfies Record<string, Scope>

export type ScopeName = keyof typeof scopes
