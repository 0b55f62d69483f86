import type { Capability } from "../../../core/capability.ts"
import { initCommand } from "./init.ts"
import { newCommand } from "./new.ts"

/** Writes the first files of a configuration and of a plugin. */
const scaffold: Capability = {
  name: "scaffold",
  summary: "Writes the first files of a configuration and of a plugin",
  commands: [initCommand, newCommand],
}

export default scaffold
