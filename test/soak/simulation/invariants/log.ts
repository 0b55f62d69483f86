import process from "node:process"
import { type Simulation, Violation } from "../simulation.ts"
import type { LogLine, World } from "../world.ts"

/** What services may log as an error, and when: what is wrong then is not theirs. */
const known: readonly (readonly [message: RegExp, reason: RegExp])[] = [
  [/^configuration refused/, /./],
  // The database is away, has no room, or is locked.
  [/^entries cannot be written now/, /Unavailable|locked|full|closed|aborted|time limit/i],
  // The process is stopped while the database is away.
  [/^entries were dropped/, /could not be written before the end/],
]

/** Milliseconds that a look may take. */
const timeLimit = 10_000

/** The world that runs in this process. */
let present: World | undefined

for (const event of ["unhandledRejection", "uncaughtException", "warning"] as const) {
  // Node's types have no common signature.
  process.on(event as "warning", (reason: unknown) => {
    const { name, message, stack } = reason as Error
    if (name === "ExperimentalWarning" || name === "DeprecationWarning") return
    present?.fail(new Violation(`${event}: ${stack ?? message ?? reason}`))
  })
}

/** Nothing fails that nobody handles, and services log no error of theirs. */
export default function simulate(world: World): Simulation {
  present = world
  /** True if a service may have looked at the triggers while they were lost. */
  const isOfLoss = ({ msg }: LogLine) =>
    msg.startsWith("changes may go unnoticed") &&
    world.time.steady - world.faults.lostTriggers < timeLimit
  world.onLog((line) => {
    if (line.level < 50 || isKnown(line) || isOfLoss(line)) return
    world.fail(new Violation(`${line.service} logs an error: ${JSON.stringify(line)}`))
  })
  return {}
}

function isKnown({ msg, ...fields }: LogLine): boolean {
  return known.some(([message, reason]) => message.test(msg) && reason.test(JSON.stringify(fields)))
}
