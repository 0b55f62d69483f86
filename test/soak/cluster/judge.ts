import type { Failure } from "../chaos/client.ts"
import type { Observations } from "../chaos/observations.ts"
import type { Probed, Readiness } from "./readiness.ts"

/** Milliseconds after a refused poll in which its service has to say that it is not ready. */
const grace = 2000

/** Decides what partners may meet, and whether services say so. */
export class Judge {
  /** While it is true, polls may get a 503. */
  #isExcused = false
  /** True if commits were lost that partners may have read: since the last comparison, and at all. */
  hasLost = false
  hasEverLost = false
  /** The service that cannot reach the primary, as others can. Once it is not ready, nobody should ask it. */
  #cutOff: Probed | undefined
  /** The services that must be ready as long as this fault lasts. */
  #ready: readonly Probed[] = []
  readonly #services: readonly Probed[]
  readonly #observations: Observations
  readonly #readiness: Readiness
  /** Polls that got a 503, and when. */
  #unexplained: (Failure & { readonly answered: number })[] = []

  constructor(
    services: readonly Probed[],
    { observations, readiness }: {
      readonly observations: Observations
      readonly readiness: Readiness
    },
  ) {
    this.#services = services
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
    this.#unexplained.push({ ...failure, answered: performance.now() })
    const { name = "" } = this.#cutOff ?? {}
    return this.#isExcused || (nameIn(life) === name && this.#wasUnready(name, sent))
  }

  /** Lets polls be refused until the services have recovered from this fault. */
  excuse(): void {
    this.#isExcused = true
  }

  /** Says that commits are lost that partners may have read. */
  loseCommits(): void {
    this.hasLost = true
    this.hasEverLost = true
  }

  /** Says that services (all) must be ready as long as this fault lasts. */
  keepReady(services: readonly Probed[] = this.#services): void {
    this.#ready = services
  }

  /**
   * Says that a service cannot reach the primary, which others reach, while `meanwhile` runs. In the end, it must not be
   * ready. Partners may be refused by it from when it says so until the services have recovered.
   */
  async whileCutOff(service: Probed, meanwhile: () => Promise<void>): Promise<void> {
    this.#cutOff = service
    await meanwhile()
    if (!this.#readiness.isReady(service.name)) return
    this.#observations.violate(
      `${service.name} is ready, although it alone cannot reach the primary`,
    )
  }

  /** Reports services that had to be ready since a fault began, and were not. */
  afterFault(began: number): void {
    for (const { name } of this.#ready) {
      const reason = this.#readiness.whyUnready(name, began)
      if (reason === undefined) continue
      this.#observations.violate(`${name} was not ready, although it could answer: ${reason}`)
    }
    this.#ready = []
  }

  /** Lets no poll be refused any more. */
  afterRecovery(): void {
    this.checkRefusals()
    this.#isExcused = false
    this.#cutOff = undefined
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

  #wasUnready(name: string, from: number, until?: number): boolean {
    return this.#readiness.whyUnready(name, from, until) !== undefined
  }
}

/** Returns the name of a service in that of one of its lives. */
function nameIn(life: string): string {
  return life.split(",")[0] ?? ""
}
