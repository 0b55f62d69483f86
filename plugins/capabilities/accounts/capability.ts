import type { Capability } from "../../../core/capability.ts"
import { accessCommand } from "./access-command.ts"
import { accountCommand } from "./account-command.ts"
import { namesCommand } from "./names-command.ts"

/** Manages accounts, and what they may read: by commands; renaming and removing also in the console. */
const accounts: Capability = {
  name: "accounts",
  summary: "Manages accounts, and what they may read, on the command line",
  additions: { console: async () => (await import("./pages.ts")).pages },
  commands: [accountCommand, namesCommand, accessCommand],
}

export default accounts
