import { parseArgs } from "node:util"

/** What the command line asks for. */
export interface SimulateOptions {
  /** The first seed. */
  readonly seed: number
  /** True if the seed was named: only that one is run. */
  readonly isReplay: boolean
  readonly days: number
  /** Seconds of real time after which no new seed begins. */
  readonly seconds: number
  /** How many seeds are run at most. */
  readonly seeds: number
  /** True to run each seed twice, and to compare what it did. */
  readonly twice: boolean
  /** Plans that once failed are run in place of seeds. */
  readonly corpus: boolean
  /** Seconds that are spent on a smaller plan that fails. */
  readonly shrink: number
  /** The name under which the plan that fails is added to the corpus. */
  readonly keep: string | undefined
}

const usage = `Simulates the whole service under virtual time, one world per seed.

  --seed N       only this seed, or with --seeds from this one on; else new ones
  --days N       days per world (default 1; may be a fraction)
  --seconds N    seconds of real time until no new seed begins (default 60)
  --seeds N      at most so many seeds
  --twice        run each seed twice, and compare all statements and exchanges
  --corpus       run the plans of test/soak/simulation/corpus/, which once failed
  --shrink N     seconds to look for a smaller plan that fails (default 90)
  --keep NAME    add the smallest plan that fails to the corpus`

const known = {
  seed: { type: "string" },
  days: { type: "string" },
  seconds: { type: "string" },
  seeds: { type: "string" },
  twice: { type: "boolean" },
  corpus: { type: "boolean" },
  shrink: { type: "string" },
  keep: { type: "string" },
  help: { type: "boolean" },
} as const

/** Reads the command line. Returns what to print, if that is all there is to do. @throws {Error} naming a wrong option. */
export function readOptions(args: readonly string[]): SimulateOptions | string {
  const { values } = parseArgs({ args: [...args], options: known })
  if (values.help) return usage
  const number = (name: "seed" | "days" | "seconds" | "seeds" | "shrink", usual: number) => {
    const value = Number(values[name] ?? usual)
    if (values[name] === "" || !(value >= 0)) {
      throw new Error(`--${name} must be a number, not "${values[name]}". Nothing was simulated.`)
    }
    return value
  }
  return {
    seed: number("seed", Math.floor(Math.random() * 1e9)),
    isReplay: values.seed !== undefined && values.seeds === undefined,
    days: number("days", 1),
    seconds: number("seconds", 60),
    seeds: number("seeds", Infinity),
    twice: values.twice ?? false,
    corpus: values.corpus ?? false,
    keep: values.keep,
    shrink: number("shrink", 90),
  }
}
