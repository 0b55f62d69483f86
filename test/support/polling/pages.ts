import type { Place, RecordCopy } from "./reader.ts"

/** Returns the query of a page that is counted by offset. */
export function queryOf({ since, offset, limit }: Exclude<Place, { link: string }>): string {
  const query = new URLSearchParams({ offset: String(offset), limit: String(limit) })
  if (since !== undefined) query.set("since", String(since))
  return query.toString()
}

/** Returns the records of a body, of all categories if it is a bundle. */
export function recordsOf(
  body: readonly RecordCopy[] | Readonly<Record<string, readonly RecordCopy[]>>,
): readonly RecordCopy[] {
  return Array.isArray(body) ? body as readonly RecordCopy[] : Object.values(body).flat()
}
