import type { Trigger } from "../../../core/data/dialect.ts"
import type { Engine } from "../database.ts"
import { look, once, read, type Scenario, setBack, type Step, write } from "./scenarios.ts"

/** The versions that triggers give, as expressions of SQL: a random number if one is missing. */
export interface VersionDesign {
  readonly inserted?: string
  readonly updated?: string
}

/** Matches the version in the triggers of inserts and updates. */
const assignment: Record<Engine, RegExp> = {
  mysql: /(?<=set new\.export_version = )[^;]+(?=;)/,
  sqlite: /(?<=export_version = )(-1 - \()?random\(\) & \d+\)?/,
}

/** A scenario in which a page shows it: found at random, and shortened. */
const shown = (records: readonly number[], steps: readonly Step[]): Scenario => ({
  ...once,
  kind: { by: "offset", keeps: "Next-Since" },
  limit: 1,
  records,
  steps,
})

/** Ways to make versions in which one stands for two contents of a record. */
export const wrongVersions: Readonly<
  Record<string, Record<Engine, VersionDesign> & { readonly example: Scenario }>
> = {
  "versions cycle through two values": {
    mysql: { inserted: "1", updated: "(old.export_version + 1) % 2" },
    example: shown([0, 0], [write("update all"), read, write("address"), write("consent"), read]),
    sqlite: { inserted: "-1", updated: "(old.export_version + 1) % 2" },
  },
  "a record that is inserted again gets its first version": {
    mysql: { inserted: "crc32(new.id)" },
    example: shown([0, 0], [read, write("replace"), read, look, { do: "crash" }, read]),
    sqlite: { inserted: "-1 - unicode(new.id)" },
  },
  "the version is updated": {
    mysql: { inserted: "new.updated", updated: "new.updated" },
    example: shown([0, 0], [read, write("replace"), setBack(1), look]),
    sqlite: {
      inserted: "-1 - new.updated",
      updated:
        "max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end)",
    },
  },
}

/** Returns how a design changes a trigger. Triggers on deletions and before updates give no version. */
export function alterationOf(
  { inserted, updated }: VersionDesign,
  engine: Engine,
): (trigger: Trigger) => Trigger {
  return (trigger) => {
    const isUpdate = trigger.name.endsWith(engine === "mysql" ? "update" : "after_update")
    const isInsert = trigger.name.endsWith("insert")
    if (!isInsert && !isUpdate) return trigger
    const version = isInsert ? inserted : updated
    const found = assignment[engine].exec(trigger.definition)?.[0]
    if (found === undefined) throw new Error(`${trigger.name} gives no version`)
    const definition = trigger.definition.replace(assignment[engine], () => version ?? found)
    return { ...trigger, definition }
  }
}
