import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import type { Plan } from "./plan.ts"

/** A plan that once failed. Unlike a seed, it stays what it is when steps are added. */
export interface FormerFailure {
  /** What it found. */
  readonly found: string
  readonly seed: number
  readonly plan: Plan
}

const folder = new URL("./corpus/", import.meta.url)

/** Reads the plans that once failed. */
export function readCorpus(): readonly FormerFailure[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).sort()
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")))
}

/** Adds a plan. `name` becomes the name of its file. */
export function addToCorpus(name: string, failure: FormerFailure): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(failure, null, 1)}\n`)
}
