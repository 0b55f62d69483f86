/**
 * THE IN-HOUSE CONTRACT of what looks into a configuration, its plugins and its database: the capabilities `check` and
 * `explain`, and what writes new plugins. May change with any version.
 */
export { type Denial, describePolicy, organizationsOf } from "./access/policies.ts"
export { loadAdditions, loadAllCapabilities } from "./config/capabilities.ts"
export { capabilityNames } from "./config/installed.ts"
export type { ConfigPath } from "./config/issues.ts"
export { settingsWith } from "./config/settings.ts"
export { describeLocation } from "./data/open.ts"
export { describeFault, findRebuilt, findTriggerFaults } from "./data/triggers.ts"
export { findUnusedTables } from "./data/unused-tables.ts"
export { findWarnings } from "./kernel/capabilities.ts"
export { compareSettings, fixedSettings, type SettingChange } from "./kernel/fixed-settings.ts"
export { numbersOf } from "./kernel/numbers.ts"
export { findObstacles } from "./kernel/obstacles.ts"
export { summarizeRoutes } from "./kernel/status.ts"
export { buildCatalogue, summariesOf } from "./request/catalogue.ts"
export type { RouteSummary } from "./routes/contract.ts"
export { loadPlugin, pluginFolder, pluginNames } from "./routes/load-plugin.ts"
export { readPlan } from "./routes/plan.ts"
export type { PluginSetup } from "./routes/setup.ts"
