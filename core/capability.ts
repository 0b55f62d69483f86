/**
 * THE IN-HOUSE CONTRACT between the service and its capabilities: the only core file besides `plugin.ts` that every
 * capability imports. `kernel/capability.ts` says what a capability is. The other doors are for what only some
 * capabilities do: `accounts.ts`, `commands.ts`, `filters.ts`, `inspection.ts`, `lists.ts`, `nodes.ts` and `tables.ts`.
 * May change with any version.
 */
export {
  clockMargin,
  type ClockStep,
  fullResync,
  readSteps,
  sinceBefore,
} from "./change-log/clock-steps.ts"
export { recordedSince } from "./change-log/horizon.ts"
export { changeOf, eventOfRow, listOfRow, settled, type TailResult } from "./change-log/tail.ts"
export type { Config } from "./config/read.ts"
export { address, groupOf, wholeNumber } from "./config/settings.ts"
export { Batch } from "./data/batch.ts"
export { boundedCache } from "./data/bounded-cache.ts"
export { CompiledStatement } from "./data/compiled-query.ts"
export { Database, type Snapshot } from "./data/database.ts"
export type { Dialect } from "./data/dialect.ts"
export { renewVersions } from "./data/triggers.ts"
export { isLocked, translateError, Unavailable } from "./data/unavailable.ts"
export { UserError } from "./errors.ts"
export { escapeLineBreaks, lineBreaks, ndjsonTypes } from "./http/ndjson.ts"
export { errorStatuses, retryLater, usualProblem } from "./http/problems.ts"
export { readWeights, represent } from "./http/representation.ts"
export { partnerUrl } from "./http/server-address.ts"
export {
  type Capability,
  type CapabilityHost,
  type OpenCapability,
  type RunningService,
  type ServiceEvent,
  settingsOf,
  type Warning,
} from "./kernel/capability.ts"
export { counter, gauge, type Metric } from "./kernel/metric.ts"
export { remember } from "./kernel/remember.ts"
export { version } from "./kernel/version.ts"
export { type Log, RetryLog } from "./log.ts"
export { isLoopback } from "./networks.ts"
export { categories, type Category, recordTypes } from "./records/kinds/categories.ts"
export { contentOf } from "./records/lists/deletions.ts"
export { itemCategories, itemKinds } from "./records/kinds/items.ts"
export { type List, recordsOf } from "./records/lists/list.ts"
export { unite } from "./records/lists/newest-first.ts"
export { isId, type OmittedRecord } from "./records/kinds/values.ts"
export { defaultSince } from "./records/lists/page.ts"
export {
  type Exchange,
  type ListAnswer,
  type Observer,
  type OpenExchange,
  requestActions,
  type SentPage,
} from "./request/exchange.ts"
export { deriveKey } from "./request/listing/signed-text.ts"
export type { Node, Nodes } from "./request/nodes.ts"
export { type InternalContext, internalHandler, problemOf } from "./routes/internals.ts"
export type { Plan } from "./routes/plan.ts"
