/**
 * THE IN-HOUSE CONTRACT of what answers lists: capabilities that find pages, answer routes of their own, stand around
 * answers or write other forms import it besides `capability.ts`. May change with any version.
 */
export { type ChangesBehind, changesBehind, changesOf } from "./change-log/changes-behind.ts"
export {
  areBetween,
  type EventChanges,
  type EventVersion,
  recentChanges,
} from "./change-log/versions.ts"
export { walkLifetime } from "./change-log/walk-lifetime.ts"
export type { Reader } from "./data/database.ts"
export { projectionsOf } from "./records/list.ts"
export { isAfter, newestOf } from "./records/newest-first.ts"
export { beginning, type PageRequest, type Position } from "./records/page.ts"
export { readRecords, readSearched } from "./records/read-records.ts"
export { matcherOf } from "./records/search.ts"
export { rankOf } from "./records/stable-offset.ts"
export type { FindPage, FoundPage } from "./request/listing/pages.ts"
