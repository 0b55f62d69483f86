import { existsSync, readdirSync } from "node:fs"
import process from "node:process"
import type { Simulate } from "./simulation.ts"

/** Folders of parts of the simulation: users and what they do, and what each capability adds. */
const here = new URL("./", import.meta.url)
const capabilities = new URL("../plugins/capabilities/", import.meta.url)

/** While a part is made: `SIMULATE_ONLY` is a pattern of the files to load. */
const only = new RegExp(process.env["SIMULATE_ONLY"] ?? "")

/** Loads all parts of the simulation, in an order that does not depend on the machine. */
export async function loadSimulations(): Promise<readonly Simulate[]> {
  const users = ["users", "invariants"].flatMap((folder) => filesOf(new URL(`${folder}/`, here)))
  const own = readdirSync(capabilities).sort()
    .map((name) => new URL(`${name}/simulation.ts`, capabilities))
    .filter((file) => existsSync(file))
  const all: Simulate[] = []
  for (const file of [...users, ...own]) {
    if (only.test(file.pathname)) all.push((await import(file.href)).default)
  }
  return all
}

function filesOf(folder: URL): URL[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter((name) => name.endsWith(".ts")).sort()
    .map((name) => new URL(name, folder))
}
