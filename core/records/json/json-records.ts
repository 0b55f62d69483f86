import { type Fields, relationsOf } from "../fields.ts"
import { writeJson } from "./json-text.ts"
import { compileWriter, type RecordWriter } from "./record-writer.ts"
import { type SentRow, UnreadRow } from "../../data/mysql/raw-row.ts"

/** What was read for one record, row by relation. */
export type SentRows = Readonly<Record<string, SentRow | undefined>>

/** A list of records that are going to be written as JSON straight from the rows that were sent. */
export class JsonRecords {
  readonly #rows: readonly SentRows[]
  readonly #writer: RecordWriter

  constructor(rows: readonly SentRows[], writer: RecordWriter) {
    this.#rows = rows
    this.#writer = writer
  }

  /** How many there are. */
  get count(): number {
    return this.#rows.length
  }

  /** Writes them, with commas between, into `text`. */
  write(text: JsonText): void {
    const { relations, most, write } = this.#writer
    const rows: (UnreadRow | undefined)[] = []
    let isFirst = true
    const writeRecord = (out: DataView, end: number) => {
      if (!isFirst) out.setUint8(end++, comma)
      return write(out, end, rows)
    }
    for (const sent of this.#rows) {
      let size = 0
      for (let i = 0; i < relations.length; i++) {
        const row = rows[i] = sent[relations[i] as string] as UnreadRow | undefined
        if (row) size += row.size
      }
      text.extend(1 + most + 6 * size, writeRecord)
      isFirst = false
    }
  }

  /** The records as values, for whoever has to look into them. */
  toJSON(): unknown {
    return JSON.parse(new TextDecoder().decode(encodeLists(this)))
  }
}

const comma = 0x2c

const smallest = 64 * 1024
/** Bytes above which memory is given back between uses. */
const muchMemory = 8 * 1024 * 1024

/** A text that grows. Its memory is used again and again, so one is taken before the next is begun. */
class JsonText {
  #view = new DataView(new ArrayBuffer(smallest))
  #end = 0

  write(text: string): void {
    this.extend(3 * text.length, (out, end) => writeJson(out, end, text))
  }

  /** Lets somebody write as many bytes as there may be; they answer where what they wrote ends. */
  extend(most: number, write: (out: DataView, end: number) => number): void {
    if (this.#end + most > this.#view.byteLength) this.#grow(most)
    this.#end = write(this.#view, this.#end)
  }

  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#view.buffer.slice(0, this.#end)
    this.clear()
    return new Uint8Array(taken)
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

/** One for all: writing never waits. */
const text = new JsonText()

/** The JSON of what a listing has found: of a list, of an object of lists, or of any other value. */
export function encodeLists(body: unknown): Uint8Array<ArrayBuffer> {
  try {
    if (isGroup(body)) writeGroup(body)
    else writeList(body)
    return text.take()
  } finally {
    text.clear()
  }
}

/** True of an object in which some list is to be written from its rows. */
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

/** Makes a list of records; undefined where their rows have been read. */
export type ListRecords = (rows: readonly SentRows[]) => JsonRecords | undefined

/**
 * Lists records of these fields, to be written straight from what the database sent. The bytes are
 * those of `JSON.stringify` of what `compileRecord` makes of the same rows, but that JSON documents
 * keep the form that the database gives their numbers.
 */
export function compileList(fields: Fields): ListRecords {
  const relations = relationsOf(Object.values(fields).flatMap(({ columns }) => columns))
  const writers = new Map<string, RecordWriter>()
  return (rows) => {
    // Rows of one relation come of one statement, and so have the same columns.
    const columns = relations.map((name) => {
      const row = rows.find((row) => row[name])?.[name]
      return row instanceof UnreadRow ? row.columns : undefined
    })
    if (!columns.some((each) => each !== undefined)) return undefined
    const key = JSON.stringify(columns)
    const writer = writers.get(key) ?? compileWriter(fields, { relations, columns })
    writers.set(key, writer)
    return new JsonRecords(rows, writer)
  }
}
