import type { Capability } from "../../../core/capability.ts"
import { resyncCommand } from "./command.ts"

/** The command to run after a database has lost changes. */
const resync: Capability = {
  name: "resync",
  summary: "Makes every partner read everything again, on the command line",
  commands: [resyncCommand],
}

export default resync
