import { hash } from "node:crypto"
import { UserError } from "../../../core/capability.ts"
import { suggest } from "../../../core/commands.ts"
import type { Columns } from "../../../core/tables.ts"
import { idOf, isUuid } from "./ids.ts"
import {
  addressKinds,
  columnsOf,
  type KindColumn,
  ownerOf,
  plainName,
  type SourceKind,
} from "./kinds.ts"
import type { SourceRow } from "./sources/source.ts"
import { decimalsOf, keyText, type ReadingRules, readValue, RowRefusal } from "./values.ts"

/** What a row has become: rows of the service's tables. */
export interface SourceRecord {
  readonly kind: SourceKind
  readonly key: string
  readonly id: string
  /** The event that it belongs to; null of organizations and events. */
  readonly eventId: string | null
  readonly record: Columns
  /** The guest's consent; null if the row has none. */
  readonly consent: Columns | null
  readonly addresses: readonly Columns[]
  /** Of all that partners can see of it. */
  readonly hash: string
}

/** A row with the values that its record will have. */
export interface ReadRow {
  readonly key: string
  readonly owner: string
  readonly values: readonly (string | number | null)[]
  readonly hash: string
}

/** What rows may belong to, by id. */
export interface Places {
  readonly organizations: Set<string>
  /** With the decimals of the event's currency. */
  readonly events: Map<string, number>
}

/** Characters of a key. */
export const longestKey = 191

/** Turns rows of one SELECT into the service's. */
export class RowReader {
  readonly #kind: SourceKind
  /** With the decimals of the currency of the row that is read. */
  readonly #rules: ReadingRules & { decimals: number }
  readonly #places: Places
  /** The event whose file has the rows: the keys of several files may be the same. */
  readonly #file: string | undefined
  /** Where a row has its own key, and that of its event or organization. */
  readonly #keyAt: number
  readonly #ownerAt: number
  readonly #columns: readonly { readonly column: KindColumn; readonly at: number }[]
  /** The ids of owners by their keys: there are few. */
  readonly #owners = new Map<string, string>()

  /** @throws {UserError} for columns that are missing or unknown. */
  constructor(
    kind: SourceKind,
    columns: readonly string[],
    { rules, places, file }: {
      readonly rules: ReadingRules
      readonly places: Places
      readonly file?: string | undefined
    },
  ) {
    const names = columns.map(plainName)
    assertColumns(kind, columns)
    this.#kind = kind
    this.#rules = { ...rules, decimals: 2 }
    this.#places = places
    this.#file = file
    this.#keyAt = names.indexOf("id")
    this.#ownerAt = names.indexOf(ownerOf(kind) ?? "")
    // Without a time of its own, the service says when the record was made.
    this.#columns = columnsOf(kind)
      .map((column) => ({ column, at: names.indexOf(plainName(column.name)) }))
      .filter(({ column, at }) => at >= 0 || column.name !== "created")
  }

  /** The key of a row in its source; empty if it has none. */
  keyOf(row: SourceRow): string {
    const key = keyText(row[this.#keyAt])
    return isUuid(key) ? key.toLowerCase() : key
  }

  /** Returns the id of the owner of a row, empty if its kind has none; undefined if the owner was not taken over. */
  ownerOf(row: SourceRow): string | undefined {
    const owner = ownerOf(this.#kind)
    if (owner === undefined) return ""
    const key = keyText(row[this.#ownerAt])
    const id = this.#owners.get(key) ?? idOf(owner, key)
    this.#owners.set(key, id)
    const { events, organizations } = this.#places
    return (owner === "event" ? events : organizations).has(id) ? id : undefined
  }

  /** Returns the id of the record with a key. */
  idOf(key: string): string {
    return idOf(this.#kind, this.#file === undefined || isUuid(key) ? key : `${this.#file}/${key}`)
  }

  /** Reads the values of a row. @throws {RowRefusal} with the first thing that is wrong with it. */
  read(row: SourceRow, { key, owner }: Pick<ReadRow, "key" | "owner">): ReadRow {
    if (key === "" || key.length > longestKey) {
      throw new RowRefusal(`it has no id of at most ${longestKey} characters`)
    }
    const rules = this.#rules
    rules.decimals = this.#places.events.get(owner) ?? 2
    const values = this.#columns.map(({ column, at }) => readValue(row[at], column, rules))
    this.#notePlace(key, values)
    return { key, owner, values, hash: hash("md5", JSON.stringify([owner, values]), "base64url") }
  }

  /** Returns what a row becomes. */
  recordOf({ key, owner, values, hash }: ReadRow): SourceRecord {
    const id = this.idOf(key)
    const eventId = ownerOf(this.#kind) === "event" ? owner : null
    const parts: Record<string, Record<string, string | number | null>> = { record: {} }
    for (const [index, { column }] of this.#columns.entries()) {
      const value = values[index] ?? null
      if (column.name === "created" && value === null) continue
      const part = parts[column.part] ??= {}
      part[column.column] = value
    }
    const of = { event_id: eventId, guest_id: id }
    const { record, consent } = parts
    return {
      ...{ kind: this.#kind, key, id, eventId, hash },
      record: { id, ...ownerColumns(this.#kind, owner), ...record },
      // Partners cannot tell an empty consent from a missing one.
      consent:
        consent && (consent["status"] === "active" || consent["asked"] || consent["channels"])
          ? { ...of, ...consent }
          : null,
      addresses: Object.values(addressKinds).flatMap((kind) => {
        const address = parts[kind]
        return address && Object.values(address).some(Boolean) ? [{ ...of, kind, ...address }] : []
      }),
    }
  }

  /** Notes that other rows may belong to this one. */
  #notePlace(key: string, values: ReadRow["values"]): void {
    if (this.#kind === "organization") this.#places.organizations.add(this.idOf(key))
    if (this.#kind !== "event") return
    const at = this.#columns.findIndex(({ column }) => column.name === "currency")
    this.#places.events.set(this.idOf(key), decimalsOf(String(values[at])))
  }
}

function ownerColumns(kind: SourceKind, owner: string): Columns {
  const of = ownerOf(kind)
  return of === undefined ? {} : { [`${of}_id`]: owner }
}

/** @throws {UserError} that names each missing and each unknown column. */
function assertColumns(kind: SourceKind, columns: readonly string[]): void {
  const known = columnsOf(kind)
  const keys = ["id", ownerOf(kind) ?? "id"]
  const names = new Set([...keys, ...known.map(({ name }) => name)])
  const plain = new Set([...names].map(plainName))
  const found = new Set(columns.map(plainName))
  const all = columns.map(plainName)
  const doubled = columns.filter((name, at) => all.indexOf(plainName(name)) < at)
  const needed = [...keys, ...known.filter(({ isRequired }) => isRequired).map(({ name }) => name)]
  const wrong = [
    ...needed.filter((name) => !found.has(plainName(name))).map((name) =>
      `lacks the column ${name}`
    ),
    ...doubled.map((name) => `has the column ${name} twice`),
    ...columns.filter((name) => !plain.has(plainName(name)))
      .map((name) => `has an unknown column ${name}${suggest(name, [...names], 3)}`),
  ]
  if (wrong.length === 0) return
  throw new UserError(`The SELECT of ${kind} ${wrong.join("; it ")}. Nothing was changed.`)
}
