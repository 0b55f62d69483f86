import { once } from "node:events"
import { Command } from "commander"
import type { Config } from "../config/read.ts"
import type { Database } from "../data/database.ts"
import { migrate } from "../data/migrate.ts"
import { hasOrganizations } from "../data/organizations.ts"
import { fillDemonstration, loadDemonstration } from "../demonstration.ts"
import { serve } from "../http/serve.ts"
import { startKernel } from "../kernel.ts"
import { createLog } from "../log.ts"
import { isLoopback } from "../loopback.ts"
import type { Terminal } from "../terminal.ts"
import { configOf } from "./context.ts"

/** `serve`: answers requests until the process is asked to end. */
export function serveCommand(terminal: Terminal): Command {
  return new Command("serve")
    .description("serve the configured plugins")
    .option("--migrate", "apply pending migrations first")
    .option(
      "--demo",
      "fill an empty database with the demonstration data first, and show what to try",
    )
    .action(async (options: { migrate?: true; demo?: true }, command: Command) => {
      const config = await configOf(command, terminal)
      const { host, port, publicUrl } = config.server
      if (options.demo && !isLoopback(host)) {
        throw new Error(
          `The demonstration's password is known to everyone, and server.host ${host} is not loopback. Nothing was started.`,
        )
      }
      const log = createLog(config.log.level)
      const kernel = await startKernel(config, {
        log,
        prepare: (database) => prepare(database, config, options),
      })
      try {
        const listening = await serve(kernel.fetch, { host, port, publicUrl, log })
        const { version } = kernel.database.dialect
        log.info({ url: listening.url, database: version, routes: config.routes.length }, "serving")
        if (options.demo) terminal.print((await loadDemonstration(config)).guide(listening.url))
        if (!terminal.shutdown.aborted) await once(terminal.shutdown, "abort")
        log.info({}, "stopping")
        await listening.close()
      } finally {
        await kernel.close()
      }
    })
}

async function prepare(
  database: Database,
  config: Config,
  options: { migrate?: true; demo?: true },
): Promise<void> {
  if (options.migrate) await migrate(database)
  if (options.demo && !await hasOrganizations(database)) {
    await fillDemonstration(await loadDemonstration(config), database)
  }
}
