import type { Capability } from "../../../core/capability.ts"
import { accessCommand } from "./access-command.ts"
import { accountCommand } from "./account-command.ts"
import { namesCommand } from "./names-command.ts"

/** The commands and the pages that manage accounts, their sessions, and what they may read. */
const accounts: Capability = {
  name: "accounts",
  summary: "Manages accounts, and what they may read",
  additions: {
    console: async () => (await import("./console/additions.ts")).additions,
    me: async () => (await import("./own.ts")).own,
  },
  commands: [accountCommand, namesCommand, accessCommand],
}

export default accounts
