import type { ScryptOptions } from "node:crypto"
import { once } from "node:events"
import { availableParallelism } from "node:os"
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import { Turns } from "./turns.ts"

/** The arguments of scrypt. */
export interface Derivation {
  readonly password: string
  readonly salt: Uint8Array
  /** Bytes of the result. */
  readonly length: number
  readonly options: ScryptOptions
}

/** How many threads derive keys at once. Leaves a core to the thread that answers requests. */
export const scryptThreads = Math.max(1, Math.min(4, availableParallelism() - 1))

const turns = new Turns({ atOnce: scryptThreads, mostWaiting: Infinity })
const idle = new Set<Worker>()

/**
 * Derives a key by scrypt in threads of its own, which start when needed. In those of the runtime,
 * where compression and file access run, log-ins would delay all other requests.
 */
export async function deriveInThread(derivation: Derivation): Promise<Uint8Array> {
  using _turn = await turns.take({ groups: [] }, new AbortController().signal)
  const [worker = startThread()] = idle
  idle.delete(worker)
  worker.ref()
  worker.postMessage(derivation)
  // Rejects if the thread fails, which ends it.
  const [key] = await once(worker, "message")
  // An idle thread does not keep the process alive.
  worker.unref()
  idle.add(worker)
  return key
}

/** @throws if the system gives the process no more threads. */
function startThread(): Worker {
  // The file is TypeScript in a clone, and JavaScript in the package.
  const file = new URL(`./scrypt-worker${extname(import.meta.url)}`, import.meta.url)
  const worker = new Worker(file, { env: {}, execArgv: [] })
  // Without a listener, the end of an idle thread would end the process.
  worker.on("error", () => idle.delete(worker))
  return worker
}
