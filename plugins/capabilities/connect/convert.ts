import { hash } from "node:crypto"
import { UserError } from "../../../core/capability.ts"
import { suggest } from "../../../core/commands.ts"
import type { Columns } from "../../../core/tables.ts"
import { idOf } from "./ids.ts"
import {
  addressKinds,
  columnsOf,
  keyColumns,
  type Kind,
  type KindColumn,
  type Part,
  plainName,
} from "./kinds.ts"
import type { Mapping } from "./mapping.ts"
import type { SourceRow } from "./sources/source.ts"
import { decimalsOf, plainText, readValue, Refused } from "./values.ts"

/** What a row has become: rows of the service's tables. */
export interface Taken {
  readonly kind: Kind
  readonly key: string
  readonly id: string
  /** The event that it belongs to; null of organizations and events. */
  readonly eventId: string | null
  readonly record: Columns
  /** The guest's consent; null if the row has none. */
  readonly consent: Columns | null
  /** The event that the record belonged to before; undefined if it has not moved. */
  readonly movedFrom?: string | undefined
  readonly addresses: readonly Columns[]
  /** Of all that partners can see of it. */
  readonly hash: string
  readonly sourceHash: string
}

/** Where rows may belong to: what the mapping selects. */
export interface Places {
  readonly organizations: ReadonlySet<string>
  /** By id: the decimals of the event's currency. */
  readonly events: ReadonlyMap<string, number>
}

/** What decides besides the row what becomes of it. */
type Rules = Pick<Mapping, "timeZone" | "money" | "hash">

/** Turns rows of one SELECT into the service's. */
export class RowReader {
  readonly #kind: Kind
  readonly #mapping: Rules
  readonly #places: Places
  /** Where the row has its own key, and that of its event or organization. */
  readonly #keyAt: number
  readonly #ownerAt: number
  readonly #columns: readonly { readonly column: KindColumn; readonly at: number }[]

  /** @throws {UserError} for columns that are missing or unknown. */
  constructor(
    kind: Kind,
    columns: readonly string[],
    { mapping, places }: { readonly mapping: Rules; readonly places: Places },
  ) {
    const positions = new Map(columns.map((name, at) => [plainName(name), at]))
    this.#kind = kind
    this.#mapping = mapping
    this.#places = places
    const owner = ownerOf(kind)
    assertColumns(kind, columns)
    this.#keyAt = positions.get("id") as number
    this.#ownerAt = owner === undefined ? -1 : positions.get(owner) as number
    this.#columns = columnsOf(kind).map((column) => ({
      column,
      at: positions.get(plainName(column.name)) ?? -1,
    }))
  }

  /** The key of a row in its source; empty if it has none. */
  keyOf(row: SourceRow): string {
    return plainText(row[this.#keyAt])
  }

  idOf(row: SourceRow): string {
    return idOf(this.#kind, this.keyOf(row))
  }

  /** Stands for a row as the source has it, and for what else decides what becomes of it. */
  sourceHashOf(row: SourceRow): string {
    const decimals = this.#places.events.get(this.#eventOf(row) ?? "")
    let text = `${this.#mapping.hash} ${decimals}`
    for (const value of row) text += value === null ? "\u0001" : `\u0000${plainText(value)}`
    return hash("md5", text, "base64url")
  }

  /** Takes a row over. @throws {Refused} with the first thing that is wrong with it. */
  read(row: SourceRow): Taken {
    const key = this.keyOf(row)
    if (key === "" || [...key].length > 191) throw new Refused("no id")
    const { timeZone, money } = this.#mapping
    const id = this.idOf(row)
    const eventId = this.#eventOf(row) ?? null
    const owner = this.#ownerOf(row, id)
    const decimals = this.#places.events.get(eventId ?? "") ?? 2
    const parts: Record<string, Record<string, string | number | null>> = {}
    for (const { column, at } of this.#columns) {
      // Without a time of its own, the service says when the record was made.
      if (at < 0 && column.name === "created") continue
      const value = readValue(row[at], column, { timeZone, money, decimals })
      if (column.name === "created" && value === null) continue
      const part = parts[column.part] ??= {}
      part[column.column] = value
    }
    if (this.#kind === "event") decimalsOf(String(parts["record"]?.["currency"]))
    const of = { event_id: eventId, guest_id: id }
    const consent = parts["consent"] && { ...parts["consent"], status: statusOf(parts["consent"]) }
    const addresses = Object.values(addressKinds).flatMap((kind) => {
      const address = parts[kind satisfies Part]
      return address && isGiven(address) ? [{ ...of, kind, ...address }] : []
    })
    const record = { ...owner, id, ...parts["record"] }
    const taken = {
      ...{ kind: this.#kind, key, id, eventId, record, addresses },
      // To partners, one of which nothing is given looks like none.
      consent: consent && isGiven({ ...consent, status: consent.status === "active" })
        ? { ...of, ...consent }
        : null,
    }
    const text = JSON.stringify([record, taken.consent, addresses])
    return { ...taken, hash: hash("md5", text, "base64url"), sourceHash: this.sourceHashOf(row) }
  }

  #eventOf(row: SourceRow): string | undefined {
    return ownerOf(this.#kind) === "event"
      ? idOf("event", plainText(row[this.#ownerAt]))
      : undefined
  }

  /** Returns the columns that say what a row belongs to. @throws {Refused} if the mapping does not select that. */
  #ownerOf(row: SourceRow, id: string): Columns {
    const owner = ownerOf(this.#kind)
    if (owner === undefined) return {}
    if (owner === "event") {
      const event_id = this.#eventOf(row) as string
      if (!this.#places.events.has(event_id)) throw new Refused("no event")
      return { event_id }
    }
    const organization_id = idOf("organization", plainText(row[this.#ownerAt]))
    if (!this.#places.organizations.has(organization_id)) throw new Refused("no organization")
    return { organization_id, id }
  }
}

function ownerOf(kind: Kind): "organization" | "event" | undefined {
  return kind === "organization" ? undefined : kind === "event" ? "organization" : "event"
}

/** @throws {UserError} that names each column which is missing, or which no field has. */
function assertColumns(kind: Kind, columns: readonly string[]): void {
  const keys = keyColumns[kind === "organization" || kind === "event" ? kind : "record"]
  const known = columnsOf(kind)
  const names = new Map(
    [...keys, ...known.map(({ name }) => name)].map((name) => [plainName(name), name]),
  )
  const found = new Set(columns.map(plainName))
  const unknown = columns.filter((name) => !names.has(plainName(name)))
    .map((name) => `has an unknown column ${name}${suggest(name, [...names.values()], 3)}`)
  const needed = [...keys, ...known.filter(({ isRequired }) => isRequired).map(({ name }) => name)]
  const missing = needed.filter((name) => !found.has(plainName(name))).map((name) =>
    `lacks the column ${name}`
  )
  const [wrong] = [...missing, ...unknown]
  if (wrong) {
    throw new UserError(
      `The SELECT of ${kind} ${[...missing, ...unknown].join("; it ")}. Nothing was changed.`,
    )
  }
}

/** An address or a consent is there if anything of it is. */
function isGiven(part: Columns): boolean {
  return Object.values(part).some(Boolean)
}

function statusOf(consent: Columns): "active" | "inactive" {
  return consent["status"] === "active" ? "active" : "inactive"
}

/** Returns a row with the event that its record leaves by it, if it was taken over before. */
export function movedFrom(
  taken: Taken,
  before: { readonly eventId: string | null } | undefined,
): Taken {
  const from = before?.eventId
  return from && from !== taken.eventId ? { ...taken, movedFrom: from } : taken
}
