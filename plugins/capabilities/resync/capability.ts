import type { Capability } from "../../../core/capability.ts"
import { resyncCommand } from "./command.ts"

/** The command for what a database has lost. */
const resync: Capability = {
  name: "resync",
  summary: "Makes every partner read everything again, on the command line",
  commands: [resyncCommand],
}

export default resync
