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

/** The file of the session secret in a demonstration's folder. */
export const secretName = "session-secret"

const head =
  "# The configuration of the demonstration beside it, for commands. Each start of it writes this file anew.\n"

/** How a running demonstration was started. */
interface DemonstrationStart {
  readonly folder: string
  readonly plan: Plan
  readonly environment: Terminal["env"]
  /** The URL at which it listens. */
  readonly url: string
}

/**
 * Returns commands to paste that show how the partners of the running demonstration are doing. Writes the configuration
 * that they use into its folder: the demonstration's, with the values from the environment. Returns "" if the file
 * cannot be written, or if a different file has that name, which is left alone.
 */
export async function operatorLines(start: DemonstrationStart): Promise<string> {
  const file = join(start.folder, configName)
  const program = programIn(start.environment)
  try {
    if (program === undefined || existsSync(file) && !readFileSync(file, "utf8").startsWith(head)) {
      return ""
    }
    writeFileSync(file, head + stringify(await readValues(start)), { mode: 0o600 })
  } catch {
    return ""
  }
  const line = (command: string) => `${program} --config ${quoted(file)} ${command}\n`
  return `# For operators: how the partners are doing, and what the service has loaded.\n` +
    line("partners") + line("status")
}

/** The parts of a configuration that depend on its folder or on the environment. */
interface Values {
  readonly server: object
  readonly database: object
  readonly session: { readonly secrets: readonly (string | { readonly file: string })[] }
  readonly demonstration: { readonly module: string }
  readonly connect: { readonly mapping: string }
  readonly plugins: readonly { readonly use: string }[]
}

/** Returns the demonstration's settings in a form that works from another folder. */
async function readValues({ folder, plan, environment, url }: DemonstrationStart): Promise<Values> {
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

/** Returns the command that runs this program from the shell that started it; undefined if unknown. */
function programIn({ PATH = "" }: Terminal["env"]): string | undefined {
  if (!basename(process.execPath).startsWith("node")) return undefined
  const main = fileURLToPath(new URL("../../../core/main.js", import.meta.url))
  const folder = PATH.split(delimiter).find((each) => isExecutable(join(each, "node")))
  // The Makefile puts its downloaded Node.js on its own PATH, but not on the shell's.
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

/** Returns a path relative to the working directory, if it is inside. */
export function nearby(path: string): string {
  return isOutside(path) ? path : relative(process.cwd(), path)
}

/** Quotes a path for the shell if necessary. */
function quoted(path: string): string {
  return /^[\w./+@-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
