import type { Capability } from "../../../core/capability.ts"
import { accessCommand } from "./access-command.ts"
import { accountCommand } from "./account-command.ts"

/** The commands that manage accounts, and what they may read. */
const accounts: Capability = {
  name: "accounts",
  summary: "Manages accounts, and what they may read, on the command line",
  commands: [accountCommand, accessCommand],
}

export default accounts
