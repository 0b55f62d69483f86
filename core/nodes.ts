/**
 * THE IN-HOUSE CONTRACT of what reads several database servers: the capability `servers` imports it besides `capability.ts`.
 * May change with any version.
 */
export { ChangeLog, type ChangeLogOptions, type ClockReading } from "./change-log/change-log.ts"
export {
  type Heartbeat,
  type HeartbeatColumns,
  heartbeatColumns,
  heartbeatOf,
  noHeartbeat,
  readHeartbeatTime,
  ServerBehind,
} from "./change-log/heartbeat.ts"
export { clockSkew, type Floors, noteStep } from "./change-log/note-steps.ts"
export {
  type CompareLook,
  findWatermark,
  type Look,
  reportLostCommits,
} from "./change-log/watermark.ts"
export { Coalescer } from "./data/coalesce.ts"
export type { DatabaseOptions } from "./data/database.ts"
export { StatementTimeout } from "./data/unavailable.ts"
export { type DatabaseAccess, oneServer, readOnlyServer } from "./kernel/database-access.ts"
export type { ReadPreference } from "./request/nodes.ts"
export type { NodeStatus } from "./routes/contract.ts"
