import type { AddedStatements, Trigger, TriggerFault } from "./dialect.ts"
import { recordTables } from "./record-tables.ts"
import { serviceTables } from "./service-tables.ts"

/** Returns the statements that storages add for a category, each on a line. */
export function statementsOf(
  added: readonly AddedStatements[],
  operation: keyof AddedStatements,
  category: string,
): string {
  return added.map((each) => each[operation]?.(category) ?? "").filter(Boolean)
    .map((statement) => `\n       ${statement}`).join("")
}

/** Returns a trigger with added statements between two parts. */
export function triggerAround(
  place: Pick<Trigger, "name" | "table">,
  around: Trigger["around"],
  added: string,
): Trigger {
  const [before, after] = around
  return { ...place, definition: before + added + after, around }
}

/** Returns what is wrong with a trigger whose definition is `present`; undefined if nothing is, but for `normalize`. */
export function compareTrigger(
  { definition, around }: Trigger,
  present: string,
  normalize: (text: string) => string,
): TriggerFault["fault"] | undefined {
  const text = normalize(present)
  if (text === normalize(definition)) return undefined
  const [before, after] = around.map(normalize) as [string, string]
  const fits = text.length >= before.length + after.length && text.startsWith(before) &&
    text.endsWith(after)
  const added = text.slice(before.length, text.length - after.length)
  return fits && !harm.test(added) ? "added" : "different"
}

const tables = [...Object.keys(recordTables), ...Object.keys(serviceTables)].join("|")

/** What a storage must not do in a trigger: set a value, such as one of the row, refuse the row, or use the kernel's tables. */
const harm = new RegExp(
  `@|(^|;|\\bthen|\\belse|\\bbegin)\\s*set\\b|\\bsignal\\b|\\braise\\b|\\b(${tables})\\b`,
  "i",
)
