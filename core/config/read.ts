import { readFileSync } from "node:fs"
import { dirname, relative, resolve } from "node:path"
import process from "node:process"
import * as v from "valibot"
import { type ConfiguredPlugin, type MountedRoute, mountPlugins } from "../mount.ts"
import { check } from "./issues.ts"
import { loadPlugin } from "./plugins.ts"
import { ConfigError } from "./problem.ts"
import { type Settings, settingsSchema } from "./settings.ts"
import { ConfigSource } from "./source.ts"

/** A configuration that can be served: checked, its plugins loaded and mounted. */
export interface Config {
  readonly file: string
  readonly server: Settings["server"] & { readonly publicUrl: string | undefined }
  readonly database: Settings["database"]
  readonly session: Omit<Settings["session"], "secrets"> & { readonly secrets: readonly string[] }
  readonly log: Settings["log"]
  /** The module that fills an empty database for a demonstration: an absolute path. */
  readonly demonstration: string | undefined
  readonly plugins: readonly ConfiguredPlugin[]
  readonly routes: readonly MountedRoute[]
}

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
  const source = new ConfigSource(file, readText(path, file), environment)
  const settings = source.problems.length > 0
    ? undefined
    : check(v.pipe(settingsGroup, settingsSchema), source.value, { source, at: [] })
  // Plugins are checked even where the kernel's settings are wrong: all problems at once.
  const plugins = await configurePlugins(source)
  const { routes, problems } = mountPlugins(plugins)
  for (const problem of problems) source.report(["plugins"], problem)
  const secrets = settings ? readSecrets(settings, source, dirname(path)) : []
  if (!settings || source.problems.length > 0) {
    throw new ConfigError(
      source.problems.toSorted((a, b) => a.line - b.line || a.column - b.column),
    )
  }
  const { server, database, session, log, demonstration } = settings
  return {
    file,
    server: { ...server, publicUrl: server.public_url },
    database: { ...database, url: resolveDatabase(database.url, dirname(path)) },
    session: { ...session, secrets },
    log,
    demonstration: demonstration && resolve(dirname(path), demonstration),
    plugins,
    routes,
  }
}

/** An array or nothing at all would pass for a group without settings. */
const settingsGroup = v.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "must be a group of settings, as in config/event-export.yaml",
)

function readText(path: string, file: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    throw new ConfigError([{
      file,
      line: 1,
      column: 1,
      message: `cannot read the configuration: ${(error as Error).message}`,
    }])
  }
}

async function configurePlugins(source: ConfigSource): Promise<ConfiguredPlugin[]> {
  const entries = (source.value as { plugins?: unknown } | undefined)?.plugins
  if (!Array.isArray(entries)) return []
  const configured: ConfiguredPlugin[] = []
  for (const [index, entry] of entries.entries()) {
    if (typeof entry?.use !== "string") continue
    try {
      const plugin = await loadPlugin(entry.use)
      const at = ["plugins", index, "with"]
      const problems = source.problems.length
      const settings = check(plugin.settings, entry.with ?? {}, { source, at })
      if (source.problems.length === problems) configured.push({ plugin, settings })
    } catch (error) {
      source.report(
        ["plugins", index, "use"],
        `cannot use plugin ${entry.use}: ${(error as Error).message}`,
      )
    }
  }
  return configured
}

function readSecrets({ session }: Settings, source: ConfigSource, folder: string): string[] {
  return session.secrets.flatMap((secret, index) => {
    if (typeof secret === "string") return [secret]
    const at = ["session", "secrets", index, "file"]
    try {
      const lines = readFileSync(resolve(folder, secret.file), "utf8").split("\n").map((line) =>
        line.trim()
      )
      const found = lines.filter(Boolean)
      if (found.length > 0 && found.every((line) => line.length >= 32)) return found
      source.report(
        at,
        "the file must have secrets of at least 32 characters, one a line, newest first",
      )
    } catch (error) {
      source.report(at, `cannot read the secrets: ${(error as Error).message}`)
    }
    return []
  })
}

/** The path of an embedded database is relative to the configuration file. */
function resolveDatabase(url: string, folder: string): string {
  return url.startsWith("sqlite:") ? `sqlite:${resolve(folder, url.slice("sqlite:".length))}` : url
}
