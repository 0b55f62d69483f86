/**
 * THE IN-HOUSE CONTRACT of what reads and changes accounts, sessions and grants. May change with any version.
 */
export { type Account, asciiOf, findAccount, findByName, roleOf } from "./access/accounts.ts"
export { accessOf, type Admission } from "./access/admission.ts"
export {
  type AuditChange,
  type Author,
  changeActions,
  changeInTransaction,
  type NoteChange,
  type Writer,
} from "./access/audit-changes.ts"
export { findReadable } from "./access/organizations.ts"
export { hashPassword, methods } from "./access/passwords.ts"
export { denyCaller, denyEvent } from "./access/policies.ts"
export { endNow, endSessionsOf } from "./access/session-ends.ts"
export { sessionStateOf } from "./access/session-state.ts"
export { insertSession, type SessionKey, Sessions } from "./access/sessions.ts"
export { longestScope, parseScope, type TokenScope } from "./access/token-scope.ts"
export type { EndReason, Role } from "./data/service-tables.ts"
export { networkMeant, Networks } from "./networks.ts"
export { notLoggedIn } from "./request/not-logged-in.ts"
