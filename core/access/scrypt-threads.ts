import type { ScryptOptions } from "node:crypto"
import { availableParallelism } from "node:os"
import { extname } from "node:path"
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

/** A thread, and what it works on. */
interface Thread {
  readonly worker: Worker
  job: Job | undefined
}

const jobs: Job[] = []
const idle: Thread[] = []
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
  const job = jobs.shift()
  if (!job) return
  try {
    const thread = idle.pop() ?? startThread()
    thread.job = job
    thread.worker.ref()
    thread.worker.postMessage(job.derivation)
  } catch (error) {
    // The system gives the process no more threads.
    job.reject(error)
  }
}

function startThread(): Thread {
  const options = { env: {}, execArgv: [] }
  // The file is TypeScript in a clone, and JavaScript in the package.
  const file = new URL(`./scrypt-worker${extname(import.meta.url)}`, import.meta.url)
  const worker = new Worker(file, options)
  const thread: Thread = { worker, job: undefined }
  running++
  worker.on("message", (key: Uint8Array) => {
    const { job } = thread
    thread.job = undefined
    // An idle thread does not keep the process alive.
    worker.unref()
    idle.push(thread)
    job?.resolve(key)
    startNext()
  })
  // The thread has ended. Without a listener, the process would.
  worker.on("error", (error) => {
    running--
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1)
    thread.job?.reject(error)
    startNext()
  })
  return thread
}
