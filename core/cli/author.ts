import { hostname, userInfo } from "node:os"
import type { Author } from "../access/changes.ts"
import type { Config } from "../config/read.ts"
import { recorderOf } from "../kernel/capabilities.ts"
import { capabilitiesOf } from "../kernel/capability.ts"

/** Returns who runs the command, and where, and what records their changes. */
export function authorOf(config: Pick<Config, "capabilities">): Author {
  const record = recorderOf(capabilitiesOf(config))
  return { actor: userName(), address: hostname(), record }
}

/** Containers may run under a number without a name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return "unknown"
  }
}
