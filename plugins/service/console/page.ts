/** What the pages of capabilities have of the console, the only file of it that they import. The rest is in `design.ts`. */
export type { Addition, Hit, Visit } from "./addition.ts"
export { mostHits } from "./pages/search.ts"
export { isProgram, mayChange, queryOf, respond, sessionOf, tokenField } from "./reader.ts"
export { reasonOf } from "./refused.ts"
