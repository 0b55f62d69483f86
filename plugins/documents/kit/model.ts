import type { Catalogue, MountedRoute, Projection } from "../../../core/plugin.ts"

/** The families that an account may read, as the generated files need them. */
export interface Kit {
  /** The URL of the service: scheme, host and port. */
  readonly server: string
  readonly username: string
  /** True if the service sends whole lists in one response, as NDJSON and CSV. */
  readonly hasRows: boolean
  /** The family of the files first. */
  readonly families: readonly Family[]
}

/** The lists under one prefix. */
export interface Family {
  readonly prefix: string
  /** An event that the account may read; undefined if none is known. */
  readonly eventId: string | undefined
  readonly lists: readonly List[]
  /** The path of the feed of an event's changes, with `:eventId` in it; undefined if there is none. */
  readonly feed: string | undefined
}

/** A list of records, of deletions, a digest or the feed. */
export interface List {
  readonly name: string
  /** From the root, with `:eventId` in it if the list is an event's. */
  readonly path: string
  /** The records, by the part of the body that they are in; none of a digest, an export or the feed. */
  readonly tables: readonly Table[]
  readonly isOfEvent: boolean
  /** The list that this one has the deletions of. */
  readonly deletes: string | undefined
}

/** A kind of record in a list. */
export interface Table {
  /** As `buy_now_item`. */
  readonly name: string
  /** The array in the body; undefined if the body is the array. */
  readonly part: string | undefined
  readonly fields: readonly Field[]
}

/** A field of a record. `json` is an object or an array. */
export interface Field {
  readonly name: string
  readonly kind: FieldKind
  readonly isNullable: boolean
  /** For people; empty if it is not declared. */
  readonly description: string
}

export type FieldKind = "uuid" | "text" | "integer" | "decimal" | "flag" | "json"

/** The event of a record that does not say it. */
export const eventId: Field = { name: "eventId", kind: "uuid", isNullable: false, description: "" }

/** Returns what an account may read. Routes that are only announced are left out. */
export function kitOf(catalogue: Catalogue): Kit {
  const { routes, families, server, reader, records, eventsOf, numbers } = catalogue
  const listings = routes.filter((route) => route.kind === "listing")
    .filter(({ list, pattern }) => list.of === undefined || isFeed(pattern.text))
  return {
    server,
    username: reader?.username ?? "",
    hasRows: numbers.export.records > 0,
    families: families.map((prefix) => {
      const ofFamily = listings.filter((route) => route.prefix === prefix)
      const [first] = ofFamily.flatMap(eventsOf)
      const paths = ofFamily.map(({ pattern }) => pattern.text)
      return {
        prefix,
        eventId: first?.id,
        lists: ofFamily.map((route) => listOf(route, records)),
        feed: paths.find(isFeed),
      }
    }),
  }
}

function isFeed(path: string): boolean {
  return path.endsWith("/:eventId/changes")
}

function listOf(
  route: Extract<MountedRoute, { readonly kind: "listing" }>,
  records: Catalogue["records"],
): List {
  const { name, parts, schema, scope } = route.list
  const path = route.pattern.text
  const [, deletes] = /^(.*)\/deletions$/.exec(path) ?? []
  const tables = schema || route.export || isFeed(path)
    ? []
    : parts.map(({ name: part, projection }) => ({
      name: snake(projection.record),
      part,
      fields: fieldsOf(projection, records),
    }))
  return {
    name: route.export ? `${name}, in one response` : name,
    path,
    tables,
    isOfEvent: scope === "event",
    deletes,
  }
}

/** What is used of a valibot schema. */
interface Shape {
  readonly type: string
  readonly wrapped?: Shape
  readonly pipe?: readonly { readonly type: string }[]
  readonly entries?: Readonly<Record<string, Shape>>
}

function fieldsOf({ record, schema }: Projection, records: Catalogue["records"]): Field[] {
  const declared = records.get(record)?.fields ?? {}
  return Object.entries((schema as Shape).entries ?? {}).map(([name, shape]) => ({
    name,
    kind: kindOf(shape.wrapped ?? shape),
    isNullable: shape.wrapped !== undefined,
    description: declared[name]?.description ?? "",
  }))
}

function kindOf({ type, pipe = [] }: Shape): FieldKind {
  const has = (...actions: string[]) => pipe.some(({ type }) => actions.includes(type))
  if (type === "string") return has("uuid") ? "uuid" : "text"
  if (type === "picklist") return "text"
  if (type === "number") return has("safe_integer", "integer") ? "integer" : "decimal"
  return type === "boolean" ? "flag" : "json"
}

/** Writes `BuyNowItem` and `buyNowItem` as `buy_now_item`. */
export function snake(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
}
