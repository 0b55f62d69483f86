/** The parts of pages: others import only this file of the library and `markdown.ts`. */
export { codeFigure, pair } from "./code.ts"
export { type Files, findDesignFile, loadFile, noSuchFile, sendFile } from "./files.ts"
export { assertSameOrigin, readOwnForm, tokenField, tokenOf } from "./form.ts"
export {
  type Area,
  type FramedPage,
  type Group,
  logInPath,
  pagePolicy,
  pageText,
  redirectTo,
  respondHtml,
  respondPage,
} from "./frame.ts"
export { type Content, type Html, html, trusted } from "./html.ts"
export { type LogInPage, logInRoutes, nextOf, respondLogIn } from "./log-in.ts"
export {
  command,
  copiedId,
  duration,
  fold,
  foldedSection,
  type Grade,
  minute,
  moment,
  nameList,
  number,
  pathCode,
  prose,
  quoted,
  shortId,
  state,
  table,
  type TableColumn,
  time,
} from "./parts.ts"
export { respondRefused, wantsPage } from "./refused.ts"
export { respondFile, type ServedFile, servedFile } from "./served-file.ts"
