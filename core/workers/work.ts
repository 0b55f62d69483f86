import { once } from "node:events"
import process from "node:process"
import type { Channel } from "../cluster.ts"
import { beginToListen, endListening } from "../listening.ts"
import { Service } from "../service.ts"
import type { Terminal } from "../terminal.ts"
import { openTracing } from "../tracing/open-tracing.ts"
import { sharedCounters } from "./counters.ts"
import { isMessage, type ToPrimary, type ToWorker } from "./messages.ts"

/**
 * The life of a worker: it starts with the text that the primary gives it, does what the primary
 * tells it, and ends when the primary does or the process is asked to. What keeps it from starting
 * is the primary's to tell.
 */
export async function work(
  primary: Channel,
  { file, terminal }: { readonly file: string; readonly terminal: Terminal },
): Promise<void> {
  const inbox = new Inbox(primary)
  const tell = (message: ToPrimary) => primary.send(message)
  // The terminal's hang-up reaches all of its processes; a reload is the primary's to begin.
  terminal.onHangUp(() => {})
  await tell({ kind: "ready" })
  let service: Service | undefined
  try {
    const { text } = await inbox.next("begin")
    let workers = 0
    service = await Service.start(file, {
      environment: terminal.env,
      tracing: await openTracing(terminal.env),
      interactive: terminal.isInteractive,
      worker: { text, pid: process.pid, counters: sharedCounters(), listening: () => workers },
    })
    const running = service
    const metrics = running.kernel.config.admin && await running.openMetrics()
    const listening = await beginToListen(running)
    inbox.on("listening", (message) => workers = message.workers)
    inbox.on("outcome", ({ outcome }) => running.noteReload(outcome))
    inbox.on("measure", async () => {
      await tell({ kind: "measured", part: await metrics?.part() ?? [] })
    })
    inbox.on("reload", async ({ text, trigger }) => {
      await tell({ kind: "reloaded", outcome: await running.reload(trigger, text) })
    })
    const stop = inbox.next("stop")
    await tell({ kind: "listening", url: listening.url })
    if (!terminal.shutdown.aborted) await Promise.race([once(terminal.shutdown, "abort"), stop])
    await endListening(running, listening)
  } catch (error) {
    await tell({ kind: "failed", reason: (error as Error).message })
  } finally {
    await service?.close()
  }
}

type Of<Kind> = Extract<ToWorker, { kind: Kind }>

/** What the primary says, by kind. */
class Inbox {
  readonly #callbacks = new Map<string, (message: never) => unknown>()

  constructor(primary: Channel) {
    primary.onMessage((message) => {
      if (isMessage<ToWorker>(message)) this.#callbacks.get(message.kind)?.(message as never)
    })
  }

  on<Kind extends ToWorker["kind"]>(kind: Kind, callback: (message: Of<Kind>) => unknown): void {
    this.#callbacks.set(kind, callback)
  }

  next<Kind extends ToWorker["kind"]>(kind: Kind): Promise<Of<Kind>> {
    return new Promise((resolve) => this.on(kind, resolve))
  }
}
