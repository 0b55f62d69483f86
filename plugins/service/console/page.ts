/** The console's exports for capabilities' pages, which import no other file of it. The rest is in `design.ts`. */
export type { Addition, Hit, Visit } from "./addition.ts"
export { mostHits } from "./pages/search.ts"
export { isProgram, mayChange, queryOf, respond, sessionOf, tokenField } from "./reader.ts"
export { reasonOf } from "./refused.ts"
