import type { Random } from "../../support/random.ts"
import { Life } from "./life.ts"
import type { SimulatedService } from "./service.ts"
import type { Statement } from "./virtual/statements.ts"
import type { World } from "./world.ts"

/** What fails now. Each is over when it is set back. */
export class Faults {
  readonly #world: World
  readonly #random: Random
  /** Of how many statements of services one takes time; 0 is none. */
  slowOneIn = 0
  /** The most milliseconds that it takes. */
  slowest = 400
  /** When statements last took time, newest first, on the steady clock: the last four. */
  readonly slowed: number[] = []
  /** When triggers were lost last, on the steady clock: they were made again at once. */
  lostTriggers = -Infinity
  /** True while the database has no room. */
  isFull = false
  /** The statements of a service until it dies, and whether that statement still takes effect. */
  readonly deaths = new Map<SimulatedService, { left: number; readonly takesEffect: boolean }>()

  constructor(world: World, random: Random) {
    this.#world = world
    this.#random = random
    world.machine.statements.hooks = {
      before: (statement) => this.#before(statement),
      after: (statement) => this.#after(statement),
    }
  }

  /** True while something fails, or is about to. */
  get any(): boolean {
    return this.slowOneIn > 0 || this.isFull || this.deaths.size > 0
  }

  /** Lets nothing fail any more. */
  end(): void {
    this.slowOneIn = 0
    this.isFull = false
    this.deaths.clear()
  }

  async #before({ owner, writes, sql }: Statement): Promise<void> {
    if (!(owner instanceof Life)) return
    const death = this.deaths.get(owner.of)
    if (death && --death.left <= 0 && !death.takesEffect) {
      return this.#kill(owner.of, `before ${brief(sql)}`)
    }
    if (this.slowOneIn > 0 && this.#random.below(this.slowOneIn) === 0) {
      await this.#world.time.sleep(this.#random.between(1, this.slowest))
      this.slowed.splice(3)
      this.slowed.unshift(this.#world.time.steady)
    }
    if (this.isFull && writes && /^(insert|update|create)/.test(sql)) {
      throw Object.assign(new Error("database or disk is full"), {
        code: "ERR_SQLITE_ERROR",
        errcode: 13,
      })
    }
  }

  #after({ owner, sql }: Statement): Promise<void> {
    if (owner instanceof Life && (this.deaths.get(owner.of)?.left ?? 1) <= 0) {
      this.#kill(owner.of, `after ${brief(sql)}`)
    }
    return Promise.resolve()
  }

  #kill(service: SimulatedService, moment: string): void {
    this.deaths.delete(service)
    if (service.isDead) return
    service.crash()
    this.#world.story.tell(`${service.name} dies ${moment}`)
  }
}

/** Returns the beginning of a statement. */
function brief(sql: string): string {
  return sql.slice(0, 60).replaceAll(/\s+/g, " ")
}
