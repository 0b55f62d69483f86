import type { Capability } from "../../../core/capability.ts"
import { grantsCommand } from "./grants.ts"
import { initCommand } from "./init.ts"
import { newCommand } from "./new.ts"

/** Writes the first files of a configuration and of a plugin, and the privileges of a database user. */
const scaffold: Capability = {
  name: "scaffold",
  summary:
    "Writes the first files of a configuration and of a plugin, and grants for a database user",
  commands: [initCommand, newCommand, grantsCommand],
}

export default scaffold
