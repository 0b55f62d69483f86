import { createHash, type Hash } from "node:crypto"
import { Random } from "../../support/random.ts"
import { makePlan, type Plan } from "./plan.ts"
import { isDisconnected } from "./service.ts"
import {
  type Invariant,
  type Simulate,
  type Simulation,
  type Step,
  Violation,
} from "./simulation.ts"
import type { Machine } from "./virtual/machine.ts"
import { World } from "./world.ts"

export interface RunOptions {
  readonly seed: number
  readonly days: number
  /** Where the database and the configuration are. Is emptied. */
  readonly folder: string
  readonly simulations: readonly Simulate[]
  /** What happens, if not what the seed decides. */
  readonly plan?: Plan
}

/** What came of one world. */
export interface Outcome {
  readonly plan: Plan
  readonly story: readonly string[]
  /** What does not hold; undefined if all does. */
  readonly violation: string | undefined
  /** A hash of all statements, exchanges and the story. */
  readonly trace: string
  readonly counts: {
    readonly days: number
    readonly requests: number
    readonly statements: number
    readonly steps: number
    /** Copies of partners that were compared with the tables. */
    readonly comparisons: number
  }
}

/** The longest that steps may take to end, in milliseconds. */
const longestRest = 600_000

/** Runs one world. Uses the clock of this process, so one runs at a time. */
export async function runWorld(machine: Machine, options: RunOptions): Promise<Outcome> {
  const { time, randomness, statements } = machine
  time.reset()
  randomness.reset(options.seed)
  statements.reset()
  const world = new World(machine, options)
  const trace = new Trace(world)
  const run = new Run(world, options)
  const violation = await time.play(run.play())
  const { requests, statements: sent, hash } = trace
  const { compared: comparisons } = world
  const days = time.steady / 86_400_000
  const counts = { days, requests, statements: sent, steps: run.steps, comparisons }
  return {
    plan: run.plan,
    story: world.story.lines,
    violation,
    trace: hash,
    counts,
  }
}

class Run {
  readonly #world: World
  readonly #simulations: readonly Simulation[]
  readonly #steps: ReadonlyMap<string, Step>
  readonly #invariants: readonly Invariant[]
  readonly plan: Plan
  readonly #running = new Set<Promise<void>>()
  steps = 0

  constructor(world: World, { simulations, seed, days, plan }: RunOptions) {
    this.#world = world
    this.#simulations = simulations.map((simulate) => simulate(world))
    const steps = this.#simulations.flatMap(({ steps = [] }) => steps)
    this.#steps = new Map(steps.map((step) => [step.name, step]))
    this.#invariants = this.#simulations.flatMap(({ invariants = [] }) => invariants)
    for (const { observe } of this.#simulations) if (observe) world.onExchange(observe)
    this.plan = plan ?? makePlan(steps, { seed, days })
  }

  /** Returns what does not hold; undefined if all does. */
  async play(): Promise<string | undefined> {
    try {
      await this.#prepare()
      for (const { steps, pause } of this.plan) {
        const { time } = this.#world
        const began = time.steady
        for (const { at, step, seed } of steps) {
          await time.sleep(Math.max(0, began + at - time.steady))
          this.#start(step, seed)
        }
        await this.#rest()
        await this.#check("atRest")
        if (pause > 0) await time.jump(pause)
      }
      await this.#end()
    } catch (error) {
      this.#world.fail(error as Error)
    }
    const { services } = this.#world
    for (const service of services) if (!service.isDead) service.crash()
    await this.#world.close()
    const { failure } = this.#world
    return failure && describe(failure)
  }

  async #prepare(): Promise<void> {
    await this.#world.prepare()
    for (const { prepare } of this.#simulations) await prepare?.()
    for (const service of this.#world.services) await service.start()
  }

  #start(name: string, seed: number): void {
    const step = this.#steps.get(name)
    if (!step) return
    this.steps++
    const { story } = this.#world
    const run = async () => {
      try {
        const text = await step.run(new Random(seed))
        story.tell(text ? `${name}: ${text}` : name)
      } catch (error) {
        story.tell(`${name}: ${(error as Error).message}`)
        if (!isDisconnected(error)) this.#world.fail(error as Error)
      }
    }
    const running = run()
    this.#running.add(running)
    void running.finally(() => this.#running.delete(running))
  }

  /** Waits until all steps have ended. @throws what does not hold. */
  async #rest(): Promise<void> {
    const { time } = this.#world
    const late = time.steady + longestRest
    while (this.#running.size > 0) {
      await Promise.race([...this.#running, time.sleep(1000)])
      if (time.steady > late) throw new Violation(`steps do not end: ${this.#running.size}`)
      if (this.#world.failure) throw this.#world.failure
    }
    if (this.#world.failure) throw this.#world.failure
  }

  async #end(): Promise<void> {
    const { faults, services, time, configuration } = this.#world
    faults.end()
    configuration.write()
    for (const service of services) {
      if (service.isDead) await service.start()
      else await service.reload()
    }
    await time.sleep(60_000)
    for (const { settle } of this.#simulations) await settle?.()
    await this.#check("atRest")
    await this.#check("atEnd")
    for (const service of services) await service.stop()
    await this.#check("afterEnd")
  }

  async #check(moment: "atRest" | "atEnd" | "afterEnd"): Promise<void> {
    for (const invariant of this.#invariants) {
      try {
        await invariant[moment]?.()
      } catch (error) {
        throw new Violation(`${invariant.name}: ${(error as Error).message}`, { cause: error })
      }
    }
  }
}

/** Lines that are hashed at once. */
const portion = 500

/** Follows all statements and exchanges of a world. */
class Trace {
  readonly #hash: Hash = createHash("sha256")
  readonly #folder: string
  #waiting: string[] = []
  requests = 0
  statements = 0

  constructor(world: World) {
    this.#folder = world.folder
    const { machine, time } = world
    machine.statements.onStatement = ({ sql, parameters }) => {
      this.statements++
      this.#add(`${time.steady} ${sql} ${textOf(parameters)}`)
    }
    world.story.onTell = (line) => this.#add(`# ${line}`)
    world.onExchange(({ client, method, path, status, body }) => {
      this.requests++
      this.#add(`${time.steady} ${client} ${method} ${path} ${status} ${body.byteLength}`)
    })
  }

  get hash(): string {
    this.#flush()
    return this.#hash.copy().digest("hex").slice(0, 16)
  }

  /** The folder is another one in each process. */
  #add(text: string): void {
    const line = text.replaceAll(this.#folder, ".")
    if (this.#waiting.push(line) >= portion) this.#flush()
  }

  #flush(): void {
    this.#hash.update(this.#waiting.join(""))
    this.#waiting = []
  }
}

function textOf(parameters: readonly unknown[]): string {
  const isPlain = parameters.every((value) =>
    typeof value !== "object" && typeof value !== "bigint"
  )
  return JSON.stringify(parameters, isPlain ? undefined : plain)
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value
}

function describe(error: Error): string {
  return error instanceof Violation ? error.message : `${error.stack}`
}
