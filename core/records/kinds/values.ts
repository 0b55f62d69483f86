import * as v from "valibot"
import { sha256 } from "../../data/sha256.ts"
import type { Field } from "./fields.ts"

/**
 * A column holds what its field cannot be: the record must not leave the database. The embedded database takes any value
 * for a column, and a number or a JSON value of MySQL may be one that no field has.
 */
export class WrongValue extends Error {
  override readonly name = "WrongValue"
  /** As `table.column`, such as `guest.sms_opt_in`; an address has its kind in the place of the table. */
  readonly column: string

  constructor(column: string) {
    super(`${column} holds what the field cannot be`)
    this.column = column
  }
}

/** A record that is left out because a column holds what its field cannot be, or because its id is not a UUID. */
export type OmittedRecord = { readonly id: string; readonly column: string } | typeof wrongId

/** Stands for a record whose id is not a UUID: the id may be anything, such as an address. */
export const wrongId = { id: undefined, column: "id" } as const

/** The form of the ids of records and events. */
export const uuid = /^[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}$/

/** Returns true for a UUID. No record with another id leaves the database: partners put ids into programs, paths and pages. */
export function isId(id: string): boolean {
  return uuid.test(id)
}

/** Returns the value of a field from what its column holds. @throws {WrongValue} */
export type ReadValue = (stored: unknown) => unknown

/** Returns what reads the values of a field. Its errors name the column. */
export function valueReader(field: Field, column: string): ReadValue {
  const { member, isHashed } = field
  const wrong = (): never => {
    throw new WrongValue(column)
  }
  const read = readerOf(field, wrong)
  const readMember = member === undefined
    ? read
    : (stored: unknown) => read((membersOf(stored) ?? wrong())[member])
  return isHashed ? (stored) => hashOf(readMember(stored)) : readMember
}

function readerOf(
  { kind, isNullable, greatest, otherwise = "", schema, member }: Field,
  wrong: () => never,
): ReadValue {
  const absent = (value: unknown): value is null | undefined =>
    value === null || value === undefined
  switch (kind) {
    case "flag":
      return (value) => {
        if (value === 1 || value === true) return true
        return value === 0 || value === false || absent(value) ? false : wrong()
      }
    case "number": {
      const isRight = greatest === undefined
        ? Number.isFinite
        : (value: unknown) => Number.isSafeInteger(value) && Number(value) <= greatest
      return (value) => isRight(value) ? value : isNullable && absent(value) ? null : wrong()
    }
    case "document":
      if (member !== undefined) {
        return (value) => v.is(schema, value ?? null) ? value ?? null : wrong()
      }
      return (value) => {
        if (value === "[]") return []
        const parsed = typeof value === "string" ? parse(value) : undefined
        return v.is(schema, parsed) ? parsed : wrong()
      }
    case "uuid":
      return (value) => typeof value === "string" ? value : wrong()
    default:
      return (value) => {
        if (typeof value === "string") return value
        return absent(value) ? (isNullable ? null : otherwise) : wrong()
      }
  }
}

/** The object that was read last: each member of it is read by itself. */
let latest:
  | { readonly text: string; readonly members: Readonly<Record<string, unknown>> }
  | undefined

/** Returns the members of the JSON object in a column; none if it is null, undefined if it holds anything else. */
function membersOf(stored: unknown): Readonly<Record<string, unknown>> | undefined {
  if (stored === null || stored === undefined) return {}
  if (typeof stored !== "string") return undefined
  if (latest?.text === stored) return latest.members
  const parsed = parse(stored)
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return undefined
  const members = Object.assign(Object.create(null), parsed)
  latest = { text: stored, members }
  return members
}

/** Returns the SHA-256 that advertising platforms match by: of the text in lower case, without spaces around it. */
function hashOf(value: unknown): unknown {
  const text = typeof value === "string" ? value.trim().toLowerCase() : ""
  if (text === "") return value === null ? null : ""
  return sha256(text)
}

function parse(text: string): unknown {
  try {
    // An escaped half of an emoji would make strict readers refuse the whole answer.
    return text.includes("\\u") ? JSON.parse(text, wellFormed) : JSON.parse(text)
  } catch {
    return undefined
  }
}

function wellFormed(_name: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value
}
