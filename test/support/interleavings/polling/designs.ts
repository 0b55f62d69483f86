import { type Design, real } from "./design.ts"

/** A design that loses a record, and a scenario in which it does. */
export interface LosingDesign {
  readonly design: Design
  readonly scenario: string
}

const lagging = { ...real, since: "clock" } as const
const newestKept = { ...real, since: "max(updated)" } as const

/** The designs that lose a record in some interleaving, by name. */
export const losingDesigns: Readonly<Record<string, LosingDesign>> = {
  "oldest first": { design: { ...real, order: "oldest first" }, scenario: "two updates" },
  "order by id, max(updated)": {
    design: { ...newestKept, order: "by id" },
    scenario: "changes at once",
  },
  "young records are hidden": { design: { ...newestKept, hides: 3 }, scenario: "changes at once" },
  "records newer than the clock are hidden": {
    design: { ...real, hides: 0 },
    scenario: "requests in parts",
  },
  "positions of deleted records are reused": {
    design: { ...real, keepsPositions: false },
    scenario: "two deletions",
  },
  "no lag": { design: { ...lagging, lag: 0 }, scenario: "two updates" },
  "a lag shorter than a transaction": { design: { ...lagging, lag: 2 }, scenario: "two updates" },
  "max(updated) although transactions commit late": {
    design: newestKept,
    scenario: "two updates",
  },
  "a tag of the bytes alone": { design: { ...real, tag: "bytes" }, scenario: "two updates" },
  "a tag with the version only if there is a next page": {
    design: { ...real, tag: "version if more" },
    scenario: "the same again within a second",
  },
  "a tag with the version unless the page is empty": {
    design: { ...real, tag: "version unless empty" },
    scenario: "delete, commit; delete, roll back; nothing has changed; a second per step",
  },
  "the page before the look, which sees what is open then": {
    design: { ...real, parts: ["clock", "page", "look"], open: "uncommitted" },
    scenario: "two requests in parts",
  },
  "the clock after the look": {
    design: { ...real, parts: ["look", "clock", "page"] },
    scenario: "two requests in parts",
  },
  "a stamp from the beginning of a statement that waits": {
    design: { ...real, stamps: "at the beginning" },
    scenario: "two updates",
  },
  "a stamp a second before its row, without a margin": {
    design: { ...real, stamps: "a second before the row" },
    scenario: "two updates",
  },
  "a margin for an early stamp alone, and a clock that is set back": {
    design: { ...real, stamps: "a second before the row", margin: 1 },
    scenario: "a clock that is set back",
  },
  "a look at a follower, which has no open rows": {
    design: { ...real, looksAt: "a follower" },
    scenario: "two updates",
  },
  "readers that keep the last Next-Since": {
    design: { ...real, readersKeep: "the last" },
    scenario: "two updates",
  },
  "readers that store what they have not finished": {
    design: { ...real, readersStore: "at the first page" },
    scenario: "readers start again",
  },
  "no margin for a clock that is set back": {
    design: real,
    scenario: "a clock that is set back",
  },
}

/** The name of the service's own design. */
export const ownDesign = "event-export"

/** The designs that lose nothing, by name. */
export const safeDesigns: Readonly<Record<string, Design>> = {
  [ownDesign]: real,
  "an early watermark": { ...real, early: true },
  "what is open at the look": { ...real, open: "uncommitted" },
  "the page before the look": { ...real, parts: ["clock", "page", "look"] },
  "the page first": { ...real, parts: ["page", "clock", "look"] },
  "a margin of a second": { ...real, margin: 1 },
  // A second for the stamp, and one for a clock that is set back.
  "a stamp a second before its row, and a margin of two": {
    ...real,
    stamps: "a second before the row",
    margin: 2,
  },
}
