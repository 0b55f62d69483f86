import process from "node:process"
import { Background } from "./background.ts"
import { Randomness } from "./randomness.ts"
import { installSockets } from "./sockets.ts"
import { Statements } from "./statements.ts"
import { installKeyDerivation } from "./key-derivation.ts"
import { VirtualTime } from "./time.ts"

/** What the simulated processes run on: one seed decides on all of it. */
export interface Machine {
  readonly time: VirtualTime
  readonly randomness: Randomness
  readonly statements: Statements
}

/**
 * Takes the place of the clocks, timers, random numbers and threads of this process, for good. `load` imports
 * everything that the simulation uses, when threads and random numbers are replaced already, and time still passes:
 * modules are read from disk.
 */
export async function installMachine<T>(load: () => Promise<T>): Promise<Machine & { loaded: T }> {
  const background = new Background()
  const time = new VirtualTime(background)
  const randomness = new Randomness()
  const statements = new Statements(time, randomness)
  installKeyDerivation()
  installSockets()
  randomness.install()
  Object.defineProperty(process, "pid", { value: 4711 })
  // Modules keep functions of zlib when they are loaded.
  background.install()
  const loaded = await load()
  statements.install()
  time.install()
  return { time, randomness, statements, loaded }
}
