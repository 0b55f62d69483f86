import { Buffer } from "node:buffer"
import type { Columns } from "../columns.ts"

/**
 * A result row: decoded, or (MySQL only) still in the binary protocol. Decoding takes longer than
 * everything else that is done with a row, and a row that is only written as JSON does not need it.
 */
export type ResultRow<Row extends Columns = Columns> = Row | RawRow

/** Returns the value of one column. */
export function valueOf<Row extends Columns, Name extends keyof Row & string>(
  row: ResultRow<Row>,
  column: Name,
): Row[Name] {
  return row instanceof RawRow ? row.read(column) as Row[Name] : row[column]
}

/** A row in the bytes of MySQL's binary protocol. */
export class RawRow {
  readonly columns: readonly RawColumn[]
  readonly view: DataView
  readonly start: number
  readonly size: number

  constructor(columns: readonly RawColumn[], view: DataView, start: number, size: number) {
    this.columns = columns
    this.view = view
    this.start = start
    this.size = size
  }

  /** Decodes a column. Decimals are numbers, JSON documents are text. @throws {TypeError} as `checkColumn`. */
  read(name: string): string | number | null {
    const { columns, view, start } = this
    let at = start + bytesBefore(columns.length)
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index] as RawColumn
      checkColumn(column)
      const isNull = (view.getUint8(start + nullByteOf(index)) & nullBitOf(index)) !== 0
      if (column.name === name) return isNull ? null : readValue(column, view, at)
      if (!isNull) at = column.size > 0 ? at + column.size : endOfText(view, at)
    }
    throw new TypeError(`Cannot read ${name}: it was not selected`)
  }
}

/** A column of a result. */
export interface RawColumn {
  readonly name: string
  readonly kind: "text" | "document" | "decimal" | "double" | "float" | "integer" | "unknown"
  /** Bytes of a value; 0 if its length is sent before it. */
  readonly size: number
  readonly unsigned: boolean
}

/** A column as mysql2 describes it, with the protocol's numbers of its type and flags. */
export interface ColumnPacket {
  readonly name: string
  readonly columnType: number
  readonly flags: number
}

/** A row as mysql2 hands it to a parser: the bytes from `offset` to `end`. */
interface RowPacket {
  readonly buffer: Buffer
  readonly offset: number
  readonly end: number
}

/** A row parser for mysql2 that decodes nothing. */
export class RawParser {
  readonly #columns: readonly RawColumn[]
  #buffer: Buffer | undefined
  #view: DataView = new DataView(new ArrayBuffer(0))

  constructor(columns: readonly ColumnPacket[]) {
    this.#columns = columns.map(rawColumn)
  }

  next({ buffer, offset, end }: RowPacket): RawRow {
    // Many rows come in one buffer, which is never written to again.
    if (buffer !== this.#buffer) {
      this.#buffer = buffer
      this.#view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    }
    return new RawRow(this.#columns, this.#view, offset, end - offset)
  }
}

/** Bytes of a row before the first column: one of status, and one bit per column for null. */
export function bytesBefore(columns: number): number {
  return 1 + ((columns + firstBit + 7) >> 3)
}

/** The byte of a row with the bit that says if a column is null. */
export function nullByteOf(index: number): number {
  return 1 + ((index + firstBit) >> 3)
}

/** The bit of that byte. */
export function nullBitOf(index: number): number {
  return 1 << ((index + firstBit) & 7)
}

/** The first two bits belong to no column. */
const firstBit = 2

/** Decodes the value of a column that is not null and begins at `at`. */
export function readValue(column: RawColumn, view: DataView, at: number): string | number {
  const { kind, size, unsigned } = column
  if (kind === "text" || kind === "document") return readText(view, at)
  if (kind === "decimal") return Number(readText(view, at))
  if (kind === "double") return view.getFloat64(at, true)
  if (kind === "float") return view.getFloat32(at, true)
  if (size === 1) return unsigned ? view.getUint8(at) : view.getInt8(at)
  if (size === 2) return unsigned ? view.getUint16(at, true) : view.getInt16(at, true)
  if (size === 4) return unsigned ? view.getUint32(at, true) : view.getInt32(at, true)
  const high = unsigned ? view.getUint32(at + 4, true) : view.getInt32(at + 4, true)
  return view.getUint32(at, true) + 2 ** 32 * high
}

/** Decodes the text whose length is at `at`. */
export function readText(view: DataView, at: number): string {
  const { buffer, byteOffset, byteLength } = view
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  return bytes.toString("utf8", startOfText(view, at), endOfText(view, at))
}

/** Returns the offset at which the text begins whose length is at `at`. */
export function startOfText(view: DataView, at: number): number {
  const first = view.getUint8(at)
  return at + (first < 251 ? 1 : first === 252 ? 3 : first === 253 ? 4 : 9)
}

/** Returns the offset at which the text ends whose length is at `at`. */
export function endOfText(view: DataView, at: number): number {
  const first = view.getUint8(at)
  if (first < 251) return at + 1 + first
  if (first === 252) return at + 3 + view.getUint16(at + 1, true)
  if (first === 253) return at + 4 + view.getUint16(at + 1, true) + 0x10000 * view.getUint8(at + 3)
  return at + 9 + view.getUint32(at + 1, true)
}

const unsignedFlag = 32

// The protocol's numbers of the types, by what they are decoded to.
const integerSizes: Readonly<Record<number, number>> = { 1: 1, 2: 2, 3: 4, 8: 8, 9: 4, 13: 2 }
const texts = new Set([6, 15, 247, 248, 249, 250, 251, 252, 253, 254])
const decimals = new Set([0, 246])

/** Never throws: an exception while mysql2 reads packets would end the process. */
function rawColumn({ name, columnType: type, flags }: ColumnPacket): RawColumn {
  const size = integerSizes[type]
  const unsigned = (flags & unsignedFlag) !== 0
  if (size !== undefined) return { name, kind: "integer", size, unsigned }
  if (texts.has(type)) return { name, kind: "text", size: 0, unsigned }
  if (type === 245) return { name, kind: "document", size: 0, unsigned }
  if (decimals.has(type)) return { name, kind: "decimal", size: 0, unsigned }
  if (type === 5) return { name, kind: "double", size: 8, unsigned }
  if (type === 4) return { name, kind: "float", size: 4, unsigned }
  return { name, kind: "unknown", size: 0, unsigned }
}

/** @throws {TypeError} on a type that no column may have: its length is unknown, so it cannot even be skipped. */
export function checkColumn({ name, kind }: RawColumn): void {
  if (kind === "unknown") throw new TypeError(`Cannot read ${name}: no column may have its type`)
}
