import type { Random } from "../../support/random.ts"
import type { Exchange } from "./exchange.ts"
import type { World } from "./world.ts"

/** Something that somebody does. Steps run at the same time. */
export interface Step {
  /** What the story says of it, such as `partner-a polls by cursor`. */
  readonly name: string
  /** How often it happens, relative to the others; 1 is usual. */
  readonly weight: number
  /**
   * Does it. All choices come from `random`. Returns what the story adds. May be cut off by a crash of the service: it
   * throws `TypeError` then, as `fetch` does, which is no violation. @throws {Violation} if something is wrong.
   */
  run(random: Random): Promise<string | void>
}

/** Something that always holds. */
export interface Invariant {
  readonly name: string
  /** Looks while nothing but the service runs, after each burst of steps. @throws {Violation} */
  atRest?(): Promise<void>
  /** Looks at the end: nothing fails any more, all services run, and `settle` of all simulations has run. @throws {Violation} */
  atEnd?(): Promise<void>
  /** Looks when all services have stopped after that. @throws {Violation} */
  afterEnd?(): Promise<void>
}

/** What one part of the service, or one kind of user, adds to the simulation of one world. Keeps its state in its closure. */
export interface Simulation {
  /** Fills the database, before the first service starts. */
  prepare?(): Promise<void>
  readonly steps?: readonly Step[]
  readonly invariants?: readonly Invariant[]
  /** Is called with each exchange between a client and a service, once the client has got all that it gets. */
  observe?(exchange: Exchange): void
  /** Runs near the end, when nothing fails any more: polls a last time. */
  settle?(): Promise<void>
}

/** The default export of a file `simulation.ts`: makes its part of a world. */
export type Simulate = (world: World) => Simulation

/** An invariant does not hold. */
export class Violation extends Error {
  override readonly name = "Violation"
}
