import { hostname, userInfo } from "node:os"
import type { Author } from "../access/changes.ts"

/** Returns who runs the command, and where, for the audit log. */
export function authorOf(): Author {
  return { actor: userName(), address: hostname() }
}

/** Containers may run under a number without a name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return "unknown"
  }
}
