/**
 * THE IN-HOUSE CONTRACT of commands of the command line. May change with any version.
 */
export {
  authorOf,
  configName,
  loadPlan,
  ownConfig,
  readDraft,
  readSettings,
  textTable,
  withDatabase,
} from "./cli/context.ts"
export { LogOutput } from "./cli/log-output.ts"
export { createSecretFile } from "./cli/secret-file.ts"
export { serveConfiguration } from "./cli/serve.ts"
export { findModule } from "./config/installed.ts"
export { check } from "./config/issues.ts"
export { ConfigError } from "./config/problem.ts"
export { draftConfig } from "./config/read.ts"
export { readPrivateFile, readSecretFile } from "./config/secrets.ts"
export { ConfigSource } from "./config/source.ts"
export { loadDriver } from "./data/open.ts"
export { parseEnd, parseMoment, parseStart } from "./data/time.ts"
export { ExitError } from "./errors.ts"
export { databaseAccessOf, listStorages, withConfigured } from "./kernel/configured-database.ts"
export { exposuresOf } from "./kernel/obstacles.ts"
export { printable, printableLine } from "./kernel/printable.ts"
export type { Terminal } from "./kernel/terminal.ts"
export { suggest } from "./nearest.ts"
