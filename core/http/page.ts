import type { Listed, Positions } from "../data/page.ts"
import { countRecords } from "../data/lists.ts"
import { etagOf } from "./etag.ts"
import { encodeJson } from "./respond.ts"

/** A page as it is sent: all of it that is the same for every caller at every time. */
export interface Page {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
  /** Records in it. */
  readonly rows: number
  /** The parts that go on after it, and from where. */
  readonly next: Positions
  /** From when on the list is complete, in Unix seconds; undefined where it reaches back for ever. */
  readonly completeSince: number | undefined
}

/** Writes a page that was read. */
export function encodePage({ body, next, completeSince }: Listed): Page {
  const bytes = encodeJson(body)
  return { bytes, etag: etagOf(bytes), rows: countRecords(body), next, completeSince }
}
