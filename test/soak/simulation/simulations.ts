import { readdirSync } from "node:fs"
import type { Simulate } from "./simulation.ts"

/** Folders of parts of the simulation: users and what they do, what has to hold, and what each capability adds. */
const folders = ["users", "invariants", "capabilities"]

/** Loads all parts of the simulation, in an order that does not depend on the machine. */
export async function loadSimulations(): Promise<readonly Simulate[]> {
  const all: Simulate[] = []
  for (const file of folders.flatMap(filesOf)) {
    all.push((await import(file.href)).default)
  }
  return all
}

function filesOf(folder: string): URL[] {
  const place = new URL(`./${folder}/`, import.meta.url)
  return readdirSync(place).filter((name) => name.endsWith(".ts")).sort()
    .map((name) => new URL(name, place))
}
