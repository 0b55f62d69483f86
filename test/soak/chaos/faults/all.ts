import type { Fault } from "../fault.ts"
import { databaseFaults } from "./database.ts"
import { networkFaults } from "./network.ts"
import { serviceFaults } from "./services.ts"
import { tableFaults } from "./tables.ts"

/** Every fault there is. */
export const faults: readonly Fault[] = [
  ...databaseFaults,
  ...networkFaults,
  ...tableFaults,
  ...serviceFaults,
]
