import type { Capability } from "../../../core/capability.ts"
import { refuseFormerName } from "./change-names.ts"
import { formerNamesCommands } from "./command.ts"
import { formerNamesTables } from "./tables.ts"

/** Renames and removes accounts. */
const formerNames: Capability = {
  name: "former-names",
  summary: "Renames and removes accounts, and lets nobody else get their former names",
  additions: { console: async () => (await import("./pages.ts")).pages },
  storage: { name: "former-names", tables: formerNamesTables },
  commands: [formerNamesCommands],
  record: refuseFormerName,
}

export default formerNames
