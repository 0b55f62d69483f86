import type { Cluster, Fork } from "../cluster.ts"
import type { MetricsPart } from "../metrics/metrics.ts"
import type { ReloadOutcome } from "../status.ts"
import { isMessage, type ToPrimary, type ToWorker } from "./messages.ts"

/** One worker, as the primary sees it, from its fork to its end. */
export class Member {
  readonly #fork: Fork
  readonly #ended = Promise.withResolvers<string>()
  readonly #listening = Promise.withResolvers<string>()
  readonly #measured: ((part: MetricsPart) => void)[] = []
  #reloaded: ((outcome: ReloadOutcome) => void) | undefined
  readonly born = performance.now()
  isListening = false

  /** Forks a worker. It asks for the text of the configuration once it can hear. */
  constructor(cluster: Cluster, textInForce: () => string) {
    this.#fork = cluster.fork()
    this.#listening.promise.catch(() => {})
    this.#fork.onExit((how) => {
      this.isListening = false
      this.#listening.reject(new Error(`A worker ended before it listened: ${how}.`))
      this.#ended.resolve(how)
    })
    this.#fork.onMessage((message) => {
      if (!isMessage<ToPrimary>(message)) return
      if (message.kind === "ready") this.tell({ kind: "begin", text: textInForce() })
      if (message.kind === "failed") this.#listening.reject(new Error(message.reason))
      if (message.kind === "reloaded") this.#reloaded?.(message.outcome)
      if (message.kind === "measured") this.#measured.shift()?.(message.part)
      if (message.kind === "listening") {
        this.isListening = true
        this.#listening.resolve(message.url)
      }
    })
  }

  get pid(): number {
    return this.#fork.pid
  }

  /** The address, once it listens. Rejects with the reason why it never will. */
  get listening(): Promise<string> {
    return this.#listening.promise
  }

  /** How it ended, once it has. */
  get ended(): Promise<string> {
    return this.#ended.promise
  }

  tell(message: ToWorker): void {
    void this.#fork.send(message)
  }

  /** Has it put a text into force; undefined where it ended instead. One at a time. */
  async reload(text: string, trigger: string): Promise<ReloadOutcome | undefined> {
    const { promise, resolve } = Promise.withResolvers<ReloadOutcome>()
    this.#reloaded = resolve
    this.tell({ kind: "reload", text, trigger })
    return await Promise.race([promise, this.ended.then(() => undefined)])
  }

  /** Its metrics now; undefined where it ended instead. */
  async measure(): Promise<MetricsPart | undefined> {
    const { promise, resolve } = Promise.withResolvers<MetricsPart>()
    this.#measured.push(resolve)
    this.tell({ kind: "measure" })
    return await Promise.race([promise, this.ended.then(() => undefined)])
  }

  kill(): void {
    this.#fork.kill()
  }
}
