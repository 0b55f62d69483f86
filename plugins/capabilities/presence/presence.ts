import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import process from "node:process"
import { type InstanceRow, removeInstance, renewInstance } from "./instances.ts"
import { type RunningService, version } from "../../../core/capability.ts"

interface PresenceOptions {
  /** The URL that partners use. */
  readonly url: string
  /** Milliseconds between two writes. */
  readonly every?: number
}

/** The most milliseconds that a write may take. */
const timeLimit = 2000

/**
 * Records in the database, every ten seconds, that this process is serving, with its configuration and the result of
 * the last reload. Never fails and never delays the service.
 *
 * Returns a function that stops this and removes the record.
 */
export function startPresence(
  service: Pick<RunningService, "instance" | "log">,
  { url, every = 10_000 }: PresenceOptions,
): () => Promise<void> {
  const id = randomUUID()
  let isLogged = false
  const renew = async () => {
    const { instance, log } = service
    try {
      const row = await describeProcess(service, { id, url })
      await renewInstance(instance.database, row, AbortSignal.timeout(timeLimit))
      isLogged = false
    } catch (error) {
      // While the database is away, one line says enough.
      if (!isLogged) log.warn({ error }, "cannot note in the database that this process serves")
      isLogged = true
    }
  }
  let running = renew()
  const timer = setInterval(() => {
    running = running.then(renew)
  }, every)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
    // The database is away.
    if (isLogged) return
    const { instance, log } = service
    await removeInstance(instance.database, id, AbortSignal.timeout(timeLimit)).catch((error) =>
      log.warn({ error }, "cannot note in the database that this process ends")
    )
  }
}

async function describeProcess(
  { instance }: Pick<RunningService, "instance">,
  { id, url }: { readonly id: string; readonly url: string },
): Promise<InstanceRow> {
  const { config, since, lastReload } = instance.status()
  const { ready } = await instance.readiness()
  const { deno, node } = process.versions
  return {
    id,
    host: hostname().slice(0, 200),
    pid: process.pid,
    url: url.slice(0, 500),
    version: `${version} on ${deno ? `Deno ${deno}` : `Node.js ${node}`}`,
    ready: Number(ready),
    config_file: config.file.slice(0, 1000),
    config_hash: config.hash,
    config_since: since,
    reload_at: lastReload?.at ?? null,
    reload_result: lastReload?.result ?? null,
    reload_reason: lastReload?.reason?.slice(0, 10_000) ?? null,
  }
}
