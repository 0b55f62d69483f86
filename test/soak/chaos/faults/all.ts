import type { Fault } from "../play.ts"
import type { SingleStage } from "../single.ts"
import { databaseFaults } from "./database.ts"
import { networkFaults } from "./network.ts"
import { serviceFaults } from "./services.ts"
import { sourceFaults } from "./source.ts"
import { tableFaults } from "./tables.ts"

/** Every fault there is. */
export const faults: readonly Fault<SingleStage>[] = [
  ...databaseFaults,
  ...networkFaults,
  ...tableFaults,
  ...serviceFaults,
  ...sourceFaults,
]
