import type { KindColumn } from "./kinds.ts"
import { readTime } from "./zoned-time.ts"

/** A value as the drivers of sources return it. */
export type SourceValue =
  | string
  | number
  | bigint
  | boolean
  | Uint8Array
  | Date
  | object
  | null
  | undefined

/** What a value is read by. */
export interface ReadingRules {
  /** The zone of times that name none. */
  readonly timeZone: string
  /** Whether money comes in units such as pounds, or in minor units such as pence. */
  readonly money: "major" | "minor"
  /** The decimals of the currency. */
  readonly decimals: number
}

/** Why a row cannot be taken over. */
export class Refused extends Error {
  /** A word for what is wrong, by which rows are counted. */
  readonly reason: Reason
  /** The column; empty if it is the row as a whole. */
  readonly column: string

  constructor(reason: Reason, column = "") {
    super(describeReason(reason, column))
    this.reason = reason
    this.column = column
  }
}

export type Reason =
  | "empty"
  | "too long"
  | "not an e-mail address"
  | "not a number"
  | "not a whole number"
  | "too many decimals"
  | "not a time"
  | "neither true nor false"
  | "not a list"
  | "not a currency"
  | "no id"
  | "no event"
  | "no organization"
  | "twice"
  | "refused by the database"

/** Says what is wrong, for people. */
export function describeReason(reason: Reason, column: string): string {
  if (reason === "no event") return "its event is not one that the mapping selects"
  if (reason === "no organization") return "its organization is not one that the mapping selects"
  if (reason === "no id") return "it has no id"
  if (reason === "twice") return "another row has the same id"
  if (reason === "refused by the database") return "the service's database refuses it"
  return `${column} is ${reason}`
}

/** Reads the value of a column as the service's table has it. @throws {Refused} */
export function readValue(
  value: SourceValue,
  column: KindColumn,
  rules: ReadingRules,
): string | number | null {
  const { name, meaning, isNullable, isRequired } = column
  const isEmpty = value === null || value === undefined || value === ""
  if (isEmpty && isRequired) throw new Refused("empty", name)
  if (isEmpty && isNullable) return null
  switch (meaning) {
    case "text":
      return textOf(value, column)
    case "email":
      return emailOf(textOf(value, column), name)
    case "number":
      return isEmpty ? 0 : wholeOf(value, name)
    case "decimal":
      return decimalOf(value, name)
    case "money":
      return moneyOf(value, name, rules)
    case "time":
      return timeOf(value, name, rules.timeZone)
    case "flag":
      return flagOf(value, name)
    case "channels":
      return textOf(isEmpty ? "" : listOf(value, name).join(","), column)
    case "list":
      return JSON.stringify(isEmpty ? [] : listOf(value, name).map(String))
    case "steps":
      return JSON.stringify(isEmpty ? [] : stepsOf(value, name, rules))
  }
}

function textOf(value: SourceValue, { name, length }: KindColumn): string {
  const text = plainText(value)
  if (length !== undefined && [...text].length > length) throw new Refused("too long", name)
  return text
}

/** Returns a value as text: bytes as UTF-8, without the zero bytes that fill up binary columns. */
export function plainText(value: SourceValue): string {
  if (value === null || value === undefined) return ""
  if (value instanceof Uint8Array) return decoder.decode(value).replace(/\0+$/, "")
  if (value instanceof Date) return value.toISOString()
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

const decoder = new TextDecoder()

function emailOf(text: string, name: string): string {
  const trimmed = text.trim()
  if (trimmed !== "" && !/^[^\s@]+@[^\s@]+$/.test(trimmed)) {
    throw new Refused("not an e-mail address", name)
  }
  return trimmed
}

function wholeOf(value: SourceValue, name: string): number {
  const text = plainText(value).trim().replace(/\.0+$/, "")
  if (!/^[+-]?\d+$/.test(text)) {
    throw new Refused(isNaN(Number(text)) ? "not a number" : "not a whole number", name)
  }
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new Refused("not a whole number", name)
  return number
}

function decimalOf(value: SourceValue, name: string): number {
  const text = plainText(value).trim().replace(/%$/, "")
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) throw new Refused("not a number", name)
  if (/\.\d{3}\d*[1-9]/.test(text)) throw new Refused("too many decimals", name)
  return Number(text)
}

/** Computes with the digits: a pound and 99 pence is no binary fraction. */
function moneyOf(value: SourceValue, name: string, { money, decimals }: ReadingRules): number {
  if (money === "minor") return wholeOf(value, name)
  const text = plainText(value).trim()
  const [, sign, whole = "", fraction = ""] = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text) ?? []
  if (sign === undefined || whole + fraction === "") throw new Refused("not a number", name)
  if (/[1-9]/.test(fraction.slice(decimals))) throw new Refused("too many decimals", name)
  return wholeOf(`${sign}${whole}${fraction.slice(0, decimals).padEnd(decimals, "0")}`, name)
}

function timeOf(value: SourceValue, name: string, zone: string): number {
  if (value instanceof Date) return Math.floor(value.getTime() / 1000)
  const text = plainText(value).trim()
  // MySQL's date without a day.
  if (text.startsWith("0000-")) throw new Refused("not a time", name)
  const found = /^-?\d+(\.0*)?$/.test(text) ? Number(text) : readTime(text, zone)
  if (found === undefined || !Number.isSafeInteger(found)) throw new Refused("not a time", name)
  return found
}

const truths: Readonly<Record<string, number>> = {
  ...{ "1": 1, "true": 1, "t": 1, "yes": 1, "y": 1, "on": 1, "\x01": 1 },
  ...{ "0": 0, "false": 0, "f": 0, "no": 0, "n": 0, "off": 0, "\x00": 0, "": 0 },
}

function flagOf(value: SourceValue, name: string): number {
  const text = value instanceof Uint8Array && value.length === 1 && (value[0] as number) < 2
    ? String(value[0])
    : plainText(value).trim().toLowerCase()
  const found = truths[text]
  if (found === undefined) throw new Refused("neither true nor false", name)
  return found
}

/** Reads a list: JSON, an array of Postgres, or words between commas, as MySQL has a set. */
function listOf(value: SourceValue, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  const text = plainText(value).trim()
  if (text.startsWith("[")) {
    const list = parseJson(text)
    if (Array.isArray(list)) return list
    throw new Refused("not a list", name)
  }
  const inside = /^\{(.*)\}$/s.exec(text)?.[1] ?? text
  return inside === "" ? [] : inside.split(",").map((word) => word.trim().replace(/^"(.*)"$/, "$1"))
}

function stepsOf(value: SourceValue, name: string, rules: ReadingRules): readonly unknown[] {
  return listOf(value, name).map((step) => {
    if (typeof step !== "object" || step === null) throw new Refused("not a list", name)
    const { from, step: by } = step as { from?: SourceValue; step?: SourceValue }
    return { from: moneyOf(from, name, rules), step: moneyOf(by, name, rules) }
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the decimals of a currency. @throws {Refused} if it is none of ISO 4217. */
export function decimalsOf(currency: string): number {
  try {
    const format = new Intl.NumberFormat("en", { style: "currency", currency })
    return format.resolvedOptions().maximumFractionDigits ?? 2
  } catch {
    throw new Refused("not a currency", "currency")
  }
}
