import { hash } from "node:crypto"
import { dirname, relative, resolve } from "node:path"
import process from "node:process"
import * as v from "valibot"
import { isLoopback } from "../networks.ts"
import { type FileStates, readRegularFile, stateOf } from "./files.ts"
import { type CapabilityDeclaration, findUnusedGroups, loadCapabilitiesOf } from "./capabilities.ts"
import { check } from "./issues.ts"
import { ConfigError } from "./problem.ts"
import { readPrivateFile, readSecretFile, weakness } from "./secrets.ts"
import { type Settings, settingsWith } from "./settings.ts"
import { ConfigSource, type Environment } from "./source.ts"

/** The settings of the service, checked, with the secrets that they refer to. */
export interface Config extends Pick<Settings, "log" | "watch" | "accounts"> {
  /** The path relative to the working directory, for messages. */
  readonly file: string
  /** The file and those that it refers to, by absolute path, as they were read. */
  readonly files: FileStates
  /** A hash of the text of the file. */
  readonly hash: string
  /** The settings in force, by path, without the database's URL and the plugins. Secrets are hashed. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly server: Settings["server"] & {
    readonly publicUrl: string | undefined
    /** Upper bound for the waiting requests of a process: each takes a connection. */
    readonly waiting: number
  }
  readonly database: Omit<Settings["database"], "url"> & { readonly url: string }
  /** `cookie` is the name with its prefix. */
  readonly session: Omit<Settings["session"], "secrets"> & {
    readonly secrets: readonly string[]
    readonly cookie: string
    /** False only if the public address is plain http on loopback. */
    readonly secure: boolean
  }
  /** Times in seconds; the settings have some in days. */
  readonly polling: Omit<Settings["polling"], "interval"> & {
    /** Seconds between polls of an event, by its status. */
    readonly intervals: Readonly<Record<"running" | "upcoming" | "closed", number>>
  }
  readonly limits: Settings["limits"] & { readonly waiting: number }
  /** Megabytes of each cache. */
  readonly cache: { readonly pages: number; readonly records: number }
  /** The capabilities that are on, with their settings. */
  readonly capabilities: readonly ConfiguredCapability[]
}

/** A capability that is on. */
export interface ConfiguredCapability<C extends CapabilityDeclaration = CapabilityDeclaration> {
  readonly capability: C
  /** Its group of settings, checked; undefined if it has none. */
  readonly settings: unknown
}

/** A configuration file that has been read; further problems may be reported to its source. */
export interface ConfigDraft {
  readonly source: ConfigSource
  /** The folder of the file: relative paths in the file start here. */
  readonly folder: string
  /** The capabilities that the file names, whatever else is wrong in it; undefined if it is not YAML. */
  readonly named: readonly CapabilityDeclaration[] | undefined
  /** The capabilities that are on; none while a setting is wrong. */
  readonly capabilities: Config["capabilities"]
  /** Returns the settings. @throws {ConfigError} with every problem that the source knows. */
  accept(): Config
}

/** Reads the settings of a configuration file. @throws {ConfigError} with everything that is wrong. */
export async function readConfig(path: string, environment: Environment): Promise<Config> {
  return (await draftConfig(path, environment)).accept()
}

/**
 * Reads and checks a configuration file, and loads the capabilities that it names. Loads no plugin, so that operators
 * can end sessions and withdraw grants while a plugin is broken.
 *
 * @throws {ConfigError} if the file cannot be read.
 */
export async function draftConfig(path: string, environment: Environment): Promise<ConfigDraft> {
  const nearby = relative(process.cwd(), path)
  const file = nearby === "" || nearby.startsWith("..") ? resolve(path) : nearby
  const folder = dirname(resolve(path))
  const files = new Map<string, string>()
  /** Resolves the path of a file to read. Notes its state first: a later change is then noticed. */
  const locate = (path: string) => {
    const found = resolve(folder, path)
    files.set(found, stateOf(found))
    return found
  }
  const text = readText(locate(resolve(path)), { file, files })
  const source = new ConfigSource(file, text, environment)
  const named = source.parsed ? await loadCapabilitiesOf(source) : undefined
  const checked = named && await checkSettings(source, named)
  const secrets = checked && {
    secrets: readSecrets(checked.settings, source, locate),
    url: readDatabaseUrl(checked.settings, source, { folder, locate }),
  }
  return {
    source,
    named,
    folder,
    capabilities: checked?.capabilities ?? [],
    accept() {
      if (!checked || !secrets || source.problems.length > 0) {
        throw new ConfigError(source.problems, files)
      }
      return configOf(checked, { file, files, text, ...secrets })
    },
  }
}

type Locate = (path: string) => string

/** The file of the settings, and what they refer to. */
interface Origin extends Pick<Config, "file" | "files"> {
  readonly text: string
  readonly secrets: readonly string[]
  readonly url: string
}

function configOf(
  { settings, capabilities }: CheckedSettings,
  { file, files, text, secrets, url }: Origin,
): Config {
  const { server, database, session, polling, limits, cache } = settings
  const { log, accounts, watch } = settings
  const pages = Math.ceil(cache.megabytes / 3)
  const mostWaiting = Math.floor(server.connections / 2)
  const waiting = Math.max(100, Math.floor(mostWaiting / 5))
  const cookie = sessionCookie(settings)
  const { "database.url": _url, plugins: _plugins, ...named } = byPath(settings)
  return {
    ...{ file, files, log, accounts, watch, capabilities },
    settings: {
      ...named,
      "limits.waiting": waiting,
      "session.cookie": cookie.cookie,
      "session.secrets": secrets.map((secret) => hash("sha256", secret).slice(0, 8)),
      capabilities: capabilities.map(({ capability: { name } }) => name),
    },
    hash: hash("sha256", text).slice(0, 16),
    server: { ...server, publicUrl: server.public_url, waiting: mostWaiting },
    database: { ...database, url },
    session: { ...session, secrets, ...cookie },
    polling: {
      ...polling,
      retention: polling.retention * 86_400,
      intervals: { running: polling.interval, upcoming: 900, closed: 86_400 },
    },
    limits: { ...limits, waiting },
    cache: { pages, records: cache.megabytes - pages },
  }
}

/** Returns the settings in groups by their paths. A list is one setting, and `database.url` too. */
function byPath(group: object, before = ""): Record<string, unknown> {
  const entries = Object.entries(group).filter(([, value]) => value !== undefined)
  return Object.assign(
    {},
    ...entries.map(([name, value]) => {
      const path = `${before}${name}`
      const isGroup = typeof value === "object" && !Array.isArray(value) && path !== "database.url"
      return isGroup ? byPath(value, `${path}.`) : { [path]: value }
    }),
  )
}

interface CheckedSettings {
  readonly settings: Settings
  readonly capabilities: readonly ConfiguredCapability[]
}

/** Reports everything that is wrong; returns undefined if anything is. */
async function checkSettings(
  source: ConfigSource,
  loaded: readonly CapabilityDeclaration[],
): Promise<CheckedSettings | undefined> {
  const schema = settingsWith(loaded)
  const groups = Object.keys(source.value ?? {}).filter((name) => !(name in schema.entries))
  const present = structuredClone(source.value)
  for (const group of await findUnusedGroups(groups, loaded)) {
    delete (present as Record<string, unknown>)[group]
  }
  const { value, issues } = check(v.pipe(settingsGroup, schema), present, [])
  for (const issue of issues) source.report(issue)
  if (!value) return undefined
  const byGroup = value as Readonly<Record<string, unknown>>
  const capabilities = loaded.map((capability) => ({
    capability,
    settings: capability.settings && byGroup[capability.settings.group],
  }))
  return { settings: value as Settings, capabilities }
}

/**
 * Returns the name of the session cookie, and whether clients send it over https only: always, unless partners use
 * plain http and only this machine can reach the server. If so, the name begins with `__Host-`: browsers then take the
 * cookie from this very host only, so no other site of the domain can plant one (RFC 6265bis, section 4.1.3.2).
 */
function sessionCookie(
  { server }: Settings,
): Pick<Config["session"], "cookie" | "secure"> {
  const secure = !isPlainLoopback(server)
  const name = "event_export_session"
  return { cookie: secure ? `__Host-${name}` : name, secure }
}

function isPlainLoopback({ host, public_url: publicUrl }: Settings["server"]): boolean {
  if (publicUrl === undefined) return isLoopback(host)
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === "http:" && isLoopback(hostname)
}

/** Without this, an array or an empty file would count as a group without settings. */
const settingsGroup = v.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "must be a group of settings, as in config/event-export.yaml",
)

function readText(path: string, { file, files }: { file: string; files: FileStates }): string {
  try {
    return readRegularFile(path).text
  } catch (error) {
    const message = `cannot read the configuration: ${(error as Error).message}`
    throw new ConfigError([{ file, line: 1, column: 1, message }], files)
  }
}

/** Reports weak secrets. */
function readSecrets({ session }: Settings, source: ConfigSource, locate: Locate): string[] {
  return session.secrets.flatMap((secret, index) => {
    const path = ["session", "secrets", index]
    if (typeof secret === "string") {
      const reason = weakness(secret)
      if (reason) source.report({ path, message: `entry ${index + 1} ${reason}`, at: "value" })
      return reason ? [] : [secret]
    }
    try {
      return readSecretFile(locate(secret.file))
    } catch (error) {
      const message = `cannot use the secrets: ${(error as Error).message}`
      source.report({ path: [...path, "file"], message, at: "value" })
      return []
    }
  })
}

function readDatabaseUrl(
  { database }: Settings,
  source: ConfigSource,
  { folder, locate }: { readonly folder: string; readonly locate: Locate },
): string {
  if (typeof database.url === "string") return resolvePaths(database.url, folder)
  try {
    const file = locate(database.url.file)
    return resolvePaths(readPrivateFile(file).trim(), dirname(file))
  } catch (error) {
    const { code, message: reason } = error as NodeJS.ErrnoException
    // Shown only if it looks like a path: somebody may have written the URL itself here.
    const path = /^[\w./-]{1,200}$/.test(database.url.file) ? ` ${database.url.file}` : ""
    const message = `cannot use the file${path}: ${
      code === "ENOENT" ? "it does not exist" : code ?? reason
    }`
    source.report({ path: ["database", "url", "file"], message, at: "value" })
    return ""
  }
}

/** Resolves the paths in a database URL: they are relative to the folder of the file that has the URL. */
function resolvePaths(url: string, folder: string): string {
  if (url.startsWith("sqlite:")) return `sqlite:${resolve(folder, url.slice("sqlite:".length))}`
  const query = url.lastIndexOf("?")
  if (query < 0) return url
  return url.slice(0, query) + url.slice(query).replace(/(?<=[?&]ca=)[^&]+/, (text) => {
    const path = new URLSearchParams(`ca=${text}`).get("ca") ?? ""
    return encodeURIComponent(resolve(folder, path))
  })
}
