import {
  BytesTagSource,
  type Design,
  EmptyTagSource,
  UsualSource,
} from "../../support/polling/designs.ts"
import type { Source } from "../../support/partner/list-source.ts"
import type { MysqlDesign } from "./design.ts"
import type { Operation } from "./plan.ts"

/** The names of the designs of this service: a family without a filter, and one with a filter. */
export const realDesign = "event-export"
export const filteredDesign = "event-export, with a filter"

const good: Design = { order: "newest first", hides: 0, lag: 30 }
const noDeletions: readonly Operation[] = ["update", "insert", "consent"]
const offset = { by: "offset", sendsTags: false } as const

/** Designs that lose a record in some interleaving. */
export const losingDesigns: Readonly<Record<string, MysqlDesign>> = {
  "positions reused": {
    ...usual({}),
    operations: [...noDeletions, "delete"],
    age: 2 * good.lag,
  },
  "no lag": usual({ lag: 0 }),
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
}

/**
 * How many interleavings the designs that lose seldom survive, in the order of `playAll`. The tests begin there; if that
 * changes, they find a later one.
 */
export const survived: Readonly<Record<string, number>> = {
  "positions reused": 372,
  "max(updated) although transactions commit late": 64,
}

/** All designs by name. */
export const mysqlDesigns: Readonly<Record<string, MysqlDesign>> = {
  [realDesign]: wrapped((source) => source),
  [filteredDesign]: {
    isFiltered: true,
    open(scene) {
      const source = scene.chosen()
      return { source, note: () => source.note(), truth: () => source.truth() }
    },
  },
  ...losingDesigns,
}

function wrapped(wrap: (source: Source) => Source): MysqlDesign {
  return {
    open: (scene) => ({
      source: wrap(scene.service()),
      truth: () => scene.service().everything(),
    }),
  }
}

/** A usual design, which knows no deletions. */
function usual(design: Partial<Design>): MysqlDesign {
  return {
    kind: { ...offset, keeps: "Next-Since" },
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
