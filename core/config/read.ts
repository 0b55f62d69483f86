import { createHash } from "node:crypto"
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs"
import { dirname, relative, resolve } from "node:path"
import process from "node:process"
import * as v from "valibot"
import { mountPlugins } from "../routes/mount.ts"
import type { MountedRoute } from "../routes/contract.ts"
import {
  type ConfiguredPlugin,
  configurePlugins,
  type FailedPlugin,
  problemAt,
} from "../routes/configure.ts"
import { check } from "./issues.ts"
import { ConfigError } from "./problem.ts"
import { readPrivateFile, readSecretFile, weakness } from "./secrets.ts"
import { type Settings, settingsSchema } from "./settings.ts"
import { ConfigSource } from "./source.ts"

/** A configuration that can be served: checked, its plugins loaded and mounted. */
export interface Config {
  readonly file: string
  /** Of the text as it stands in the file: equal hashes, equal files. */
  readonly hash: string
  readonly server: Settings["server"] & { readonly publicUrl: string | undefined }
  /** Where metrics are served; undefined where they are not. */
  readonly admin: Settings["admin"]
  readonly database: Omit<Settings["database"], "url"> & { readonly url: string }
  readonly session: Omit<Settings["session"], "secrets"> & { readonly secrets: readonly string[] }
  /** Times in seconds, of which the settings have some in days. */
  readonly polling: Settings["polling"]
  readonly log: Settings["log"]
  readonly limits: Settings["limits"]
  readonly cache: Settings["cache"]
  readonly audit: Settings["audit"]
  /** True where a change of the file is to be followed. */
  readonly watch: boolean
  /** The module that fills an empty database for a demonstration: an absolute path. */
  readonly demonstration: string | undefined
  readonly plugins: readonly ConfiguredPlugin[]
  /** Optional plugins that cannot be used. */
  readonly failed: readonly FailedPlugin[]
  readonly routes: readonly MountedRoute[]
}

/** Bytes of a configuration file, at most. */
const longestConfig = 1024 * 1024

/**
 * Reads a configuration file, loads and mounts the plugins that it names. Nothing is opened and
 * nothing served.
 *
 * @throws {ConfigError} with everything that is wrong, each with file, line and column.
 */
export async function readConfig(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Config> {
  const file = relative(process.cwd(), path) || path
  const folder = dirname(resolve(path))
  const text = readText(path, file)
  const source = new ConfigSource(file, text, environment)
  const settings = source.parsed ? checkSettings(source) : undefined
  // Plugins are checked even where the kernel's settings are wrong: all problems at once.
  const { configured, failed } = await configurePlugins(source, folder)
  const mounted = mountPlugins(configured)
  for (const { entry, message } of mounted.problems) source.report(problemAt(entry, message))
  const secrets = settings ? readSecrets(settings, source, folder) : []
  const url = settings ? readDatabaseUrl(settings, source, folder) : ""
  if (!settings || source.problems.length > 0) throw new ConfigError(source.problems)

  const {
    server,
    admin,
    database,
    session,
    polling,
    log,
    limits,
    cache,
    audit,
    watch,
    demonstration,
  } = settings
  return {
    file,
    hash: createHash("sha256").update(text).digest("hex").slice(0, 16),
    server: { ...server, publicUrl: server.public_url },
    admin,
    database: { ...database, url: resolveDatabase(url, folder) },
    session: { ...session, secrets },
    polling: { ...polling, retention: polling.retention * 86_400 },
    log,
    limits,
    cache,
    audit,
    watch,
    demonstration: demonstration && resolve(folder, demonstration),
    plugins: configured,
    failed: [...failed, ...mounted.failed],
    routes: mounted.routes,
  }
}

function checkSettings(source: ConfigSource): Settings | undefined {
  const { value, issues } = check(v.pipe(settingsGroup, settingsSchema), source.value, [])
  for (const issue of issues) source.report(issue)
  return value
}

/** An array or nothing at all would pass for a group without settings. */
const settingsGroup = v.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "must be a group of settings, as in config/event-export.yaml",
)

function readText(path: string, file: string): string {
  try {
    // One open file, whatever happens to its name meanwhile.
    const descriptor = openSync(path, "r")
    try {
      if (fstatSync(descriptor).size > longestConfig) {
        throw new Error(`it has more than ${longestConfig} bytes`)
      }
      return readFileSync(descriptor, "utf8")
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    const message = `cannot read the configuration: ${(error as Error).message}`
    throw new ConfigError([{ file, line: 1, column: 1, message }])
  }
}

function readSecrets({ session }: Settings, source: ConfigSource, folder: string): string[] {
  return session.secrets.flatMap((secret, index) => {
    const path = ["session", "secrets", index]
    if (typeof secret === "string") {
      const reason = weakness(secret)
      if (reason) source.report({ path, message: `entry ${index + 1} ${reason}`, at: "value" })
      return reason ? [] : [secret]
    }
    try {
      return readSecretFile(resolve(folder, secret.file))
    } catch (error) {
      const message = `cannot use the secrets: ${(error as Error).message}`
      source.report({ path: [...path, "file"], message, at: "value" })
      return []
    }
  })
}

function readDatabaseUrl({ database }: Settings, source: ConfigSource, folder: string): string {
  if (typeof database.url === "string") return database.url
  try {
    return readPrivateFile(resolve(folder, database.url.file)).trim()
  } catch (error) {
    const message = `cannot use the file: ${(error as Error).message}`
    source.report({ path: ["database", "url", "file"], message, at: "value" })
    return ""
  }
}

/** The path of an embedded database is relative to the configuration file. */
function resolveDatabase(url: string, folder: string): string {
  return url.startsWith("sqlite:") ? `sqlite:${resolve(folder, url.slice("sqlite:".length))}` : url
}
