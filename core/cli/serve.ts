import { once } from "node:events"
import { Command } from "commander"
import { openAdmin } from "../kernel/admin.ts"
import type { Config } from "../config/read.ts"
import { watchFiles } from "../config/watch.ts"
import type { Database } from "../data/database.ts"
import { UserError } from "../errors.ts"
import { migrate } from "../data/migrate.ts"
import { fillDemonstration, loadDemonstration } from "../kernel/demonstration.ts"
import { isLive, playDemonstration } from "../kernel/live-demonstration.ts"
import { exposuresOf } from "../kernel/exposure.ts"
import { localUrl } from "../http/server-address.ts"
import { startHousekeeping } from "../kernel/housekeeping.ts"
import { startListening, stopListening } from "../kernel/listening.ts"
import { startPresence } from "../kernel/presence.ts"
import { Service } from "../kernel/service.ts"
import type { Log } from "../log.ts"
import { LogOutput } from "../observe/log/log-output.ts"
import { openLog } from "../observe/log/open-log.ts"
import { describeStart, summarizeStart } from "../kernel/start-summary.ts"
import { openTracing } from "../observe/tracing/open-tracing.ts"
import { readPlan } from "../routes/plan.ts"
import { findConfig } from "./find-config.ts"
import type { Terminal } from "./terminal.ts"
import { ServiceManager } from "./service-manager.ts"

interface ServeFlags {
  readonly migrate?: true
  readonly demo?: true
}

/** `serve`: serves requests until the signal to stop. */
export function serveCommand(terminal: Terminal): Command {
  return new Command("serve")
    .description("serve the configured plugins")
    .option("--migrate", "apply pending migrations first")
    .option(
      "--demo",
      "fill an empty database with the demonstration data first, and show what to try",
    )
    .action((flags: ServeFlags, command: Command) =>
      serve(findConfig(command, terminal), { flags, terminal })
    )
}

/** Serves a configuration until the signal to stop. */
export async function serve(
  file: string,
  { flags, terminal }: Pick<ServeContext, "flags" | "terminal">,
): Promise<void> {
  const config = await readPlan(file, terminal.env)
  if (flags.demo) refusePublicDemonstration(config)
  const { shutdown: signal } = terminal
  const output = openOutput(terminal, () => service?.log)
  let service: Service | undefined
  const manager = new ServiceManager(terminal.env, () => service?.log)
  try {
    const starting = Service.start(file, {
      environment: terminal.env,
      log: ({ log }) => openLog(log, { output, interactive: terminal.isInteractive }),
      lostLines: () => output.dropped,
      tracing: await openTracing(terminal.env),
      prepare: (database) => prepare(database, config, { flags, terminal }),
      waiting: { signal },
      onState: manager.tell,
    })
    // Also while it waits for the database: without a listener, the signal would end the process.
    terminal.onHangUp(async () => {
      const started = await starting.catch(() => undefined)
      await started?.reload("SIGHUP")
    })
    service = await starting
    await serveUntilShutdown({ service, flags, terminal, manager })
  } catch (error) {
    // Stopped while it waited for the database.
    if (!service && signal.aborted && (error as Error).name === "AbortError") return
    throw error
  } finally {
    await service?.close()
    await output.close(lastLines)
  }
}

/** Milliseconds to write the last lines of the log. */
const lastLines = 1000

/** Opens the output of the logs of a process. A gap in the lines is an entry of its own. */
function openOutput(
  { write, notify }: Terminal,
  currentLog: () => Log | undefined,
): LogOutput {
  return new LogOutput({
    write,
    notify,
    onRecovery: (dropped) => currentLog()?.warn({ dropped }, "lines were dropped here"),
  })
}

/** A started service, and how it was started. */
interface ServeContext {
  readonly service: Service
  readonly flags: ServeFlags
  readonly terminal: Terminal
  readonly manager: ServiceManager
}

async function serveUntilShutdown(
  { service, flags, terminal, manager }: ServeContext,
): Promise<void> {
  const listening = await startListening(service)
  const { url } = listening
  const { config, database } = service.instance
  const stopWatching = watchFiles(
    () => service.instance.config.watch ? service.files : new Map(),
    () => void service.reload("a change of the file"),
  )
  const { version } = database.dialect
  const metrics = config.admin && await service.openMetrics()
  const admin = config.admin && metrics &&
    await openAdmin({ metrics: () => metrics.read(), health: service.answer }, {
      ...config.admin,
      log: service.log,
    })
  const summary = summarizeStart(config, { url, database: version, admin: admin?.url ?? null })
  service.log.info(summary, "serving")
  if (terminal.isInteractive) terminal.print(describeStart(summary))
  const stopDemonstration = flags.demo && await startDemonstration({ service, terminal, url })
  const stopHousekeeping = startHousekeeping(service)
  const endPresence = startPresence(service, { url })
  manager.serving(url, () => service.instance.config.hash)
  if (!terminal.shutdown.aborted) await once(terminal.shutdown, "abort")
  const { drain } = service.instance.config.server
  service.log.info({ drain }, "stopping")
  manager.stopping(drain)
  if (stopDemonstration) stopDemonstration()
  stopHousekeeping()
  stopWatching()
  await stopListening(service, listening)
  await endPresence()
  await admin?.close()
}

/** Shows what to try, and lets the demonstration live. Returns a function that stops it. */
async function startDemonstration(
  { service, terminal, url }: Pick<ServeContext, "service" | "terminal"> & { readonly url: string },
): Promise<() => void> {
  const { config } = service.instance
  const demonstration = await loadDemonstration(config)
  // Neither a browser nor the check of the header Host knows the address that stands for all of them.
  const local = localUrl(url)
  terminal.print(demonstration.guide(config.server.publicUrl ?? local, isLive(config)))
  return playDemonstration(demonstration, { service, url: local })
}

function refusePublicDemonstration(config: Config): void {
  const exposures = exposuresOf(config)
  if (exposures.length === 0) return
  throw new UserError(
    `Everyone knows the password of the demonstration, and others can reach the service: ` +
      `${
        exposures.join("; ")
      }. Nothing was started. Serve no demonstration, or serve it on loopback only.`,
  )
}

async function prepare(
  database: Database,
  config: Config,
  { flags, terminal }: Pick<ServeContext, "flags" | "terminal">,
): Promise<void> {
  const { warn: report, shutdown: signal } = terminal
  if (flags.migrate) await migrate(database, { report, signal })
  if (flags.demo) await fillDemonstration(await loadDemonstration(config), database)
}
