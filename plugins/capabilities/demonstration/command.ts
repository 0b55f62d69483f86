import { settingsOf, UserError } from "../../../core/capability.ts"
import {
  createSecretFile,
  ownConfig,
  readSecretFile,
  serveConfiguration,
  type Terminal,
  withDatabase,
} from "../../../core/commands.ts"
import { mkdirSync } from "node:fs"
import { open } from "node:fs/promises"
import { join, resolve } from "node:path"
import { Command } from "commander"
import { secretName } from "./operator-lines.ts"
import { fillDemonstration, hasOrganizations, loadDemonstration } from "./demonstration.ts"
import { openPlatform, placePlatform } from "./platform.ts"
import { Screen } from "./screen.ts"

/** Options of `demo`, besides those of `serve`. */
export interface DemoFlags {
  /** The folder for the configuration that commands use. */
  readonly folder?: string
  /** The file of the log. */
  readonly log?: string
  /** Reports what happens before the service listens. */
  readonly progress?: (text: string) => void
  /** Shows what happens after that. */
  readonly screen?: Screen | undefined
}

/** `demo`: serves the demonstration, or only fills a database with it. */
export function demoCommand(terminal: Terminal): Command {
  return new Command("demo")
    .description("create a demonstration in a folder, and serve it on $PORT")
    .argument("[folder]", `where its database is kept (default: ${defaultFolder})`)
    .option("--fill", "serve nothing: only fill the empty, migrated database of the configuration")
    .option(
      "--log <file>",
      `where the log goes, "-" for standard output (default: on a terminal ${logName} in the folder, else "-")`,
    )
    .action(async (folder: string | undefined, { fill, log }: { fill?: true; log?: string }) => {
      if (!fill) return await serveDemonstration(folder ?? defaultFolder, { log, terminal })
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
const logName = "demo.log"

/** Fills an empty database with the configuration's demonstration. */
async function fillConfigured(terminal: Terminal): Promise<void> {
  await withDatabase(terminal, async (database, config) => {
    if (await hasOrganizations(database)) {
      throw new UserError("The database has organizations already. Nothing was changed.")
    }
    const demonstration = await loadDemonstration(
      config.file,
      settingsOf(config, "demonstration"),
    )
    const platform = await openPlatform(placePlatform(demonstration, config))
    try {
      await fillDemonstration(demonstration, { database, platform })
    } finally {
      await platform.destroy()
    }
    terminal.print(
      'The platform has the demonstration data; "event-export connect run" takes it over, and so does "serve". The ' +
        "password of every account is demo: serve it on loopback only.",
    )
  })
}

/**
 * Serves the configuration that comes with the program, or a named one. The folder holds the embedded databases, the
 * mapping and the session secret, unless the environment names others, and a configuration for commands. On a terminal,
 * the screen shows what to try, and the log goes to a file.
 */
async function serveDemonstration(
  folder: string,
  { log, terminal }: { readonly log: string | undefined; readonly terminal: Terminal },
): Promise<void> {
  const { env } = terminal
  const defaults = {
    DATABASE_URL: `sqlite:${resolve(folder, "event-export.db")}`,
    SESSION_SECRET: secretIn(folder),
    DEMO_LIVE: "true",
    DEMO_MAPPING: resolve(folder, "platform.yaml"),
  }
  const given = Object.entries(env).filter(([, value]) => value)
  const served = { ...terminal, env: { ...defaults, ...Object.fromEntries(given) } }
  const isScreen = terminal.isInteractive && env["TERM"] !== "dumb"
  const file = log ?? (isScreen ? join(folder, logName) : "-")
  const serve: Serve = (terminal, flags) =>
    serveConfiguration(terminal.config ?? ownConfig, {
      flags: { migrate: true, demo: true, folder, ...flags },
      terminal,
    })
  await (file === "-"
    ? serve(served, { progress: served.print })
    : logTo(file, served, isScreen ? onScreen(served, serve) : serve)).catch((error: Error) => {
      if ((error.cause as NodeJS.ErrnoException | undefined)?.code !== "EADDRINUSE") throw error
      throw new UserError(`${error.message} The variable PORT sets it; PORT=0 chooses a free one.`)
    })
}

/** Serves the demonstration on a terminal. */
type Serve = (terminal: Terminal, flags: Omit<DemoFlags, "folder">) => Promise<void>

/** Bytes after which the log starts over: a demonstration may run for weeks. */
const mostLogged = 16_000_000

/** Serves the demonstration with its log in a file. @throws {UserError} if the file cannot be opened. */
async function logTo(file: string, terminal: Terminal, serve: Serve): Promise<void> {
  const handle = await open(file, "a", 0o600).catch((error: Error) => {
    throw new UserError(`Cannot use ${file}: ${error.message}. Nothing was started.`)
  })
  let { size } = await handle.stat()
  const write = async (bytes: Uint8Array) => {
    if (size > mostLogged) {
      // A device or a pipe cannot be truncated.
      await handle.truncate().catch(() => {})
      size = 0
    }
    const { bytesWritten } = await handle.write(bytes)
    size += bytesWritten
    return bytesWritten
  }
  try {
    await serve({ ...terminal, isInteractive: false, write }, {
      log: file,
      progress: terminal.print,
    })
  } finally {
    await handle.close()
  }
}

/** Serves the demonstration with a screen, until the signal to stop or until the terminal is gone. */
function onScreen(shown: Terminal, serve: Serve): Serve {
  return async (terminal, flags) => {
    const gone = new AbortController()
    const screen = new Screen(shown, () => gone.abort())
    const print = (text: string) => screen.print(text)
    const began = performance.now()
    const progress = (text: string) =>
      screen.show(() => `${text}: ${Math.floor((performance.now() - began) / 1000)} s`)
    const shutdown = AbortSignal.any([terminal.shutdown, gone.signal])
    progress("starting")
    try {
      await serve({ ...terminal, print, warn: print, notify: print, shutdown }, {
        ...flags,
        progress,
        screen,
      })
    } finally {
      await screen.close()
    }
  }
}

/** Returns the session secret of a folder. Creates the folder and the secret if missing. @throws {UserError} */
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
