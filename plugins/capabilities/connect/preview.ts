import type { Plan } from "../../../core/capability.ts"
import { printableLine, textTable } from "../../../core/commands.ts"
import { compare, type Difference } from "./comparison.ts"
import { describeRefused } from "./describe.ts"
import { kinds, type SourceKind } from "./kinds.ts"
import type { Mapping } from "./mapping.ts"
import type { SourceRecord } from "./rows.ts"
import type { Source } from "./sources/source.ts"
import { wholeParts } from "./take-over.ts"

/** Records of each kind that are shown. */
const mostShown = 5

/** What a mapping makes of its source. */
interface Preview {
  readonly difference: Difference
  /** The first records of each kind. */
  readonly samples: ReadonlyMap<SourceKind, readonly SourceRecord[]>
  /** By event: its name, and how many records of each kind it has. */
  readonly counts: ReadonlyMap<string, EventCount>
}

interface EventCount {
  readonly name: string
  readonly byKind: Map<SourceKind, number>
}

/** Reads the whole source, and writes nothing. @throws as the source does, and {UserError} for wrong columns. */
export async function previewMapping(source: Source, mapping: Mapping): Promise<Preview> {
  const samples = new Map<SourceKind, SourceRecord[]>()
  const counts = new Map<string, EventCount>()
  const count = (row: SourceRecord) => {
    const shown = samples.get(row.kind) ?? []
    if (shown.length < mostShown) samples.set(row.kind, [...shown, row])
    if (row.kind === "event") {
      counts.set(row.id, { name: String(row.record["name"]), byKind: new Map() })
    }
    const byKind = counts.get(row.eventId ?? "")?.byKind
    byKind?.set(row.kind, (byKind.get(row.kind) ?? 0) + 1)
  }
  const difference = await source.snapshot((reader) =>
    compare(wholeParts(reader, mapping), {
      rules: mapping,
      places: { organizations: new Set(), events: new Map() },
      readKnown: async () => new Map(),
      write: async (rows) => {
        rows.forEach(count)
        return []
      },
    })
  )
  return { difference, samples, counts }
}

/** Describes a preview for people: the records as each family would send them, counts, and what is wrong. */
export function describePreview(
  { difference, samples, counts }: Preview,
  { routes }: Pick<Plan, "routes">,
): string {
  const blocks = [...samples].flatMap(([kind, rows]) =>
    [...projectionsOf(kind, routes)].map(([family, project]) =>
      [
        `${kind} as ${family} sends it:`,
        ...rows.map((row) => JSON.stringify(project(rowOf(row) as never))),
      ].join("\n")
    )
  )
  const { refused, refusedCount } = difference
  return [...blocks, countsTable(counts), describeRefused(refused, refusedCount)].join("\n\n")
}

/** Returns how each family shows a kind of record, each once. */
function projectionsOf(kind: SourceKind, routes: Plan["routes"]) {
  const shown = new Map<string, (row: never) => unknown>()
  for (const route of routes) {
    if (route.kind !== "listing" || route.export) continue
    const [, family = route.plugin] = /^(\/.+?\/v\d+)/.exec(route.pattern.text) ?? []
    for (const { projection } of route.list.parts) {
      const isOfKind = projection.record.toLowerCase() === kind.replaceAll("_", "")
      if (isOfKind && !shown.has(family)) shown.set(family, (row) => projection.project(row))
    }
  }
  return shown
}

/** Returns a record as a query would read it. The service decides about the times that the source does not have. */
function rowOf({ record, consent, addresses }: SourceRecord) {
  const byKind = Object.fromEntries(addresses.map((address) => [address["kind"], address]))
  return {
    ...byKind,
    ...{ record: { created: 0, updated: 0, ...record }, consent: consent ?? undefined },
    latest: { changed: null },
  }
}

function countsTable(counts: Preview["counts"]): string {
  if (counts.size === 0) return "No event is selected."
  const columns = kinds.filter((kind) =>
    [...counts.values()].some(({ byKind }) => byKind.has(kind))
  )
  return textTable([
    ["EVENT", "NAME", ...columns.map((kind) => kind.toUpperCase())],
    ...[...counts].map(([id, { name, byKind }]) => [
      ...[id, printableLine(name)],
      ...columns.map((kind) => String(byKind.get(kind) ?? 0)),
    ]),
  ])
}
