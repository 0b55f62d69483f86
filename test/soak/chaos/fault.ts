import type { Random } from "../../support/random.ts"
import type { Crowd } from "./crowd.ts"
import type { Stage } from "./stage.ts"

/** Trouble that the services must survive without a restart. */
export interface Fault {
  readonly name: string
  /** What it does, for `--help`. */
  readonly summary: string
  /** Makes the trouble, and ends it again. */
  inject(context: FaultContext): Promise<void>
}

export interface FaultContext {
  readonly stage: Stage
  readonly crowd: Crowd
  readonly random: Random
}
