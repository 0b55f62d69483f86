/**
 * THE IN-HOUSE CONTRACT between the service and the drivers of databases: the only core file that a driver in
 * `plugins/databases/` imports. `data/driver.ts` says what a driver is, `data/dialect.ts` what it implements. May
 * change with any version.
 */
export type { DatabaseOptions } from "./data/database.ts"
export type {
  DatabaseHandles,
  Dialect,
  Inspection,
  LongReaders,
  Trigger,
  TriggerFault,
  TriggerSyntax,
} from "./data/dialect.ts"
export type { Driver, ServingUser } from "./data/driver.ts"
export { searchableText } from "./data/fold-text.ts"
export type { Schema } from "./data/schema.ts"
export { sha256 } from "./data/sha256.ts"
export { appendToLog, isSameDefinition } from "./data/trigger-text.ts"
export { isLocked } from "./data/unavailable.ts"
export type { Privilege, Tables } from "./data/table.ts"
export { UserError } from "./errors.ts"
