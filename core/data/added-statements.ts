import type { AddedStatements, Trigger, TriggerFault } from "./dialect.ts"
import { recordColumns, withoutRecord } from "./logged-record.ts"
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

/** Compares a trigger with the definition that is `present`. Returns what is wrong; undefined if nothing is. */
export function compareTrigger(
  { definition, around }: Trigger,
  present: string,
): TriggerFault["fault"] | undefined {
  const text = normalize(present)
  if (text === normalize(definition)) return undefined
  const isNamed = present.includes(recordColumns)
  const expect = (part: string) => normalize(isNamed ? part : withoutRecord(part))
  if (text === expect(definition)) return "unnamed"
  const [before, after] = around.map(expect) as [string, string]
  const fits = text.length >= before.length + after.length && text.startsWith(before) &&
    text.endsWith(after)
  const added = text.slice(before.length, text.length - after.length)
  return fits && !harm.test(added) ? "added" : "different"
}

const normalize = (text: string) => text.replaceAll(/\s+/g, " ").toLowerCase()

const tables = [...Object.keys(recordTables), ...Object.keys(serviceTables)].join("|")

/** What a storage must not do in a trigger: set a value, such as the row's, refuse the row, or use the kernel's tables. */
const harm = new RegExp(
  `@|(^|;|\\bthen|\\belse|\\bbegin)\\s*set\\b|\\bsignal\\b|\\braise\\b|\\b(${tables})\\b`,
  "i",
)
