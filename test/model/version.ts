import type { Design } from "./design.ts"
import { changesOf, type Fold, type History, tableOf } from "./history.ts"

/** Returns the version of all records. `base` is the one that a service remembers, if the design has it do so. */
export function versionOf(history: History, { version, base: kept }: Design, base: number): string {
  const fold = history.findLast((entry) => entry.kind === "fold")
  const upTo = kept === "in memory" ? base : fold?.upTo ?? 0
  const rest = changesOf(history).filter(({ seq }) => seq > upTo)
  const told = rest.map(({ id, seq }) => version === "marks" ? id : seq)
  const all = [...kept === "in a row" ? fold?.marks ?? [] : [], ...told]
  const sum = all.toSorted((one, other) => one - other).join("+")
  return kept === "in memory" ? `${upTo}: ${sum}` : sum
}

/** Returns the row that the log is folded into, up to the last number below which every number has a row. */
export function foldOf(history: History, { version }: Design, id: number): Fold {
  const numbers = new Set(changesOf(history).map(({ seq }) => seq))
  let upTo = 0
  while (numbers.has(upTo + 1)) upTo++
  const marks = changesOf(history).filter(({ seq }) => seq <= upTo)
    .map((change) => version === "marks" ? change.id : change.seq)
  return { kind: "fold", id, upTo, marks }
}

/** Returns what a snapshot has, under the keys that the caches of pages and records use. */
export function contentsOf(history: History, design: Design, base: number): Record<string, string> {
  const rows = [...tableOf(history).values()]
  const all = rows.map(({ record, id, gone }) => `${record}${gone ? " gone" : id}`).toSorted()
  const records = rows.map(({ record, id }) => {
    const count = changesOf(history).filter((change) => change.record === record).length
    const key = design.recordVersion === "a counter" ? count : id
    return [`version ${key} of ${record}`, `change ${id}`]
  })
  return {
    [`version ${versionOf(history, design, base)}`]: all.join(" "),
    ...Object.fromEntries(records),
  }
}
