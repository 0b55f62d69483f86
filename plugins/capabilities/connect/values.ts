import { Buffer, isUtf8 } from "node:buffer"
import type { KindColumn, Meaning } from "./kinds.ts"
import { nameOfZone, readTime } from "./zoned-time.ts"

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

/** How to read values that do not say it themselves. */
export interface ReadingRules {
  /** The zone of times that name none. */
  readonly timeZone: string
  /** Whether money comes in units such as pounds, or in minor units such as pence. */
  readonly money: "major" | "minor"
}

/** Why a row cannot be taken over. */
export class RowRefusal extends Error {
  /** Says what is wrong, by which rows are counted; of a column, as "… is too long". */
  readonly reason: string
  /** The column; empty if it is the row as a whole. */
  readonly column: string

  constructor(reason: string, column = "") {
    super(`${column} ${reason}`)
    this.reason = reason
    this.column = column
  }
}

/** The rules with the decimals of a currency. */
interface CurrencyRules extends ReadingRules {
  readonly decimals: number
}

/** Reads the value of a column as the service's table has it. @throws {RowRefusal} */
export function readValue(
  value: SourceValue,
  column: KindColumn,
  rules: CurrencyRules,
): string | number | null {
  const isNone = isEmpty(value) || column.meaning === "time" && noTime.test(String(value))
  if (!isNone) return readers[column.meaning](value, column, rules)
  if (column.isRequired) throw new RowRefusal("empty", column.name)
  return column.isNullable ? null : emptyValues[column.meaning]
}

/** True for no value, an empty text, and bytes that only fill up a column. */
function isEmpty(value: SourceValue): boolean {
  return value === null || value === undefined || value === "" ||
    value instanceof Uint8Array && value.every((byte) => byte === 0)
}

/** What stands for no time: 0, the day 0 of MySQL, and the first day of .NET and Go. */
const noTime = /^(?:[0.]+$|0000-|0001-01-01)/

const emptyValues = {
  ...{
    text: "",
    slug: "",
    email: "",
    currency: "",
    zone: "",
    channels: "",
    consent: "inactive",
    list: "[]",
    steps: "[]",
  },
  ...{ number: 0, decimal: 0, money: 0, time: null, flag: 0, extra: null },
} as const

/** Returns a value as text. */
export function plainText(value: SourceValue): string {
  if (typeof value === "string") return value
  if (value === null || value === undefined) return ""
  if (value instanceof Uint8Array) return textOfBytes(value)
  if (value instanceof Date) return value.toISOString()
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

/** Returns a key as text. Bytes are a text only if they can be written: a few UUIDs happen to be UTF-8, too. */
export function keyText(value: SourceValue): string {
  const text = plainText(value)
  if (!(value instanceof Uint8Array) || !/\p{Cc}/u.test(text)) return text
  return digitsOfBytes(value)
}

const decoder = new TextDecoder()

/** Returns bytes as UTF-8, without the zero bytes that fill up binary columns; if they are none, as a UUID or hexadecimal digits. */
function textOfBytes(bytes: Uint8Array): string {
  return isUtf8(bytes) ? decoder.decode(bytes).replace(/\0+$/, "") : digitsOfBytes(bytes)
}

function digitsOfBytes(bytes: Uint8Array): string {
  const digits = Buffer.from(bytes).toString("hex")
  return bytes.length === 16 ? digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-") : digits
}

const readers: Readonly<
  Record<Meaning, (value: SourceValue, column: KindColumn, rules: CurrencyRules) => string | number>
> = {
  text: textOf,
  slug: slugOf,
  email: emailOf,
  currency: currencyOf,
  zone: zoneOf,
  number: wholeOf,
  decimal: decimalOf,
  money: moneyOf,
  time: timeOf,
  flag: flagOf,
  consent: (value) =>
    plainText(value).trim().toLowerCase() === "active" || truthOf(value) === 1
      ? "active"
      : "inactive",
  channels: channelsOf,
  list: (value, column) => JSON.stringify(wordsOf(value, column)),
  steps: (value, column, rules) => JSON.stringify(stepsOf(value, column, rules)),
  extra: extraOf,
}

function textOf(value: SourceValue, { name, length = Infinity }: KindColumn): string {
  // Other bytes may be of any character set.
  if (value instanceof Uint8Array && !isUtf8(value)) throw new RowRefusal("not text in UTF-8", name)
  const text = plainText(value)
  if (text.length > length && [...text].length > length) throw new RowRefusal("too long", name)
  return text
}

/** Reads the fields of the platform's own: a JSON object. */
function extraOf(value: SourceValue, { name }: KindColumn): string {
  const members = parseJson(plainText(value))
  if (typeof members === "object" && members !== null && !Array.isArray(members)) {
    return JSON.stringify(members)
  }
  throw new RowRefusal("not a JSON object", name)
}

/** Makes what a configuration can name an organization by: `St Agnes` is `st-agnes`. */
function slugOf(value: SourceValue, column: KindColumn): string {
  const slug = textOf(value, column).toLowerCase().replace(/[^a-z\d]+/g, "-").replace(/^-|-$/g, "")
  if (slug === "") throw new RowRefusal("without letters and digits", column.name)
  return slug
}

function emailOf(value: SourceValue, column: KindColumn): string {
  const { name } = column
  const trimmed = textOf(value, column).trim()
  if (trimmed !== "" && !/^[^\s@]+@[^\s@]+$/.test(trimmed)) {
    throw new RowRefusal("not an e-mail address", name)
  }
  return trimmed
}

function wholeOf(value: SourceValue, { name }: KindColumn): number {
  const text = digitsOf(value).replace(/\.0+$/, "")
  const number = Number(text)
  if (text === "" || isNaN(number)) throw new RowRefusal("not a number", name)
  if (/^[+-]?\d+$/.test(text) && Number.isSafeInteger(number)) return number
  throw new RowRefusal("not a whole number", name)
}

/** Returns the digits of a number: of a binary fraction those that it stands for, 0.3 for 0.30000000000000004. */
function digitsOf(value: SourceValue): string {
  return typeof value === "number" && !Number.isInteger(value)
    ? String(Number(value.toPrecision(15)))
    : plainText(value).trim()
}

function decimalOf(value: SourceValue, { name }: KindColumn): number {
  const text = digitsOf(value).replace(/%$/, "")
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) throw new RowRefusal("not a number", name)
  if (/\.\d{3}\d*[1-9]/.test(text)) throw new RowRefusal("too precise", name)
  return Number(text)
}

/** Computes with the digits: a binary fraction cannot hold 19.99. */
function moneyOf(
  value: SourceValue,
  column: KindColumn,
  { money, decimals }: CurrencyRules,
): number {
  if (money === "minor") return wholeOf(value, column)
  const { name } = column
  const text = digitsOf(value)
  const [, sign, whole = "", fraction = ""] = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text) ?? []
  if (sign === undefined || whole + fraction === "") throw new RowRefusal("not a number", name)
  if (/[1-9]/.test(fraction.slice(decimals))) throw new RowRefusal("too precise", name)
  return wholeOf(`${sign}${whole}${fraction.slice(0, decimals).padEnd(decimals, "0")}`, column)
}

/** A time of the year 1973. Smaller numbers are such as 20261130, or the day of a spreadsheet. */
const firstNumber = 100_000_000

function timeOf(
  value: SourceValue,
  { name, greatest }: KindColumn,
  { timeZone }: CurrencyRules,
): number {
  if (value instanceof Date) return Math.floor(value.getTime() / 1000)
  const text = plainText(value).trim()
  const isNumber = /^-?\d+(\.\d*)?$/.test(text)
  const found = isNumber ? Math.floor(Number(text)) : readTime(text, timeZone)
  if (found === undefined) throw new RowRefusal("not a time", name)
  if (found > greatest) throw new RowRefusal("later than the year 9999, as milliseconds are", name)
  if (isNumber && found < firstNumber) throw new RowRefusal("too small for Unix seconds", name)
  return found
}

const truths = new Map([
  ...["1", "true", "t", "yes", "y", "on", "\x01"].map((word) => [word, 1] as const),
  ...["0", "false", "f", "no", "n", "off", "\x00", ""].map((word) => [word, 0] as const),
])

function flagOf(value: SourceValue, { name }: KindColumn): number {
  const found = truthOf(value)
  if (found === undefined) throw new RowRefusal("neither true nor false", name)
  return found
}

function truthOf(value: SourceValue): number | undefined {
  // MySQL's bit is a byte. `plainText` would cut off a zero.
  const text = value instanceof Uint8Array && value.length === 1
    ? String.fromCharCode(value[0] as number)
    : plainText(value).trim()
  return truths.get(text.toLowerCase().replace(/\.0+$/, ""))
}

/** Reads a list: JSON, also within a JSON string; an array of Postgres; or words between separators. */
function listOf(value: SourceValue, column: KindColumn): readonly unknown[] {
  if (Array.isArray(value)) return value
  const text = plainText(value).trim()
  const parsed = /^["[]/.test(text) ? parseJson(text) : undefined
  if (typeof parsed === "string") return listOf(parsed, column)
  if (Array.isArray(parsed)) return parsed
  const inside = /^\{(.*)\}$/s.exec(text)?.[1]
  const words = inside === undefined ? text.match(separatedWords) : inside.match(arrayWords)
  return words?.map((word) => unquoted(word.trim(), column)) ?? []
}

/** Spreadsheets write commas and semicolons, CRMs also bars and control characters. */
const separatedWords = /(?:"(?:[^"\\]|\\.)*"|[^,;|\p{Cc}])+/gsu
const arrayWords = /(?:"(?:[^"\\]|\\.)*"|[^,])+/gs

/** Returns what a word of a list means. @throws {RowRefusal} for one that is a part of something else, such as a JSON object. */
function unquoted(word: string, { name }: KindColumn): string | null {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/s.exec(word)?.[1]
  if (quoted !== undefined) return quoted.replace(/\\(.)/gs, "$1")
  if (/^(?:["[]|- |---$)|[{}]/.test(word)) throw new RowRefusal(noList, name)
  return word.toLowerCase() === "null" ? null : word
}

const noList = "not a list"

/** Returns the words of a list, without those that are empty. @throws {RowRefusal} for lists of anything else. */
function wordsOf(value: SourceValue, column: KindColumn): readonly string[] {
  return listOf(value, column).map((word) => {
    if (typeof word === "object" && word !== null) throw new RowRefusal(noList, column.name)
    return String(word ?? "")
  }).filter((word) => word !== "")
}

/** @throws {RowRefusal} if the list may also name channels that the guest does not want, such as `sms=0`. */
function channelsOf(value: SourceValue, column: KindColumn): string {
  const words = wordsOf(value, column)
  if (words.some((word) => /[:=]/.test(word))) throw new RowRefusal(noList, column.name)
  return textOf(words.join(","), column)
}

/** Reads the steps of bids: a list of `{from, step}`, or one step for all. */
function stepsOf(
  value: SourceValue,
  column: KindColumn,
  rules: CurrencyRules,
): readonly unknown[] {
  if (/^[\d.]+$/.test(plainText(value).trim())) {
    return [{ from: 0, step: moneyOf(value, column, rules) }]
  }
  return listOf(value, column).map((step) => {
    const { from, step: by } = (step ?? {}) as { from?: SourceValue; step?: SourceValue }
    return { from: moneyOf(from, column, rules), step: moneyOf(by, column, rules) }
  })
}

/** Returns a number that JavaScript cannot hold as its text: it may be an id. */
function exact(
  _key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  return typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER
    ? context?.source ?? value
    : value
}

/** Returns undefined for what is not JSON. Numbers that JavaScript cannot hold become texts. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, exact)
  } catch {
    return undefined
  }
}

/** The decimals of the currencies of ISO 4217 that do not have two. Runtimes know what people write instead: of HUF none. */
const otherDecimals = new Map([
  ...[
    ...["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND"],
    ...["VUV", "XAF", "XOF", "XPF"],
  ].map((currency) => [currency, 0] as const),
  ...["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"].map((currency) => [currency, 3] as const),
  ...["CLF", "UYW"].map((currency) => [currency, 4] as const),
])

/** Returns the decimals of a currency. @throws {RowRefusal} if ISO 4217 does not have it. */
export function decimalsOf(currency: string): number {
  if (!/^[a-z]{3}$/i.test(currency)) throw new RowRefusal("not a currency", "currency")
  return otherDecimals.get(currency.toUpperCase()) ?? 2
}

/** Programs for payments write currencies in lower case. */
function currencyOf(value: SourceValue, column: KindColumn): string {
  const currency = textOf(plainText(value).trim(), column)
  decimalsOf(currency)
  return currency.toUpperCase()
}

function zoneOf(value: SourceValue, column: KindColumn): string {
  const zone = nameOfZone(textOf(plainText(value).trim(), column))
  if (zone === undefined) throw new RowRefusal("not a time zone", column.name)
  return zone
}
