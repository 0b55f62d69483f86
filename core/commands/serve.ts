import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import { Command } from "commander"
import { type Admin, openAdmin } from "../admin.ts"
import type { Config } from "../config/read.ts"
import { watchFile } from "../config/watch.ts"
import type { Database } from "../data/database.ts"
import { migrate } from "../data/migrate.ts"
import { hasOrganizations } from "../data/organizations.ts"
import { fillDemonstration, loadDemonstration } from "../demonstration.ts"
import { keepHouse } from "../housekeeping.ts"
import { serve } from "../http/serve.ts"
import { isLoopback } from "../loopback.ts"
import { Service } from "../service.ts"
import { describeStart, summarizeStart } from "../start-summary.ts"
import type { Terminal } from "../terminal.ts"
import { configOf } from "./context.ts"

interface ServeFlags {
  readonly migrate?: true
  readonly demo?: true
}

/** `serve`: answers requests until the process is asked to end. */
export function serveCommand(terminal: Terminal): Command {
  return new Command("serve")
    .description("serve the configured plugins")
    .option("--migrate", "apply pending migrations first")
    .option(
      "--demo",
      "fill an empty database with the demonstration data first, and show what to try",
    )
    .action(async (flags: ServeFlags, command: Command) => {
      const config = await configOf(command, terminal)
      if (flags.demo) refuseStrangers(config)
      const { config: file } = command.optsWithGlobals<{ config: string }>()
      const service = await Service.start(file, {
        environment: terminal.env,
        interactive: terminal.isInteractive,
        prepare: (database) => prepare(database, config, flags),
      })
      try {
        await listen(service, { file, flags, terminal })
      } finally {
        await service.close()
      }
    })
}

async function listen(
  service: Service,
  { file, flags, terminal }: { file: string; flags: ServeFlags; terminal: Terminal },
): Promise<void> {
  const { config, database } = service.kernel
  const { host, port, publicUrl, host_names: hosts, connections, trust_proxy: trustProxy } =
    config.server
  const listening = await serve(service.fetch, {
    host,
    port,
    publicUrl,
    trustProxy,
    hosts,
    limits: { connections },
    log: service.log,
    onRefuse: (code) => service.metrics?.refuse(code),
  })
  terminal.onHangUp(() => void service.reload("SIGHUP"))
  const stopWatching = config.watch
    ? watchFile(file, () => void service.reload("a change of the file"))
    : undefined
  const { version } = database.dialect
  const admin = await watchers(service)
  const summary = summarizeStart(config, {
    url: listening.url,
    database: version,
    admin: admin?.url ?? null,
  })
  service.log.info(summary, "serving")
  if (terminal.isInteractive) terminal.print(describeStart(summary))
  if (flags.demo) terminal.print((await loadDemonstration(config)).guide(listening.url))
  const stopHousekeeping = keepHouse(service)
  if (!terminal.shutdown.aborted) await once(terminal.shutdown, "abort")
  const { drain } = service.kernel.config.server
  service.log.info({ drain }, "stopping")
  stopWatching?.()
  service.drain()
  // So long, load balancers may go on to send requests until they have asked /readyz again.
  if (drain > 0) await setTimeout(drain * 1000)
  await listening.close()
  await admin?.close()
  await stopHousekeeping()
}

/** Listens for those who watch, where the configuration says so. */
async function watchers(service: Service): Promise<Admin | undefined> {
  const { config: { admin } } = service.kernel
  if (!admin) return undefined
  const metrics = await service.openMetrics()
  return await openAdmin(() => metrics.read(), { ...admin, log: service.log })
}

function refuseStrangers({ server: { host } }: Config): void {
  if (isLoopback(host)) return
  throw new Error(
    `The demonstration's password is known to everyone, and server.host ${host} is not loopback. ` +
      `Nothing was started.`,
  )
}

async function prepare(database: Database, config: Config, flags: ServeFlags): Promise<void> {
  if (flags.migrate) await migrate(database)
  if (flags.demo && !await hasOrganizations(database)) {
    await fillDemonstration(await loadDemonstration(config), database)
  }
}
