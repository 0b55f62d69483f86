import { setTimeout as sleep } from "node:timers/promises"
import { type AuditSummary, checkAudit } from "../chaos/audit-check.ts"
import { compareCopies, type Comparison } from "../chaos/comparison.ts"
import { Crowd } from "../chaos/crowd.ts"
import type { Observations } from "../chaos/observations.ts"
import { feedPartners, goodPartners } from "../chaos/partners.ts"
import { readTruth } from "../../support/truth.ts"
import type { Teardown } from "../../support/database.ts"
import type { Random } from "../../support/random.ts"
import { Readers } from "../upgrade/readers.ts"
import { Control } from "./control.ts"
import type { ClusterFault } from "./fault.ts"
import { injectInto } from "./injection.ts"
import type { Judge } from "./judge.ts"
import type { Readiness } from "./readiness.ts"
import { checkTables } from "./same-tables.ts"
import { sequence } from "./sequence.ts"
import { type ClusterStage, openStage } from "./stage.ts"
import type { Tally } from "./tally.ts"
import { tellPartners, type Told } from "./told.ts"
import type { Topology } from "./topology.ts"

export interface HalfOptions {
  readonly seconds: number
  readonly random: Random
  /** What may happen. */
  readonly faults: readonly ClusterFault[]
  readonly signal: AbortSignal
  /** Called with what is done. */
  readonly report: (line: string) => void
}

/** One of the topologies: what happens there, and what was found. */
export class Half {
  /** Faults so far, by name. */
  readonly faults = new Map<string, number>()
  /** Failovers in which commits were lost. */
  losses = 0
  /** How often all copies were compared. */
  comparisons = 0
  /** The last comparison; undefined if there was none. */
  comparison: Comparison | undefined
  told: Told = { told: 0, beyond: 0 }
  /** Undefined if the run ended before, or commits were lost. */
  audit: AuditSummary | undefined
  /** What the control lost. */
  lostByControl = 0
  readonly readers: Readers
  readonly #stage: ClusterStage
  readonly #options: HalfOptions
  readonly #crowd: Crowd
  readonly #control: Control

  /** Lets partners poll two services on these servers while writers write and one fault follows the other. */
  static async play(t: Teardown, topology: Topology, options: HalfOptions): Promise<Half> {
    const half = new Half(await openStage(t, topology, options.random), options)
    t.teardown(() => half.#crowd.dismiss())
    try {
      await half.#play()
    } catch (error) {
      half.observations.violate((error as Error).stack ?? String(error))
    } finally {
      await half.#crowd.dismiss()
    }
    return half
  }

  private constructor(stage: ClusterStage, options: HalfOptions) {
    const { topology, clientOf, cookies, data: { eventIds }, observations } = stage
    const { random } = options
    this.#stage = stage
    this.#options = options
    this.#crowd = new Crowd(stage, random, { partners, writers: 3, clientOf })
    const cookie = cookies["acme-export"] ?? ""
    this.readers = new Readers({
      client: clientOf(random.fork()),
      ...{ cookie, eventIds, observations },
    })
    this.#control = new Control(topology, eventIds[0], random.fork())
  }

  get topology(): Topology {
    return this.#stage.topology
  }

  get observations(): Observations {
    return this.#stage.observations
  }

  get tally(): Tally {
    return this.#stage.tally
  }

  get crowd(): Pick<Crowd, "polls" | "resyncs" | "commits"> {
    return this.#crowd
  }

  get readiness(): Readiness {
    return this.#stage.readiness
  }

  get judge(): Judge {
    return this.#stage.judge
  }

  /** How often another server has become the primary. */
  get failovers(): number {
    return this.#stage.server.failovers
  }

  /** Warnings and errors in the logs of the services, with how often each came. */
  get messages(): readonly string[] {
    return this.#stage.services.flatMap(({ name, log }) =>
      [...log.messages].map(([message, count]) => `${name}: ${count} × ${message}`)
    )
  }

  async #play(): Promise<void> {
    const { seconds, random, faults, signal } = this.#options
    const { server, services, judge, data: { eventIds } } = this.#stage
    await this.#crowd.start()
    this.readers.start()
    this.#control.start()
    for (const fault of sequence({ faults, seconds, random })) {
      if (signal.aborted) break
      if (fault === "compare") {
        await this.#compare()
        await this.#crowd.goOn()
      } else {
        await this.#inject(fault)
      }
      await sleep(random.between(200, 1000))
    }
    await this.readers.finish()
    await this.#control.finish()
    await this.#compare()
    const { guests } = await readTruth(server, eventIds[0])
    this.lostByControl = this.#control.lostOf(guests)
    // Entries are lost with other commits.
    if (this.losses === 0) this.audit = await checkAudit(this.#stage)
    await this.#crowd.finish()
    for (const { name, isPrompt } of faults) if (isPrompt) judge.checkPromptness(name)
    judge.checkRefusals(Infinity)
    for (const message of this.messages.filter((each) => each.includes("standard error: "))) {
      this.observations.violate(`printed a line that is not of its log: ${message}`)
    }
    for (const service of services) await service.stop()
  }

  async #inject(fault: ClusterFault): Promise<void> {
    const { name } = fault
    const { hasLost, summary } = await injectInto(this.#stage, fault, this.#options.random)
    if (hasLost) this.losses++
    this.faults.set(name, (this.faults.get(name) ?? 0) + 1)
    this.#report(summary)
  }

  /** Compares all copies with the tables while nobody writes or polls. */
  async #compare(): Promise<void> {
    const { topology, observations } = this.#stage
    const { partners } = this.#crowd
    const began = performance.now()
    observations.fault = "comparison"
    await this.#crowd.rest(() => topology.settle())
    await checkTables(topology, observations)
    const { judge } = this.#stage
    if (judge.hasLost) {
      const { told, beyond } = await tellPartners(this.#stage, partners)
      this.told = { told: this.told.told + told, beyond: this.told.beyond + beyond }
      judge.hasLost = false
    }
    this.comparison = await compareCopies(this.#stage, partners)
    observations.fault = "none"
    this.comparisons++
    this.#report(`all compared, ${Math.round(performance.now() - began)} ms`)
  }

  #report(line: string): void {
    this.#options.report(`${this.topology.name}: ${line}`)
  }
}

/** They poll less often than in make chaos: there are more processes. */
const partners = [...goodPartners, ...feedPartners].map((partner) => ({
  ...partner,
  pause: [partner.pause[0] * 3, partner.pause[1] * 2] as const,
}))
