import { escapeLineBreaks } from "../../../core/capability.ts"
import type { ChangeKey } from "./oldest-first.ts"
import { listOf } from "./routes.ts"

/** A page of changes, and how it goes on. */
export interface FeedPage {
  readonly changes: readonly string[]
  /** The cursor of the next page. */
  readonly next: string
  /** True if others follow. */
  readonly more: boolean
}

/** Writes a change as JSON: a record as the list sends it, or a deletion. */
export function changeText({ category, id, time, isDeleted }: ChangeKey, record: string): string {
  const names = `"list":"${listOf(category)}","category":"${category}","id":${JSON.stringify(id)}`
  return isDeleted ? `{${names},"deleted":${time}}` : `{${names},"record":${record}}`
}

/** Writes a page as JSON. */
export function jsonOf({ changes, next, more }: FeedPage): string {
  return `{"changes":[${changes.join(",")}],"next":"${next}","more":${more}}`
}

/** Writes a page as NDJSON: a line per change, and a last line with the cursor. */
export function linesOf({ changes, next, more }: FeedPage): string {
  return escapeLineBreaks([...changes, `{"next":"${next}","more":${more}}`, ""].join("\n"))
}
