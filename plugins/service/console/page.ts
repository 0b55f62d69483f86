/** What the pages of capabilities are made of: the only file of the console that a capability imports. */
export { formatMoment } from "../../../core/capability.ts"
export type { Addition, Hit, Mark, Visit } from "./addition.ts"
export { readOwnForm } from "./forms.ts"
export { redirectTo } from "./frame.ts"
export { type Content, type Html, html } from "./html.ts"
export { mostHits } from "./pages/search.ts"
export { respondConfiguration } from "./pages/configuration.ts"
export {
  type Column,
  command,
  duration,
  fold,
  type Grade,
  minute,
  moment,
  nameList,
  number,
  quoted,
  state,
  table,
  time,
} from "./parts.ts"
export { plot } from "./plot.ts"
export { isProgram, mayChange, queryOf, respond, sessionOf, tokenField } from "./reader.ts"
export { reasonOf } from "./refused.ts"
