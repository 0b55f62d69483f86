import { RawRow, type ResultRow } from "../../data/mysql/raw-row.ts"
import { type Fields, relationsOf } from "../fields.ts"
import { writeJson } from "./json-text.ts"
import { compileWriter, type RecordWriter } from "./record-writer.ts"

/** The rows that one record is made from, by relation; raw or decoded. */
export type ResultRows = Readonly<Record<string, ResultRow | undefined>>

/** A list of records that is written as JSON straight from raw rows. */
export class JsonRecords {
  readonly #rows: readonly ResultRows[]
  readonly #writer: RecordWriter

  constructor(rows: readonly ResultRows[], writer: RecordWriter) {
    this.#rows = rows
    this.#writer = writer
  }

  /** The number of records. */
  get count(): number {
    return this.#rows.length
  }

  /** Appends the records to `text`, with commas between. */
  write(text: JsonText): void {
    const { relations, most, write } = this.#writer
    const rows: (RawRow | undefined)[] = []
    let isFirst = true
    const writeRecord = (out: DataView, end: number) => {
      if (!isFirst) out.setUint8(end++, comma)
      return write(out, end, rows)
    }
    for (const byRelation of this.#rows) {
      let size = 0
      for (let i = 0; i < relations.length; i++) {
        const row = rows[i] = byRelation[relations[i] as string] as RawRow | undefined
        if (row) size += row.size
      }
      text.extend(1 + most + 6 * size, writeRecord)
      isFirst = false
    }
  }

  /** The records as values, for a caller that looks into them. */
  toJSON(): unknown {
    return JSON.parse(new TextDecoder().decode(encodeLists(this)))
  }
}

const comma = 0x2c

const smallest = 64 * 1024
/** Memory above this many bytes is released after each use. */
const muchMemory = 8 * 1024 * 1024

/** A growing text. Its memory is used again, so a text must be taken before the next one begins. */
class JsonText {
  #view = new DataView(new ArrayBuffer(smallest))
  #end = 0

  write(text: string): void {
    this.extend(3 * text.length, (out, end) => writeJson(out, end, text))
  }

  /** Reserves `most` bytes and calls `write`, which returns the new end. */
  extend(most: number, write: (out: DataView, end: number) => number): void {
    if (this.#end + most > this.#view.byteLength) this.#grow(most)
    this.#end = write(this.#view, this.#end)
  }

  take(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#view.buffer.slice(0, this.#end))
  }

  clear(): void {
    this.#end = 0
    if (this.#view.byteLength > muchMemory) this.#view = new DataView(new ArrayBuffer(smallest))
  }

  #grow(most: number): void {
    const grown = new Uint8Array(2 * (this.#end + most))
    grown.set(new Uint8Array(this.#view.buffer, 0, this.#end))
    this.#view = new DataView(grown.buffer)
  }
}

/** One for all requests: writing is synchronous. */
const text = new JsonText()

/** Encodes the body of a listing as JSON: a list, an object of lists, or any other value. */
export function encodeLists(body: unknown): Uint8Array<ArrayBuffer> {
  try {
    if (isGroup(body)) writeGroup(body)
    else writeList(body)
    return text.take()
  } finally {
    text.clear()
  }
}

/** Returns true for an object in which some list is written from raw rows. */
function isGroup(body: unknown): body is object {
  return typeof body === "object" && body !== null &&
    Object.values(body).some((list) => list instanceof JsonRecords)
}

function writeGroup(lists: object): void {
  let lead = "{"
  for (const [name, list] of Object.entries(lists)) {
    text.write(`${lead}${JSON.stringify(name)}:`)
    writeList(list)
    lead = ","
  }
  text.write("}")
}

function writeList(list: unknown): void {
  if (!(list instanceof JsonRecords)) return text.write(JSON.stringify(list))
  text.write("[")
  list.write(text)
  text.write("]")
}

/** Makes a list from raw rows. Returns undefined if the rows are decoded. */
export type ListWriter = (rows: readonly ResultRows[]) => JsonRecords | undefined

/**
 * Prepares lists of records with these fields, written straight from raw rows. The bytes are those
 * of `JSON.stringify` of the records that `compileRecord` makes from the same rows, except that JSON
 * documents keep the form that the database gives their numbers.
 */
export function compileList(fields: Fields): ListWriter {
  const relations = relationsOf(Object.values(fields).flatMap(({ columns }) => columns))
  const writers = new Map<string, RecordWriter>()
  return (rows) => {
    // Rows of one relation come from one statement, so they have the same columns.
    const columns = relations.map((name) => {
      const row = rows.find((row) => row[name])?.[name]
      return row instanceof RawRow ? row.columns : undefined
    })
    if (!columns.some((each) => each !== undefined)) return undefined
    const key = JSON.stringify(columns)
    const writer = writers.get(key) ?? compileWriter(fields, { relations, columns })
    writers.set(key, writer)
    return new JsonRecords(rows, writer)
  }
}
