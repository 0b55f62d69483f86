import { once } from "node:events"
import { Command } from "commander"
import { openAdmin } from "../admin.ts"
import type { Cluster } from "../cluster.ts"
import { ConfigError } from "../config/problem.ts"
import type { Config } from "../config/read.ts"
import { watchFile } from "../config/watch.ts"
import type { Database } from "../data/database.ts"
import { migrate } from "../data/migrate.ts"
import { hasOrganizations } from "../data/organizations.ts"
import { fillDemonstration, loadDemonstration } from "../demonstration.ts"
import { keepHouse } from "../housekeeping.ts"
import { beginToListen, endListening } from "../listening.ts"
import { isLoopback } from "../loopback.ts"
import type { Metrics } from "../metrics/metrics.ts"
import { Service } from "../service.ts"
import { describeStart, summarizeStart } from "../start-summary.ts"
import { openTracing } from "../tracing/open-tracing.ts"
import type { Terminal } from "../terminal.ts"
import { work } from "../workers/work.ts"
import { Workers } from "../workers/workers.ts"
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
      const { config: file } = command.optsWithGlobals<{ config: string }>()
      const { cluster } = terminal
      if (cluster?.primary) return await work(cluster.primary, { file, terminal })
      const config = await configOf(command, terminal)
      if (flags.demo) refuseStrangers(config)
      if (!cluster) refuseWorkers(config)
      const service = await Service.start(file, {
        environment: terminal.env,
        interactive: terminal.isInteractive,
        tracing: await openTracing(terminal.env),
        prepare: (database) => prepare(database, config, flags),
      })
      const serving = { service, file, flags, terminal }
      try {
        const answering = cluster && config.workers > 1
          ? await answerByWorkers(service, cluster)
          : await answerAlone(service)
        await untilShutdown(serving, answering)
      } finally {
        await service.close()
      }
    })
}

interface Serving {
  readonly service: Service
  readonly file: string
  readonly flags: ServeFlags
  readonly terminal: Terminal
}

/** What answers requests, and has begun to. */
interface Answering {
  readonly url: string
  reload(trigger: string): Promise<unknown>
  /** Begins to count, and answers what reads the counts. */
  openMetrics(): Promise<Metrics["read"]>
  /** Ends it, after the requests that are being answered. */
  end(): Promise<void>
}

/** This process answers. */
async function answerAlone(service: Service): Promise<Answering> {
  const listening = await beginToListen(service)
  return {
    url: listening.url,
    reload: (trigger) => service.reload(trigger),
    openMetrics: async () => {
      const metrics = await service.openMetrics()
      return () => metrics.read()
    },
    end: () => endListening(service, listening),
  }
}

/** Workers answer; this process has no port for partners, and keeps house for all of them. */
async function answerByWorkers(service: Service, cluster: Cluster): Promise<Answering> {
  const { workers: count } = service.kernel.config
  const workers = new Workers({ cluster, count, service })
  return {
    url: await workers.start(),
    reload: (trigger) => workers.reload(trigger),
    openMetrics: async () => () => workers.readMetrics(),
    end: () => workers.stop(),
  }
}

async function untilShutdown(
  { service, file, flags, terminal }: Serving,
  { url, reload, openMetrics, end }: Answering,
): Promise<void> {
  const { config, database } = service.kernel
  terminal.onHangUp(() => void reload("SIGHUP"))
  const stopWatching = config.watch
    ? watchFile(file, () => void reload("a change of the file"))
    : undefined
  const { version } = database.dialect
  // For those who watch, where the configuration says so.
  const admin = config.admin &&
    await openAdmin(await openMetrics(), { ...config.admin, log: service.log })
  const summary = summarizeStart(config, { url, database: version, admin: admin?.url ?? null })
  service.log.info(summary, "serving")
  if (terminal.isInteractive) terminal.print(describeStart(summary))
  if (flags.demo) terminal.print((await loadDemonstration(config)).guide(url))
  const stopHousekeeping = keepHouse(service)
  if (!terminal.shutdown.aborted) await once(terminal.shutdown, "abort")
  const { drain } = service.kernel.config.server
  service.log.info({ drain }, "stopping")
  stopWatching?.()
  await end()
  await admin?.close()
  await stopHousekeeping()
}

function refuseWorkers({ file, workers }: Config): void {
  if (workers === 1) return
  const message = `workers must be 1 under Deno, where several processes cannot share a port`
  throw new ConfigError([{ file, line: 1, column: 1, message }])
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
