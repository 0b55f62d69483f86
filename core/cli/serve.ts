import { once } from "node:events"
import { Command } from "commander"
import { watchFiles } from "../config/watch.ts"
import { migrate } from "../data/migrate.ts"
import type { Flags } from "../kernel/capability.ts"
import { startHousekeeping } from "../kernel/housekeeping.ts"
import { startListening, stopListening } from "../kernel/listening.ts"
import { Service } from "../kernel/service.ts"
import { summarizeStart } from "../kernel/start-summary.ts"
import type { Terminal } from "../kernel/terminal.ts"
import { findConfig } from "./context.ts"
import { LogOutput } from "./log-output.ts"
import { openLog } from "./open-log.ts"

/** Options of the command; capabilities may add some. */
interface ServeFlags extends Flags {
  readonly migrate?: true
}

/** `serve`: serves requests until the signal to stop. */
export function serveCommand(terminal: Terminal): Command {
  return new Command("serve")
    .description("serve the configured plugins")
    .option("--migrate", "apply pending migrations first")
    .action((flags: ServeFlags) => serveConfiguration(findConfig(terminal), { flags, terminal }))
}

/** Serves a configuration until the signal to stop. */
export async function serveConfiguration(
  file: string,
  { flags, terminal }: { readonly flags: ServeFlags; readonly terminal: Terminal },
): Promise<void> {
  const { write, notify, warn: report, shutdown: signal } = terminal
  let service: Service | undefined
  const output = new LogOutput({
    write,
    notify,
    // A gap in the lines is an entry of its own.
    onRecovery: (dropped) => service?.log.warn({ dropped }, "lines were dropped here"),
  })
  try {
    const starting = Service.start(file, {
      environment: terminal.env,
      log: ({ log }) => openLog(log, { output, interactive: terminal.isInteractive }),
      lostLines: () => output.dropped,
      flags,
      prepare: async (database) => {
        if (flags.migrate) await migrate(database, { report, signal })
      },
      waiting: { signal },
    })
    // Also while it waits for the database: without a listener, the signal would end the process.
    terminal.onHangUp(async () => {
      const started = await starting.catch(() => undefined)
      await started?.reload("SIGHUP")
    })
    service = await starting
    await serveUntilShutdown(service, terminal)
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

async function serveUntilShutdown(service: Service, terminal: Terminal): Promise<void> {
  const listening = await startListening(service)
  const { url } = listening
  const stopWatching = watchFiles(
    () => service.instance.config.watch ? service.files : new Map(),
    () => void service.reload("a change of the file"),
  )
  const { instance } = service
  const notes = await service.serving(url)
  const summary = summarizeStart(instance, { url, notes })
  service.log.info(summary.fields, "serving")
  if (terminal.isInteractive) terminal.print(summary.text)
  for (const { text } of notes) if (text !== undefined) terminal.print(text)
  const stopHousekeeping = startHousekeeping(service)
  if (!terminal.shutdown.aborted) await once(terminal.shutdown, "abort")
  const { drain } = service.instance.config.server
  service.log.info({ drain }, "stopping")
  service.tell({ kind: "stopping" })
  stopHousekeeping()
  stopWatching()
  await stopListening(service, listening)
}
