import { encodeLists } from "../../records/json/json-records.ts"
import type { ListResult, Positions } from "../../records/page.ts"
import { countRecords } from "../../records/list.ts"
import type { EntityTags } from "../../http/etag.ts"
import {
  chooseEncoding,
  compress,
  type Encoding,
  smallestCompressed,
} from "../../http/compression.ts"
import type { Bytes } from "../../http/respond.ts"

/** A page as it is sent: all of it that is the same for every caller at every time. */
export interface EncodedPage {
  readonly bytes: Bytes
  readonly etag: string
  /** Compressed, where somebody has asked for it. */
  readonly compressed: Partial<Record<Encoding, Promise<Bytes>>>
  /** Records in it. */
  readonly rows: number
  /** The parts that go on after it, and from where. */
  readonly next: Positions
  /** From when on the list is complete, in Unix seconds; undefined where it reaches back for ever. */
  readonly completeSince: number | undefined
}

/** Writes a page that was read. */
export function encodePage(
  { body, next, completeSince }: ListResult,
  tags: EntityTags,
): EncodedPage {
  const bytes = encodeLists(body)
  const rows = countRecords(body)
  return { bytes, etag: tags.of(bytes), compressed: {}, rows, next, completeSince }
}

/** One of the forms in which a page is sent. */
export interface Representation {
  readonly bytes: Bytes
  readonly headers: Readonly<Record<string, string>>
}

/** The tag of a page in an encoding: other bytes are another representation. */
export function etagIn({ etag }: EncodedPage, encoding: Encoding | undefined): string {
  return encoding === undefined ? etag : `${etag.slice(0, -1)}-${encoding}"`
}

/** The encoding in which a page is sent to who sends this `Accept-Encoding`; undefined is as it is. */
export function encodingFor({ bytes }: EncodedPage, accept: string | null): Encoding | undefined {
  return bytes.byteLength < smallestCompressed ? undefined : chooseEncoding(accept)
}

/** A page in an encoding; compressed once, however often it is sent. */
export async function represent(
  page: EncodedPage,
  encoding: Encoding | undefined,
): Promise<Representation> {
  if (encoding === undefined) return { bytes: page.bytes, headers: {} }
  const bytes = await (page.compressed[encoding] ??= compress(page.bytes, encoding))
  return { bytes, headers: { "content-encoding": encoding } }
}
