import type { Plan } from "../../../core/capability.ts"
import { printableLine, textTable } from "../../../core/commands.ts"
import {
  auctionItem,
  buyNowItem,
  event,
  gliRaffle,
  guest,
  pledge,
  raffle,
  ticket,
  whole,
} from "../../../core/plugin.ts"
import { compare, type Difference } from "./comparison.ts"
import { describeRows } from "./describe.ts"
import { kinds, type SourceKind } from "./kinds.ts"
import type { Mapping } from "./mapping.ts"
import type { SourceRecord } from "./rows.ts"
import type { Source } from "./sources/source.ts"
import { wholeParts } from "./take-over.ts"

/** Records of each kind that are shown. */
const mostShown = 3

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
  /** The slug of its organization. */
  readonly organization: string
  readonly byKind: Map<SourceKind, number>
}

/** Reads the whole source, and writes nothing. @throws as the source does, and {UserError} for wrong columns. */
export async function previewMapping(source: Source, mapping: Mapping): Promise<Preview> {
  const samples = new Map<SourceKind, SourceRecord[]>()
  const counts = new Map<string, EventCount>()
  const slugs = new Map<unknown, string>()
  const count = (row: SourceRecord) => {
    const shown = samples.get(row.kind) ?? []
    if (shown.length < mostShown) samples.set(row.kind, [...shown, row])
    if (row.kind === "organization") slugs.set(row.id, String(row.record["slug"]))
    if (row.kind === "event") {
      const organization = slugs.get(row.record["organization_id"]) ?? ""
      counts.set(row.id, { name: String(row.record["name"]), organization, byKind: new Map() })
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
  const blocks = [...samples].flatMap(([kind, rows]) => samplesOf(kind, rows, routes))
  return [...blocks, countsTable(counts), describeRows(difference)].join("\n\n")
}

/** Shows records as families send them: those that send the same, together. */
function samplesOf(
  kind: SourceKind,
  rows: readonly SourceRecord[],
  routes: Plan["routes"],
): readonly string[] {
  const texts = [...projectionsOf(kind, routes)].map(([family, project]) => ({
    family,
    text: rows.map((row) => JSON.stringify(project(rowOf(row) as never))).join("\n"),
  }))
  const shown = [...Map.groupBy(texts, ({ text }) => text)].map(([text, same]) => {
    const families = same.map(({ family }) => family).join(" and ")
    return `${kind} as ${families} ${same.length > 1 ? "send" : "sends"} it:\n${text}`
  })
  const projection = wholeRecords.find((each) => isOfKind(each, kind))
  if (shown.length > 0 || !projection) return shown
  const all = rows.map((row) => JSON.stringify(projection.project(rowOf(row) as never)))
  return [
    `${kind} with all fields; no family in the configuration sends it yet:\n${all.join("\n")}`,
  ]
}

/** What a family sends that leaves nothing out. */
const wholeRecords = [
  ...[whole(event), whole(guest), whole(buyNowItem), whole(auctionItem), whole(pledge)],
  ...[whole(raffle), whole(gliRaffle), whole(ticket)],
]

function isOfKind({ record }: { readonly record: string }, kind: SourceKind): boolean {
  return record.toLowerCase() === kind.replaceAll("_", "")
}

/** Returns how each family shows a kind of record, each once. */
function projectionsOf(kind: SourceKind, routes: Plan["routes"]) {
  const shown = new Map<string, (row: never) => unknown>()
  for (const route of routes) {
    if (route.kind !== "listing" || route.export) continue
    const [, family = route.plugin] = /^(\/.+?\/v\d+)/.exec(route.pattern.text) ?? []
    for (const { projection } of route.list.parts) {
      if (isOfKind(projection, kind) && !shown.has(family)) {
        shown.set(family, (row) => projection.project(row))
      }
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
    ["EVENT", "NAME", "ORGANIZATION", ...columns.map((kind) => kind.toUpperCase())],
    ...[...counts].map(([id, { name, organization, byKind }]) => [
      ...[id, printableLine(name), organization],
      ...columns.map((kind) => String(byKind.get(kind) ?? 0)),
    ]),
  ])
}
