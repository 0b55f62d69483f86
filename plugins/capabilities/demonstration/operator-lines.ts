import {
  accessSync,
  constants,
  existsSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs"
import { basename, delimiter, join, relative, resolve } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { stringify } from "yaml"
import type { Plan } from "../../../core/capability.ts"
import { configName, draftConfig, readSecretFile, type Terminal } from "../../../core/commands.ts"

/** The file of the session secret in the folder of a demonstration. */
export const secretName = "session-secret"

const head =
  "# The configuration of the demonstration beside it, for commands. Each start of it writes this file anew.\n"

/** What a running demonstration was started with. */
interface Demonstrated {
  readonly folder: string
  readonly plan: Plan
  readonly environment: Terminal["env"]
  /** Where it listens. */
  readonly url: string
}

/**
 * Returns lines to paste that ask the running demonstration how its partners are doing. Writes the configuration that
 * they name into its folder: that of the demonstration, with all that it has from the environment. Returns "" if there
 * is another file of that name, which stays as it is, or if it cannot be written.
 */
export async function operatorLines(demonstrated: Demonstrated): Promise<string> {
  const file = join(demonstrated.folder, configName)
  const program = programIn(demonstrated.environment)
  try {
    if (program === undefined || existsSync(file) && !readFileSync(file, "utf8").startsWith(head)) {
      return ""
    }
    writeFileSync(file, head + stringify(await valuesOf(demonstrated)), { mode: 0o600 })
  } catch {
    return ""
  }
  const line = (command: string) => `${program} --config ${quoted(file)} ${command}\n`
  return `# For operators: how the partners are doing, and what the service has loaded.\n` +
    line("partners") + line("status")
}

/** What of a configuration depends on its folder or on the environment. */
interface Values {
  readonly server: object
  readonly database: object
  readonly session: { readonly secrets: readonly (string | { readonly file: string })[] }
  readonly demonstration: { readonly module: string }
  readonly connect: { readonly mapping: string }
  readonly plugins: readonly { readonly use: string }[]
}

/** Returns the settings of the demonstration as another folder can have them. */
async function valuesOf({ folder, plan, environment, url }: Demonstrated): Promise<Values> {
  const { source, folder: from } = await draftConfig(plan.file, environment)
  const values = source.value as Values
  const own = readSecretFile(join(folder, secretName))[0]
  const { connect, demonstration, session, plugins } = values
  return {
    ...values,
    server: { ...values.server, port: Number(new URL(url).port) },
    database: { ...values.database, url: plan.database.url },
    session: {
      ...session,
      secrets: session.secrets.map((secret) =>
        secret === own
          ? { file: secretName }
          : typeof secret === "string"
          ? secret
          : { file: resolve(from, secret.file) }
      ),
    },
    connect: { ...connect, mapping: resolve(from, connect.mapping) },
    demonstration: { ...demonstration, module: resolve(from, demonstration.module) },
    plugins: plugins.map((plugin) => ({
      ...plugin,
      use: plugin.use.startsWith(".") ? resolve(from, plugin.use) : plugin.use,
    })),
  }
}

/** Returns how this program is called in the shell that it was started from; undefined if that is not known. */
function programIn({ PATH = "" }: Terminal["env"]): string | undefined {
  if (!basename(process.execPath).startsWith("node")) return undefined
  const main = fileURLToPath(new URL("../../../core/main.js", import.meta.url))
  const folder = PATH.split(delimiter).find((each) => isExecutable(join(each, "node")))
  // The Makefile puts a Node.js that it has fetched on PATH, where the shell does not have it.
  const isUsual = folder !== undefined && isOutside(folder) &&
    realpathSync(join(folder, "node")) === realpathSync(process.execPath)
  return `${isUsual ? "node" : quoted(nearby(process.execPath))} ${quoted(nearby(main))}`
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function isOutside(path: string): boolean {
  return relative(process.cwd(), path).startsWith("..")
}

/** Returns a path as one writes it in the working directory. */
export function nearby(path: string): string {
  return isOutside(path) ? path : relative(process.cwd(), path)
}

/** Quotes a path for the shell, if it has to be. */
function quoted(path: string): string {
  return /^[\w./+@-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
