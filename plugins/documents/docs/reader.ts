import type {
  Catalogue,
  EventName,
  MountedRoute,
  Numbers,
  Projection,
} from "../../../core/plugin.ts"

/** The most families to choose from: operators may read all. */
const mostFamilies = 10

/** An event in one of the reader's families, for the examples. */
export interface Example {
  /** The path of the family, such as `/acme/v1`. */
  readonly family: string
  readonly event: EventName | undefined
}

/** The reader's values to fill in. Equal readers get equal texts. */
export interface DocsReader {
  /** The service's URL as the reader sees it. */
  readonly origin: string
  /** Undefined without a session. */
  readonly username: string | undefined
  readonly numbers: Numbers
  /** The family and event in the examples; undefined if the reader has no family. */
  readonly example: Example | undefined
  /** All families and events to choose from. */
  readonly choices: readonly Example[]
  /** The fields of the records that the reader may read. */
  readonly records: readonly FamilyRecord[]
}

/** One kind of record that a family returns. */
export interface FamilyRecord {
  /** The path of the family. */
  readonly family: string
  /** As in `Catalogue.records`. */
  readonly record: string
  readonly fields: readonly string[]
  /** Fields that the record does not declare. */
  readonly own?: Projection["own"]
  /** Says which of these records the family has; undefined for all. */
  readonly filter?: string | undefined
}

/**
 * Returns the reader of a catalogue, who may choose among its first families. `chosen` is the path of an event from
 * `pathOf`. Without a valid choice, the examples use the newest event of the first family that has one.
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

/** True for a family's list of events. */
function isEventList(route: MountedRoute): boolean {
  return route.kind === "listing" && route.list.name === "events" &&
    route.pattern.text.endsWith("/events")
}

/** Returns the distinct records that lists return. Exports, feeds and single records return the same ones. */
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
