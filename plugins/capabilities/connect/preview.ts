import type { Database, Plan } from "../../../core/capability.ts"
import { printableLine, textTable } from "../../../core/commands.ts"
import { compare, type Difference, type RefusedRow } from "./comparison.ts"
import type { Taken } from "./convert.ts"
import { type Kind, kinds } from "./kinds.ts"
import type { Mapping } from "./mapping.ts"
import type { Source } from "./sources/source.ts"

/** Records of each kind that are shown. */
const mostShown = 5

/** Keys of refused rows that are named of each problem. */
const mostNamed = 3

/** What a mapping makes of its source. */
export interface Preview {
  readonly difference: Difference
  /** The first records of each kind. */
  readonly samples: ReadonlyMap<Kind, readonly Taken[]>
  /** By event: its name, and how many records of each kind it has. */
  readonly counts: ReadonlyMap<
    string,
    { readonly name: string; readonly byKind: Map<Kind, number> }
  >
}

/** Reads the whole source, and writes nothing. @throws as the source does, and {UserError} for wrong columns. */
export async function previewMapping(
  { database, source, mapping }: {
    readonly database: Pick<Database, "readOnce">
    readonly source: Source
    readonly mapping: Mapping
  },
): Promise<Preview> {
  const samples = new Map<Kind, Taken[]>()
  const counts = new Map<string, { name: string; byKind: Map<Kind, number> }>()
  const write = (rows: readonly Taken[]) => {
    for (const row of rows) {
      const shown = samples.get(row.kind) ?? []
      if (shown.length < mostShown) samples.set(row.kind, [...shown, row])
      if (row.kind === "event") {
        counts.set(row.id, { name: String(row.record["name"]), byKind: new Map() })
      }
      const byKind = counts.get(row.eventId ?? "")?.byKind
      byKind?.set(row.kind, (byKind.get(row.kind) ?? 0) + 1)
    }
    return Promise.resolve()
  }
  const taker = { write, note: write }
  const difference = await source.snapshot((reader) =>
    compare(reader, { database, mapping, taker, isAgainstNothing: true })
  )
  return { difference, samples, counts }
}

/** Describes a preview for people: the records as each family would send them, counts, and what is wrong. */
export function describePreview(
  { difference, samples, counts }: Preview,
  { routes }: Pick<Plan, "routes">,
): string {
  const blocks: string[] = []
  for (const [kind, rows] of samples) {
    for (const { family, project } of projectionsOf(kind, routes)) {
      blocks.push(
        `${kind} as ${family} sends it:\n${
          rows.map((row) => JSON.stringify(project(row))).join("\n")
        }`,
      )
    }
  }
  blocks.push(countsTable(counts))
  blocks.push(describeRefused(difference.refused, difference.refusedCount))
  return blocks.join("\n\n")
}

/** Returns how each family shows a kind of record, each once. */
function projectionsOf(kind: Kind, routes: Plan["routes"]) {
  const shown = new Map<
    string,
    { readonly family: string; readonly project: (row: Taken) => unknown }
  >()
  for (const route of routes) {
    if (route.kind !== "listing" || route.export) continue
    for (const { projection } of route.list.parts) {
      if (projection.record.toLowerCase() !== kind.replaceAll("_", "") || shown.has(route.plugin)) {
        continue
      }
      const [, prefix = ""] = /^(\/.+?\/v\d+)/.exec(route.pattern.text) ?? []
      shown.set(route.plugin, {
        family: prefix || route.plugin,
        project: (row) => projection.project(rowOf(row)),
      })
    }
  }
  return [...shown.values()]
}

/** Returns a record as a query would read it. The service decides about the times that the source does not have. */
function rowOf({ record, consent, addresses }: Taken) {
  const byKind = Object.fromEntries(addresses.map((address) => [address["kind"], address]))
  return {
    ...{ record: { created: 0, updated: 0, ...record }, consent: consent ?? undefined },
    ...{ main: byKind["main"], gift_aid: byKind["gift_aid"], tax_receipt: byKind["tax_receipt"] },
    latest: { changed: null },
  }
}

function countsTable(counts: Preview["counts"]): string {
  if (counts.size === 0) return "No event is selected."
  const columns = kinds.filter((kind) =>
    [...counts.values()].some(({ byKind }) => byKind.has(kind))
  )
  const rows = [...counts].map(([id, { name, byKind }]) => [
    id,
    printableLine(name),
    ...columns.map((kind) => String(byKind.get(kind) ?? 0)),
  ])
  return textTable([["EVENT", "NAME", ...columns.map((kind) => kind.toUpperCase())], ...rows])
}

/** Describes rows that cannot be taken over, by what is wrong with them. */
export function describeRefused(refused: readonly RefusedRow[], count: number): string {
  if (count === 0) return "Every row can be taken over."
  const groups = Map.groupBy(
    refused,
    ({ kind, reason, column }) => `${kind}: ${column ? `${column} is ` : ""}${reason}`,
  )
  const lines = [...groups].map(([problem, rows]) => {
    const named = rows.slice(0, mostNamed).map(({ key }) => printableLine(key)).join(", ")
    return `  ${rows.length} ${problem} (${named}${rows.length > mostNamed ? ", …" : ""})`
  })
  return `${count} rows cannot be taken over${
    count > refused.length ? `; the first ${refused.length}` : ""
  }:\n${lines.join("\n")}`
}
