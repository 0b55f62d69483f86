import type { ScryptOptions } from "node:crypto"
import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"

/** The arguments of scrypt. */
export interface Derivation {
  readonly password: string
  readonly salt: Uint8Array
  /** Bytes of the result. */
  readonly length: number
  readonly options: ScryptOptions
}

interface Job {
  readonly derivation: Derivation
  resolve(key: Uint8Array): void
  reject(error: unknown): void
}

/** How many threads derive keys at once. Leaves a core to the thread that answers requests. */
export const scryptThreads = Math.max(1, Math.min(4, availableParallelism() - 1))

const jobs: Job[] = []
const idle: Worker[] = []
let running = 0

/**
 * Derives a key by scrypt in threads of its own, which start when needed. In those of the runtime,
 * where compression and file access run, log-ins would delay all other requests.
 */
export function deriveInThread(derivation: Derivation): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    jobs.push({ derivation, resolve, reject })
    startNext()
  })
}

function startNext(): void {
  if (jobs.length === 0 || (idle.length === 0 && running >= scryptThreads)) return
  const worker = idle.pop() ?? startWorker()
  const job = jobs.shift()
  if (!job) return
  const fail = (error: unknown) => {
    running--
    job.reject(error)
    startNext()
  }
  worker.ref()
  worker.once("error", fail)
  worker.once("message", (key: Uint8Array) => {
    worker.off("error", fail)
    // An idle thread does not keep the process alive.
    worker.unref()
    idle.push(worker)
    job.resolve(key)
    startNext()
  })
  worker.postMessage(job.derivation)
}

function startWorker(): Worker {
  running++
  const options = { env: {}, execArgv: [] }
  return new Worker(new URL("./scrypt-worker.ts", import.meta.url), options)
}
