import { type Design, real } from "./design.ts"
import type { PartnerKind } from "./partner.ts"
import type { Scope } from "./scope.ts"
import { scopes } from "./scopes.ts"

/** A design that loses records, and where that shows. */
export interface LosingDesign {
  /** What is different. */
  readonly design: Partial<Design>
  /** Precautions that are left out as well: they hide the loss, or put it off. On their own, they lose nothing here. */
  readonly without?: Partial<Design>
  readonly scope: Scope
  readonly problem: RegExp
  /** How many steps the shortest way to the loss has. */
  readonly steps: number
}

const onlyRecords: PartnerKind = { by: "cursor", limit: 9, lists: ["records"] }
const noFloor = { nextSince: "the watermark of the snapshot" } as const
const noTakeover = { takeover: undefined }

const outdated = /^a was changed at \d+, and the partner has another state of it/
const missing = /^\w was changed at \d+, and the partner does not have it/
const kept = /^a was deleted at \d+, and the partner still has it/

/** By what they do. */
export const losing: Readonly<Record<string, LosingDesign>> = {
  "replicas apply commits in any order": {
    design: { appliers: "in any order" },
    scope: scopes["lists that are read on different servers"],
    problem: outdated,
    steps: 6,
  },
  "Next-Since is the clock of the replica": {
    design: { nextSince: "the clock of the node" },
    scope: scopes["lists that are read on different servers"],
    problem: outdated,
    steps: 3,
  },
  "Next-Since is the clock of the primary": {
    design: { nextSince: "the clock of the node" },
    scope: scopes["changes that take a while"],
    problem: outdated,
    steps: 3,
  },
  "Next-Since is the watermark, and deletions are read on a server that is behind": {
    design: noFloor,
    scope: scopes["lists that are read on different servers"],
    problem: kept,
    steps: 4,
  },
  "Next-Since is the watermark, and a copy is repaired from a server that is behind": {
    design: noFloor,
    scope: scopes.repairs,
    problem: outdated,
    steps: 4,
  },
  "replicas answer however far they are behind": {
    design: { staleness: Infinity },
    scope: scopes["lists that are read on different servers"],
    problem: kept,
    steps: 6,
  },
  "a watermark is kept in memory while a replica crashes back": {
    design: { nextSince: "memory, for each node" },
    without: noFloor,
    scope: {
      ...scopes["a replica that crashes"],
      changes: ["a"],
      partner: onlyRecords,
      most: { seconds: 2, changes: 1, requests: 1, crashes: 2 },
    },
    problem: outdated,
    steps: 8,
  },
  "a cursor goes on at a server that is further behind": {
    design: { cursors: "any node" },
    without: noFloor,
    scope: scopes["walks by cursor"],
    problem: outdated,
    steps: 5,
  },
  "pages at an offset are read from replicas": {
    design: { offsets: "any node" },
    scope: scopes["walks by offset"],
    problem: missing,
    steps: 3,
  },
  "pages at an offset are read from a primary that was just replaced": {
    design: { offsets: real.writableAge },
    scope: scopes["walks by offset"],
    problem: missing,
    steps: 5,
  },
  "a former primary answers for as long as it is paused": {
    design: { writableAge: Infinity },
    without: noTakeover,
    scope: {
      ...scopes["a primary that is paused"],
      changes: ["-a"],
      apart: [],
      missesLooks: true,
      most: { seconds: 4, changes: 1, requests: 2, failovers: 1 },
    },
    problem: kept,
    steps: 8,
  },
  "a former primary is taken at its word": {
    design: { confirmation: "its own" },
    without: noTakeover,
    scope: scopes["a primary that cannot commit"],
    problem: kept,
    steps: 9,
  },
  "a former primary is taken at its word for a page at an offset": {
    design: { confirmation: "its own" },
    scope: scopes["walks by offset"],
    problem: missing,
    steps: 5,
  },
  "a process has gone on with a former primary, and nothing is noted": {
    design: { splits: "are not noticed" },
    scope: scopes["a former primary that nobody has fenced"],
    problem: outdated,
    steps: 10,
  },
  "nobody vouches for a primary that cannot commit": {
    design: { confirmation: "nobody's" },
    scope: scopes["a primary that cannot commit"],
    problem: /^no server answers a first page/,
    steps: 1,
  },
  "a former primary hands out watermarks that it could not commit": {
    design: { nextSince: "memory, before it is committed" },
    without: noTakeover,
    scope: {
      ...scopes["a primary that is paused"],
      partner: onlyRecords,
      most: { seconds: 2, changes: 1, requests: 1, failovers: 1 },
    },
    problem: outdated,
    steps: 6,
  },
  "a new primary answers before it has applied what it has received": {
    design: { newPrimary: "at once" },
    without: noTakeover,
    scope: scopes["an election"],
    problem: kept,
    steps: 8,
  },
  "members of a group without a primary answer however far they are behind": {
    design: { stranded: "anything" },
    scope: scopes["an election"],
    problem: kept,
    steps: 7,
  },
  "nothing is noted when another server becomes the primary": {
    design: noTakeover,
    scope: scopes["clocks that differ"],
    problem: kept,
    steps: 7,
  },
  "a clock that is set back is noted without the added seconds": {
    design: { takeover: 0 },
    scope: scopes["a clock that is set back"],
    problem: kept,
    steps: 7,
  },
  "the steps of the clock are from memory instead of the snapshot": {
    design: { steps: "memory" },
    without: { ...noFloor, takeover: 0 },
    scope: {
      ...scopes["a clock that is set back"],
      changes: ["a"],
      partner: onlyRecords,
      missesLooks: undefined,
      most: { seconds: 4, changes: 1, requests: 2, setBacks: 1 },
    },
    problem: outdated,
    steps: 7,
  },
  "a partner polls with the largest `updated` that it has": {
    design: {},
    scope: {
      ...scopes["walks by cursor"],
      partner: { by: "cursor", limit: 1, lists: ["records"], keeps: "max(updated)" },
    },
    problem: outdated,
    steps: 5,
  },
  "all pages have entity tags": {
    design: { tags: "all" },
    scope: scopes["entity tags"],
    problem: missing,
    steps: 5,
  },
  "pages have entity tags after deletions that come again, and polls end at a 304": {
    design: { untagged: ["deletions"] },
    scope: scopes["polls that end at a 304"],
    problem: kept,
    steps: 3,
  },
  "pages of deletions have entity tags": {
    design: { untagged: ["records"] },
    scope: scopes["entity tags"],
    problem: kept,
    steps: 6,
  },
  "a process remembers how far the log is folded": {
    design: { base: "in memory" },
    scope: scopes["caches and lost commits"],
    problem: /^version .* in the cache, and .* on B/,
    steps: 3,
  },
  "versions are numbers, which are used again after a failover with lost commits": {
    design: { version: "numbers" },
    scope: scopes["caches and lost commits"],
    problem: /^version .* in the cache, and .* on B/,
    steps: 4,
  },
  "records are cached by how often they were changed": {
    design: { recordVersion: "a counter" },
    scope: scopes["caches and lost commits"],
    problem: /^version 2 of a is .* in the cache, and .* on B/,
    steps: 4,
  },
}
