import type { Failure } from "../chaos/client.ts"
import type { Observations } from "../chaos/observations.ts"
import type { Probed, Readiness } from "./readiness.ts"

/** Milliseconds in which a poll has to be answered while commits hang, or servers are away that it can do without. */
const promptly = 15_000

/** Milliseconds after a refused poll in which its service has to say that it is not ready. */
const grace = 2000

/** Decides what partners may meet, and whether services say so. */
export class Judge {
  /** While it is true, polls may get a 503. */
  #isExcused = false
  /** Faults during which they might. */
  readonly #excused = new Set<string>()
  /** True if commits were lost since the last comparison. */
  hasLost = false
  /** The service that cannot reach the primary, as others can. Once it is not ready, nobody should ask it. */
  cutOff: Probed | undefined
  /** Polls that got a 503, by fault. */
  readonly refused = new Map<string, number>()
  readonly #observations: Observations
  readonly #readiness: Readiness
  /** Polls that got a 503, and when. */
  #unexplained: (Failure & { readonly answered: number })[] = []

  constructor(observations: Observations, readiness: Readiness) {
    this.#observations = observations
    this.#readiness = readiness
  }

  /** Returns true for a failure that partners may meet at this moment. */
  readonly allows = (failure: Failure): boolean => {
    const { method, status, life, wasServing, sent } = failure
    const { fault, killedLives } = this.#observations
    if (status === undefined) return killedLives.has(life) || !wasServing
    // A session is lost with other commits.
    if (status === 401) return this.hasLost
    // Nobody can log in without a primary.
    if (method !== "GET") return this.#isExcused || fault !== "none"
    this.refused.set(fault, (this.refused.get(fault) ?? 0) + 1)
    this.#unexplained.push({ ...failure, answered: performance.now() })
    const { name = "" } = this.cutOff ?? {}
    return this.#isExcused || (nameIn(life) === name && this.#wasUnready(name, sent))
  }

  /** Lets polls be refused from now on. */
  excuse(): void {
    this.#isExcused = true
    this.#excused.add(this.#observations.fault)
  }

  /** Lets none be refused any more. */
  endExcuse(): void {
    this.#isExcused = false
  }

  /** Reports polls that were refused by a service which said all the time that it was ready. */
  checkRefusals(now = performance.now()): void {
    const isDue = ({ answered }: { readonly answered: number }) => answered + grace < now
    for (const { life, sent, answered } of this.#unexplained.filter(isDue)) {
      if (this.#wasUnready(nameIn(life), sent, answered + grace)) continue
      this.#observations.violate("a poll was refused by a service that said that it was ready")
    }
    this.#unexplained = this.#unexplained.filter((each) => !isDue(each))
  }

  /** Reports services that were not ready since a time. */
  checkReady(services: readonly Probed[], since: number): void {
    for (const { name } of services) {
      const reason = this.#readiness.whyUnready(name, since)
      if (reason === undefined) continue
      this.#observations.violate(`${name} was not ready, although it could answer: ${reason}`)
    }
  }

  /** Reports a service that is ready, although it cannot reach the primary. */
  checkCutOff({ name }: Probed): void {
    if (!this.#readiness.isReady(name)) return
    this.#observations.violate(`${name} is ready, although it alone cannot reach the primary`)
  }

  #wasUnready(name: string, from: number, until?: number): boolean {
    return this.#readiness.whyUnready(name, from, until) !== undefined
  }

  /** Reports polls that had to wait during a fault, unless they might be refused in it. */
  checkPromptness(fault: string): void {
    if (this.#excused.has(fault)) return
    const { ms, path } = this.#observations.slowest(fault)
    if (ms <= promptly) return
    this.#observations.violate(`${fault} let a poll wait for more than 15 s: ${path}`)
  }
}

/** Returns the name of a service in that of one of its lives. */
function nameIn(life: string): string {
  return life.split(",")[0] ?? ""
}
