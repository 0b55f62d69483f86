/**
 * THE IN-HOUSE CONTRACT between the service and its capabilities: the only core file besides `plugin.ts` that a
 * capability imports. `kernel/capability.ts` says what a capability is; the rest are the tools of the kernel that
 * capabilities use. May change with any version.
 */
export * from "./access/accounts.ts"
export { accessOf, type Admission, timeOf } from "./access/admission.ts"
export * from "./access/changes.ts"
export * from "./access/grants.ts"
export { findReadable } from "./access/organizations.ts"
export { hashNewPassword, hashPassword } from "./access/passwords.ts"
export * from "./access/policies.ts"
export { endNow, endSession, endSessionsOf } from "./access/session-ends.ts"
export { listSessions, type SessionListing, sessionPages, stateOf } from "./access/session-list.ts"
export { insertSession, type Session, type SessionKey, Sessions } from "./access/sessions.ts"
export { ChangeLog, type ChangeLogOptions, type ClockReading } from "./change-log/change-log.ts"
export * from "./change-log/clock-steps.ts"
export * from "./change-log/heartbeat.ts"
export { completeSinceOf, recordedSince } from "./change-log/horizon.ts"
export { type Floors, noteStep, skew } from "./change-log/note-steps.ts"
export {
  changeOf,
  eventOfRow,
  type Found,
  listOfRow,
  settledBy,
  type VisibleChange,
} from "./change-log/tail.ts"
export type { EventChanges } from "./change-log/versions.ts"
export * from "./change-log/watermark.ts"
export * from "./cli/context.ts"
export { LogOutput } from "./cli/log-output.ts"
export { createSecretFile } from "./cli/secret-file.ts"
export { serveConfiguration } from "./cli/serve.ts"
export { formatMoment, parseEnd, parseMoment, parseStart } from "./data/time.ts"
export { loadAdditions, loadAllCapabilities, unshownSettings } from "./config/capabilities.ts"
export { capabilityNames, findModule } from "./config/installed.ts"
export { check, type ConfigPath } from "./config/issues.ts"
export { ConfigError, type ConfigProblem } from "./config/problem.ts"
export { type Config, draftConfig, readConfig } from "./config/read.ts"
export { readSecretFile } from "./config/secrets.ts"
export { address, groupOf, settingsWith, wholeNumber } from "./config/settings.ts"
export type { Environment } from "./config/source.ts"
export { Batch, type OpenBatch } from "./data/batch.ts"
export { boundedCache } from "./data/bounded-cache.ts"
export { Coalescer } from "./data/coalesce.ts"
export { CompiledStatement } from "./data/compiled-query.ts"
export { findGapEnd } from "./data/record-start.ts"
export * from "./data/database.ts"
export { deleteOld } from "./data/delete-in-portions.ts"
export type { Dialect } from "./data/dialect.ts"
export { foldText } from "./data/fold-text.ts"
export { migrate } from "./data/migrate.ts"
export { loadDriver, locationOf } from "./data/open.ts"
export type { Schema } from "./data/schema.ts"
export { type Role, withAccountChanges } from "./data/service-tables.ts"
export { sha256 } from "./data/sha256.ts"
export { type Migration, type Storage, tablesOf } from "./data/storage.ts"
export * from "./data/table.ts"
export { describeFault, findRebuilt, findTriggerFaults, renewVersions } from "./data/triggers.ts"
export { findUnusedTables } from "./data/unused-tables.ts"
export { isLocked, Overtime, translateError, Unavailable } from "./data/unavailable.ts"
export { Refusal, UserError } from "./errors.ts"
export { type Answer, type Responder, withoutBody } from "./http/answer.ts"
export { type ConnectionLimit, isHealthCheck } from "./http/connections.ts"
export { escapeLineBreaks, hasLineBreaks, ndjsonTypes } from "./http/ndjson.ts"
export { readPreferences } from "./http/prefer.ts"
export * from "./http/problems.ts"
export * from "./http/representation.ts"
export { type Listening, serve } from "./http/serve.ts"
export { partnerUrl } from "./http/server-address.ts"
export * from "./kernel/capability.ts"
export { findWarnings } from "./kernel/capabilities.ts"
export { databaseAccessOf, storagesOf, withConfigured } from "./kernel/configured-database.ts"
export * from "./kernel/database-access.ts"
export { compareSettings, fixedSettings, type SettingChange } from "./kernel/fixed-settings.ts"
export { type Instance, startInstance } from "./kernel/instance.ts"
export { counter, gauge, type Metric, type MetricValue } from "./kernel/metric.ts"
export { numbersOf } from "./kernel/numbers.ts"
export { exposuresOf, findObstacles } from "./kernel/obstacles.ts"
export { printable, printableLine } from "./kernel/printable.ts"
export { remember } from "./kernel/remember.ts"
export { summarizeRoutes } from "./kernel/status.ts"
export type { Terminal } from "./kernel/terminal.ts"
export { version } from "./kernel/version.ts"
export { Attempts, type Log } from "./log.ts"
export { isLoopback, NetworkError, networkMeant, Networks } from "./networks.ts"
export { categories, type Category, recordTypes } from "./records/categories.ts"
export { type Cell, csv } from "./records/csv.ts"
export { isStillGone } from "./records/deletions.ts"
export { type Digest, digestOfCopy, digestRecords } from "./records/digest.ts"
export type { Field } from "./records/fields.ts"
export { itemCategories, itemKinds } from "./records/kinds/items.ts"
export {
  countRecords,
  encodeBody,
  fieldsOf,
  type List,
  type ListPart,
  recordsOf,
} from "./records/list.ts"
export { tableOf, unite } from "./records/newest-first.ts"
export * from "./records/page.ts"
export type { Projection } from "./records/projection.ts"
export type { Scope } from "./records/resource.ts"
export { findUnloggedViews } from "./records/tables.ts"
export { admitAgain, type ListRequest, notLoggedIn } from "./request/authorize.ts"
export { buildCatalogue, summariesOf, visibleRoutes } from "./request/catalogue.ts"
export * from "./request/exchange.ts"
export type { AnswerList, BegunLayer, ListAttempt, ListLayer } from "./request/list-layer.ts"
export type { AnswerOwn, ChooseForm } from "./request/listing/answer-list.ts"
export { exportLimit, invalidParameter, notOfThisFeed } from "./request/listing/query.ts"
export { type CursorBinding, deriveKey, openText, signText } from "./request/listing/signed-text.ts"
export { isFiltered, type Walk } from "./request/listing/walks.ts"
export type { Node, Nodes, ReadPreference } from "./request/nodes.ts"
export type {
  ListingRoute,
  MountedRoute,
  NodeStatus,
  ReloadOutcome,
  RouteSummary,
  Status,
} from "./routes/contract.ts"
export { type Inside, type InsideContext, insideHandler, problemOf } from "./routes/inside.ts"
export { loadPlugin, pluginFolder, pluginNames } from "./routes/load-plugin.ts"
export { type DerivedList, mountPlugins } from "./routes/mount.ts"
export { type Plan, readPlan } from "./routes/plan.ts"
export { pathSegment, username, wrongName } from "./routes/setting-types.ts"
export type { PluginSetup } from "./routes/setup.ts"
export { mountMistakes, pluginMistakes } from "./routes/validate.ts"
export { address as guestAddress } from "./records/kinds/guest.ts"
