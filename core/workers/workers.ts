import type { Cluster } from "../cluster.ts"
import type { Service } from "../service.ts"
import type { ReloadOutcome } from "../status.ts"
import { keepCounters } from "./counters.ts"
import { Member } from "./member.ts"

/** Milliseconds: who lives for less has failed to start, and is started again ever more slowly. */
const shortLife = 10_000
const longestWait = 30_000

export interface WorkersOptions {
  readonly cluster: Cluster
  readonly count: number
  /** The primary's own service: it has no port, and tries each configuration before the workers. */
  readonly service: Pick<Service, "kernel" | "log" | "reload">
}

/**
 * The worker processes of one port, as the primary keeps them: it starts them, has all of them
 * change their configuration, puts another in the place of each that ends, and ends them together.
 */
export class Workers {
  readonly #options: WorkersOptions
  readonly #members = new Set<Member>()
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
  #reloading: Promise<unknown> = Promise.resolve()
  #lastOutcome: ReloadOutcome | undefined
  /** True from when all have begun to listen until they are asked to end. */
  #serving = false
  #shortLives = 0

  constructor(options: WorkersOptions) {
    this.#options = options
  }

  /** Starts them, and answers their address once all listen. @throws {Error} where one cannot. */
  async start(): Promise<string> {
    keepCounters()
    const { count } = this.#options
    const members = Array.from({ length: count }, () => this.#begin())
    try {
      const [url = ""] = await Promise.all(members.map(({ listening }) => listening))
      this.#serving = true
      return url
    } catch (error) {
      for (const member of members) member.kill()
      await this.#allEnded()
      throw error
    }
  }

  /**
   * Puts the configuration file into force as it is now: in the primary first, which has no port, and
   * where it is refused there, nowhere. One at a time, in order.
   */
  reload(trigger: string): Promise<void> {
    const reloaded = this.#reloading.then(() => this.#reload(trigger))
    this.#reloading = reloaded
    return reloaded
  }

  /** The metrics of all that listen, put together. */
  async readMetrics(): Promise<{ readonly text: string; readonly type: string }> {
    const { readTogether } = await import("../metrics/metrics.ts")
    const listening = [...this.#members].filter(({ isListening }) => isListening)
    const parts = await Promise.all(listening.map((member) => member.measure()))
    return await readTogether(parts.filter((part) => part !== undefined))
  }

  /** Ends all of them, each after the requests that it is answering. */
  async stop(): Promise<void> {
    this.#serving = false
    for (const timer of this.#timers) clearTimeout(timer)
    for (const member of this.#members) member.tell({ kind: "stop" })
    await this.#allEnded()
  }

  async #allEnded(): Promise<void> {
    await Promise.all([...this.#members].map(({ ended }) => ended))
  }

  #begin(): Member {
    const { cluster, service } = this.#options
    const member = new Member(cluster, () => service.kernel.config.text)
    const { pid } = member
    this.#members.add(member)
    service.log.info({ pid }, "worker started")
    member.listening.then(() => this.#welcome(member), (error: Error) => {
      if (this.#serving) service.log.error({ pid, reason: error.message }, "worker cannot listen")
    })
    void member.ended.then((how) => this.#replace(member, how))
    return member
  }

  /** Whatever happened while it started, it is told now. */
  #welcome(member: Member): void {
    this.#count()
    if (this.#lastOutcome) member.tell({ kind: "outcome", outcome: this.#lastOutcome })
  }

  #replace(member: Member, how: string): void {
    this.#members.delete(member)
    this.#count()
    if (!this.#serving) return
    const livedShortly = performance.now() - member.born < shortLife
    this.#shortLives = livedShortly ? this.#shortLives + 1 : 0
    const wait = livedShortly ? Math.min(longestWait, 100 * 2 ** this.#shortLives) : 0
    this.#options.service.log.error(
      { pid: member.pid, how, wait },
      "worker ended; another takes its place",
    )
    this.#later(wait, () => void this.#begin())
  }

  /** Tells all how many there are to answer. */
  #count(): void {
    const workers = [...this.#members].filter(({ isListening }) => isListening).length
    for (const member of this.#members) member.tell({ kind: "listening", workers })
  }

  async #reload(trigger: string): Promise<void> {
    const { service } = this.#options
    this.#lastOutcome = await service.reload(trigger)
    if (this.#lastOutcome.result === "refused") {
      for (const member of this.#members) {
        member.tell({ kind: "outcome", outcome: this.#lastOutcome })
      }
      return
    }
    const { text } = service.kernel.config
    await Promise.all([...this.#members].map((member) => this.#apply(member, { text, trigger })))
  }

  /**
   * Has one worker put into force what the primary has. Where that fails (the database may be away for
   * a moment) it goes on with what it had, and is asked again until it succeeds or something newer is
   * in force.
   */
  async #apply(
    member: Member,
    change: { readonly text: string; readonly trigger: string },
    wait = 1000,
  ): Promise<void> {
    // One that is still starting may have been given the text of before.
    await member.listening.catch(() => {})
    const outcome = await member.reload(change.text, change.trigger)
    if (outcome?.result !== "refused") return
    const { log } = this.#options.service
    log.error({ pid: member.pid, wait }, "worker keeps the old configuration; it is asked again")
    this.#later(wait, () => {
      this.#reloading = this.#reloading.then(async () => {
        const { text } = this.#options.service.kernel.config
        if (text === change.text) await this.#apply(member, change, Math.min(longestWait, 2 * wait))
      })
    })
  }

  #later(milliseconds: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      if (this.#serving) work()
    }, milliseconds)
    this.#timers.add(timer)
  }
}
