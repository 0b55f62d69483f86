import {
  createSecretFile,
  ownConfig,
  readSecretFile,
  serveConfiguration,
  settingsOf,
  type Terminal,
  UserError,
  withDatabase,
} from "../../../core/capability.ts"
import { mkdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { Command } from "commander"
import { secretName } from "./operator-lines.ts"
import { fillDemonstration, hasOrganizations, loadDemonstration } from "./demonstration.ts"

/** `demo`: serves the demonstration, or only fills a database with it. */
export function demoCommand(terminal: Terminal): Command {
  return new Command("demo")
    .description("create a demonstration in a folder, and serve it on $PORT")
    .argument("[folder]", `where its database is kept (default: ${defaultFolder})`)
    .option("--fill", "serve nothing: only fill the empty, migrated database of the configuration")
    .action(async (folder: string | undefined, { fill }: { fill?: true }) => {
      if (!fill) return await serveDemonstration(folder ?? defaultFolder, terminal)
      if (folder !== undefined) {
        throw new UserError(
          "--fill fills the database of the configuration, whatever its folder: leave out the folder. " +
            "Nothing was changed.",
        )
      }
      await fillConfigured(terminal)
    })
}

const defaultFolder = "event-export-demo"

/** Fills an empty database with the demonstration data that the configuration names. */
async function fillConfigured(terminal: Terminal): Promise<void> {
  await withDatabase(terminal, async (database, config) => {
    if (await hasOrganizations(database)) {
      throw new UserError("The database has organizations already. Nothing was changed.")
    }
    await fillDemonstration(
      await loadDemonstration(config.file, settingsOf(config, "demonstration")),
      database,
    )
    terminal.print(
      "The database has the demonstration data. The password of every account is demo: serve it on loopback only.",
    )
  })
}

/**
 * Serves the configuration that comes with the program, or a named one. The folder has the embedded database and
 * the session secret, unless variables of the environment name others, and gets a configuration for commands.
 */
async function serveDemonstration(folder: string, terminal: Terminal): Promise<void> {
  const { env } = terminal
  const defaults = {
    DATABASE_URL: `sqlite:${resolve(folder, "event-export.db")}`,
    SESSION_SECRET: secretIn(folder),
    DEMO_LIVE: "true",
  }
  const given = Object.entries(env).filter(([, value]) => value)
  await serveConfiguration(terminal.config ?? ownConfig, {
    flags: { migrate: true, demo: true, folder },
    terminal: { ...terminal, env: { ...defaults, ...Object.fromEntries(given) } },
  }).catch((error: Error) => {
    if ((error.cause as NodeJS.ErrnoException | undefined)?.code !== "EADDRINUSE") throw error
    throw new UserError(`${error.message} The variable PORT sets it; PORT=0 chooses a free one.`)
  })
}

/** Returns the session secret of a folder, and creates what is missing. @throws {UserError} */
function secretIn(folder: string): string {
  const file = join(folder, secretName)
  let place = `the folder ${folder}`
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    createSecretFile(file)
    place = file
    return readSecretFile(file)[0] ?? ""
  } catch (error) {
    throw new UserError(`Cannot use ${place}: ${(error as Error).message}. Nothing was started.`)
  }
}
