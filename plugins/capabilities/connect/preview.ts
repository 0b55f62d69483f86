import type { Plan } from "../../../core/capability.ts"
import { printableLine, textTable } from "../../../core/commands.ts"
import { isChosen } from "../../../core/filters.ts"
import { organizationsOf } from "../../../core/inspection.ts"
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

/** Records of each kind that are shown of a family, and those of an organization from which they are chosen. */
const [mostShown, mostKept] = [3, 200]

/** What a mapping makes of its source. */
interface Preview {
  readonly difference: Difference
  /** The first records of each kind and organization. */
  readonly samples: ReadonlyMap<SourceKind, readonly Sample[]>
  /** By event: its name, and how many records of each kind it has. */
  readonly counts: ReadonlyMap<string, EventCount>
}

interface Sample {
  readonly row: SourceRecord
  /** The slug of its organization. */
  readonly organization: string
}

interface EventCount {
  readonly name: string
  /** The slug of its organization. */
  readonly organization: string
  readonly byKind: Map<SourceKind, number>
}

/** Reads the whole source, and writes nothing. @throws as the source does, and {UserError} for wrong columns. */
export async function previewMapping(source: Source, mapping: Mapping): Promise<Preview> {
  const samples = new Map<SourceKind, Sample[]>()
  const counts = new Map<string, EventCount>()
  const slugs = new Map<unknown, string>()
  const kept = new Map<string, number>()
  const count = (row: SourceRecord) => {
    if (row.kind === "organization") slugs.set(row.id, String(row.record["slug"]))
    if (row.kind === "event") {
      const organization = slugs.get(row.record["organization_id"]) ?? ""
      counts.set(row.id, { name: String(row.record["name"]), organization, byKind: new Map() })
    }
    const { byKind, organization = "" } = counts.get(row.eventId ?? row.id) ?? {}
    if (row.eventId !== null) byKind?.set(row.kind, (byKind.get(row.kind) ?? 0) + 1)
    const name = `${row.kind}/${organization}`
    const before = kept.get(name) ?? 0
    kept.set(name, before + 1)
    const some = samples.get(row.kind) ?? []
    samples.set(row.kind, some)
    if (before < mostKept) some.push({ row, organization })
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
  samples: readonly Sample[],
  routes: Plan["routes"],
): readonly string[] {
  const lists = listsOf(kind, routes).map(([family, { auth, projection }]) => {
    const organizations = organizationsOf(auth)
    const sent = samples.filter(({ row, organization }) =>
      (organizations?.includes(organization) ?? true) &&
      isChosen(projection.filter, consentOf(row))
    ).slice(0, mostShown)
    const text = sent.map(({ row }) => JSON.stringify(projection.project(rowOf(row)))).join("\n")
    const reason = organizations ? `: on for ${organizations.join(", ") || "no organization"}` : ""
    const sentence = projection.filter?.sentence
    return { family, text, reason: sentence ? `${reason}; ${sentence}` : reason }
  })
  const shown = [...Map.groupBy(lists, ({ text, reason }) => text || reason)].map(([, same]) => {
    const families = same.map(({ family }) => family).join(" and ")
    const verb = same.length > 1 ? "send" : "sends"
    const [{ text, reason } = { text: "", reason: "" }] = same
    return text
      ? `${kind} as ${families} ${verb} it:\n${text}`
      : `${kind}: ${families} ${verb} none of these${reason}`
  })
  const projection = wholeRecords.find((each) => isOfKind(each, kind))
  if (lists.some(({ text }) => text) || !projection) return shown
  const all = samples.slice(0, mostShown)
    .map(({ row }) => JSON.stringify(projection.project(rowOf(row))))
  return [
    `${kind} with all fields; no family in the configuration sends it yet:\n${all.join("\n")}`,
    ...shown,
  ]
}

function consentOf({ consent }: SourceRecord): { status: string | null; channels: string | null } {
  const { status = null, channels = null } = consent ?? {}
  return { status, channels } as { status: string | null; channels: string | null }
}

/** What a family sends that leaves nothing out. */
const wholeRecords = [
  ...[whole(event), whole(guest), whole(buyNowItem), whole(auctionItem), whole(pledge)],
  ...[whole(raffle), whole(gliRaffle), whole(ticket)],
]

function isOfKind({ record }: { readonly record: string }, kind: SourceKind): boolean {
  return record.toLowerCase() === kind.replaceAll("_", "")
}

/** Returns the lists that have a kind of record: the first of each family, by its prefix. */
function listsOf(kind: SourceKind, routes: Plan["routes"]) {
  const lists = routes.flatMap((route) => {
    if (route.kind !== "listing" || route.export) return []
    const part = route.list.parts.find(({ projection }) => isOfKind(projection, kind))
    return part ? [[route.prefix, { auth: route.auth, projection: part.projection }] as const] : []
  })
  return [...new Map(lists.toReversed())].toReversed()
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
  if (counts.size === 0) {
    return "No event can be taken over, and so no guest and no item: first correct the SELECT of event."
  }
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
