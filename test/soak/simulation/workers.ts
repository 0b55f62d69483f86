import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import type { Order, Report } from "./worker.ts"

const file = fileURLToPath(new URL("./worker.ts", import.meta.url))
/** What Node has compiled of modules: each process loads all. */
const compiled = fileURLToPath(new URL("../../../.cache/compiled", import.meta.url))

/** Processes that run worlds, one each at a time. */
export class Workers {
  readonly #idle: ChildProcess[]
  readonly #waiting: ((worker: ChildProcess) => void)[] = []
  readonly #all: readonly ChildProcess[]

  /** Starts as many as there are cores, or `count`. @throws {Error} if one does not start. */
  static async start(count = availableParallelism()): Promise<Workers> {
    const workers = Array.from(
      { length: count },
      (_, index) =>
        fork(file, [String(index)], {
          // One thread, so that its operations end in the order in which they began.
          env: { NODE_COMPILE_CACHE: compiled, ...process.env, UV_THREADPOOL_SIZE: "1" },
          execArgv: [...process.execArgv, "--expose-gc"],
          serialization: "advanced",
        }),
    )
    await Promise.all(workers.map((worker) => messageOf(worker)))
    return new Workers(workers)
  }

  private constructor(workers: readonly ChildProcess[]) {
    this.#all = workers
    this.#idle = [...workers]
  }

  get count(): number {
    return this.#all.length
  }

  /** Runs a world in the next process that is idle. @throws {Error} if that process ends. */
  async run(order: Order): Promise<Report> {
    const worker = this.#idle.pop() ??
      await new Promise<ChildProcess>((resolve) => void this.#waiting.push(resolve))
    worker.send(order)
    const report = await messageOf(worker)
    const next = this.#waiting.shift()
    if (next) next(worker)
    else this.#idle.push(worker)
    return report as Report
  }

  stop(): void {
    for (const worker of this.#all) worker.disconnect()
  }
}

async function messageOf(worker: ChildProcess): Promise<unknown> {
  const answered = new AbortController()
  const { signal } = answered
  const ended = once(worker, "exit", { signal }).then(([code]) => {
    throw new Error(`The process of a simulated world ended with code ${code}.`)
  })
  // Also of a process that ends later.
  ended.catch(() => {})
  const [message] = await Promise.race([once(worker, "message", { signal }), ended])
  answered.abort()
  return message
}
