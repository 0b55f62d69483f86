/**
 * THE IN-HOUSE CONTRACT of what answers lists: capabilities that find pages, answer routes of their own, stand around
 * answers or write other forms import it besides `capability.ts`. May change with any version.
 */
export { parseEventState, selectEventState } from "./change-log/changes-behind.ts"
export { readCompleteSince } from "./change-log/horizon.ts"
export { areBetween } from "./change-log/versions.ts"
export { walkLifetime } from "./change-log/walk-lifetime.ts"
export { digestRecords, isSameCopy } from "./records/lists/digest.ts"
export { fieldsOf, readLines } from "./records/lists/list.ts"
export { beginning, type PageRequest, type Position } from "./records/lists/page.ts"
export { readRecords, readSearched } from "./records/lists/read-records.ts"
export { matcherOf } from "./records/lists/search.ts"
export { keysOf, rankOf } from "./records/lists/stable-offset.ts"
export { admitAgain, type ListRequest } from "./request/authorize.ts"
export type { AnswerList, BegunLayer, ListAttempt, ListLayer } from "./request/list-layer.ts"
export type { AnswerOwn, ChooseForm } from "./request/listing/answer-list.ts"
export type { FindPage } from "./request/listing/pages.ts"
export { exportLimit, refuseAfter } from "./request/listing/query.ts"
export { openText, signText } from "./request/listing/signed-text.ts"
