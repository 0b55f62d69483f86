import { type FileStates, stateOf } from "../config/files.ts"
import { ConfigError } from "../config/problem.ts"
import type { Environment } from "../config/source.ts"
import { type Plan, readPlan } from "../routes/plan.ts"

/** The file of a configuration, which may change while its service runs. */
export class PlanFile {
  readonly #path: string
  readonly #environment: Environment
  #files: FileStates = new Map()

  constructor(path: string, environment: Environment) {
    this.#path = path
    this.#environment = environment
  }

  /** The file and those that it refers to, as they were when they were read last. */
  get files(): FileStates {
    return this.#files
  }

  /** True if reading gives something else than the last time. */
  hasChanged(): boolean {
    return [...this.#files].some(([path, state]) => state !== stateOf(path))
  }

  /** @throws as `readPlan` does. */
  async read(): Promise<Plan> {
    try {
      const plan = await readPlan(this.#path, this.#environment)
      this.#files = plan.files
      return plan
    } catch (error) {
      if (error instanceof ConfigError) this.#files = error.files
      throw error
    }
  }
}
