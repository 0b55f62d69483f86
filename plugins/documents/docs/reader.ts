import type {
  Catalogue,
  EventName,
  MountedRoute,
  Numbers,
  Projection,
} from "../../../core/plugin.ts"

/** The most families that are offered: operators see all. */
const mostFamilies = 10

/** An event in a family of the reader's, for the examples. */
export interface Example {
  /** The path of the family, such as `/acme/v1`. */
  readonly family: string
  readonly event: EventName | undefined
}

/** Who reads the guide: what is filled in. Texts for equal readers are equal. */
export interface DocsReader {
  /** The URL of the service for the reader. */
  readonly origin: string
  /** Undefined without a session. */
  readonly username: string | undefined
  readonly numbers: Numbers
  /** What the examples name; undefined if the reader may use no family. */
  readonly example: Example | undefined
  /** All that they could name. */
  readonly choices: readonly Example[]
  /** The fields of the records that the reader may read. */
  readonly records: readonly FamilyRecord[]
}

/** The records of one kind that a family returns. */
export interface FamilyRecord {
  /** The path of the family. */
  readonly family: string
  /** As in `Catalogue.records`. */
  readonly record: string
  readonly fields: readonly string[]
  /** Those that the record does not declare. */
  readonly own?: Projection["own"]
  /** Says which of them the family has; undefined for all. */
  readonly filter?: string | undefined
}

/**
 * Returns the reader of a catalogue, whose first families they may choose from. `chosen` is the path of an event, as
 * `pathOf` returns it: without it, or if it is none of the reader's first events, the examples name the newest event of
 * the first family that has one.
 */
export function readerOf(catalogue: Catalogue, chosen: string | null): DocsReader {
  const { server: origin, reader, families, numbers } = catalogue
  const lists = reader ? catalogue.routes.filter(isEventList) : []
  const rank = ({ prefix }: MountedRoute) => families.indexOf(prefix)
  const choices = lists.toSorted((a, b) => rank(a) - rank(b)).slice(0, mostFamilies)
    .flatMap((route): Example[] => {
      const family = route.pattern.text.replace(/\/events$/, "")
      const events = catalogue.eventsOf(route)
      return (events.length > 0 ? events : [undefined]).map((event) => ({ family, event }))
    })
  const example = choices.find((choice) => pathOf(choice) === chosen) ??
    choices.find(({ event }) => event) ?? choices[0]
  const records = reader ? recordsOf(catalogue) : []
  return { origin, username: reader?.username, numbers, example, choices, records }
}

/** Returns the path of an example's event, or of its family if it has no event. */
export function pathOf({ family, event }: Example): string {
  return event ? `${family}/events/${event.id}` : family
}

/** Lists of events of families: their path ends with `/events`. */
function isEventList(route: MountedRoute): boolean {
  return route.kind === "listing" && route.list.name === "events" &&
    route.pattern.text.endsWith("/events")
}

/** Returns what lists of records return, each once. Exports, feeds and single records have the same. */
function recordsOf({ routes, families, records }: Catalogue): FamilyRecord[] {
  const found = families.slice(0, mostFamilies).flatMap((family) =>
    routes.filter((route) => route.prefix === family).flatMap((route) =>
      route.kind === "listing" && !route.export && !route.list.of && !route.list.schema
        ? route.list.parts.map(({ projection: { record, fields, own, filter } }) => ({
          family,
          record,
          fields,
          own,
          filter: record === "Guest" ? filter?.sentence : undefined,
        }))
        : []
    )
  )
  return found.filter(({ family, record }, at) =>
    records.has(record) &&
    found.findIndex((each) => each.family === family && each.record === record) === at
  )
}
