import {
  BytesTagSource,
  type Design,
  EmptyTagSource,
  UsualSource,
} from "../../support/polling/designs.ts"
import type { Source } from "../../support/partner/list-source.ts"
import { wrongVersions } from "../../support/polling/version-designs.ts"
import type { MysqlDesign, Scene } from "./design.ts"
import { countAboveBase, countChanges, OwnVersionSource } from "./own-version.ts"
import { OwnWatermarkSource, type Reading } from "./own-watermark.ts"
import type { Operation } from "./plan.ts"

/** The name of the design of this service. */
export const realDesign = "event-export"

const good: Design = { order: "newest first", hides: 0, lag: 30 }
const noDeletions: readonly Operation[] = ["update", "insert", "consent"]
const offset = { by: "offset", sendsTags: false } as const

/** Designs that lose no record, because nothing is missing. */
export const safeDesigns: Readonly<Record<string, MysqlDesign>> = {
  [realDesign]: {
    open: ({ service }) => ({ source: service(), truth: () => service().everything() }),
  },
  "own looks, in the right order": looking(["clock", "open", "committed"]),
  "own looks, and the records after them": looking(["clock", "open", "committed", "records"]),
  // The service takes them for times of a clock that was set back.
  "event-export, times of the beginning of transactions": {
    ...wrapped((source) => source),
    stampsAtBegin: true,
  },
  "own versions, every change counted": versioned(countChanges),
}

/** Designs that lose a record in some interleaving. */
export const losingDesigns: Readonly<Record<string, MysqlDesign>> = {
  "oldest first": usual({ order: "oldest first" }, "max(updated)"),
  "by id": usual({ order: "by id" }, "max(updated)"),
  "young records hidden": usual({ hides: 3 }, "max(updated)"),
  "positions reused": {
    ...usual({}, "Next-Since"),
    operations: [...noDeletions, "delete"],
    age: 2 * good.lag,
  },
  "no lag": usual({ lag: 0 }, "Next-Since"),
  "a lag shorter than a transaction": usual({ lag: 3 }, "Next-Since"),
  "max(updated) although transactions commit late": {
    ...wrapped((source) => source),
    kind: { keeps: "max(updated)" },
  },
  "a tag of one page": {
    ...wrapped((source) => new BytesTagSource(source)),
    kind: { sendsTags: true },
  },
  "the same tag for all empty pages": {
    ...wrapped((source) => new EmptyTagSource(source)),
    kind: { sendsTags: true, endsPolls: true },
    parts: ["records", "deletions"],
    operations: ["delete"],
    age: 2 * good.lag,
  },
  "no look at open changes": looking(["clock"]),
  "open changes read after the records": looking(["records", "clock", "open", "committed"]),
  "the clock read after the changes": looking(["open", "committed", "clock"]),
  "times of the beginning of transactions": {
    ...looking(["clock", "open", "committed"]),
    looksSlowly: false,
    stampsAtBegin: true,
  },
  "a base of the version that passes open changes": versioned(countAboveBase),
}

/**
 * How many interleavings the designs that lose seldom survive, in the order of `playAll`. The tests begin there; if that
 * changes, they find a later one.
 */
export const survived: Readonly<Record<string, number>> = {
  "young records hidden": 88,
  "positions reused": 372,
  "max(updated) although transactions commit late": 64,
  "no look at open changes": 19,
  "open changes read after the records": 532,
  "the clock read after the changes": 80,
  "times of the beginning of transactions": 120,
  "a base of the version that passes open changes": 45,
  "a record that is inserted again gets its first version": 25,
}

/** Designs in which an instance sends a record of the past, which it has kept. */
export const staleDesigns: Readonly<Record<string, MysqlDesign>> = Object.fromEntries(
  Object.entries(wrongVersions).map(([name, versions]) => [
    name,
    { ...wrapped((source) => source), versions },
  ]),
)

/** All designs by name. */
export const mysqlDesigns: Readonly<Record<string, MysqlDesign>> = {
  ...safeDesigns,
  ...losingDesigns,
  ...staleDesigns,
}

function wrapped(wrap: (source: Source, scene: Scene) => Source): MysqlDesign {
  return {
    open: (scene) => ({
      source: wrap(scene.service(), scene),
      truth: () => scene.service().everything(),
    }),
  }
}

function looking(order: readonly Reading[]): MysqlDesign {
  return {
    looksSlowly: true,
    open(scene) {
      const source = new OwnWatermarkSource(scene, order)
      return {
        source,
        look: () => source.look(),
        truth: () => scene.service().everything(),
      }
    },
    ...order.includes("records") && {
      kind: offset,
      parts: ["records"] as const,
      operations: noDeletions,
    },
  }
}

function versioned(versionOf: typeof countChanges): MysqlDesign {
  return {
    ...wrapped((source, scene) => new OwnVersionSource(source, versionOf(scene))),
    kind: { by: "offset", sendsTags: true },
  }
}

/** A usual design, which knows no deletions. */
function usual(design: Partial<Design>, keeps: "max(updated)" | "Next-Since"): MysqlDesign {
  return {
    kind: { ...offset, keeps },
    parts: ["records"],
    operations: noDeletions,
    rests: 300,
    open({ world, event }) {
      return {
        source: new UsualSource(world, event, { ...good, ...design }),
        truth: () => new UsualSource(world, event, good).everything(),
      }
    },
  }
}
