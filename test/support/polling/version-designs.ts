import type { Trigger } from "../../../core/data/dialect.ts"

/** The versions that triggers of MySQL give, as expressions of SQL: a random number if one is missing. */
export interface VersionDesign {
  readonly inserted?: string
  readonly updated?: string
}

/** Matches the version in the triggers of inserts and updates. */
const assignment = /(?<=set new\.export_version = )[^;]+(?=;)/

/** Ways to make versions in which one stands for two contents of a record. */
export const wrongVersions: Readonly<Record<string, VersionDesign>> = {
  "versions cycle through two values": {
    inserted: "1",
    updated: "(old.export_version + 1) % 2",
  },
  "a record that is inserted again gets its first version": { inserted: "crc32(new.id)" },
  "the version is updated": { inserted: "new.updated", updated: "new.updated" },
}

/** Returns how a design changes a trigger. Triggers on deletions give no version. */
export function alterationOf({ inserted, updated }: VersionDesign): (trigger: Trigger) => Trigger {
  return (trigger) => {
    const isInsert = trigger.name.endsWith("insert")
    if (!isInsert && !trigger.name.endsWith("update")) return trigger
    const version = isInsert ? inserted : updated
    const found = assignment.exec(trigger.definition)?.[0]
    if (found === undefined) throw new Error(`${trigger.name} gives no version`)
    return {
      ...trigger,
      definition: trigger.definition.replace(assignment, () => version ?? found),
    }
  }
}
