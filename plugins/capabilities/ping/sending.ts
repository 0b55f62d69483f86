import type { Host, OpenCapability } from "../../../core/capability.ts"
import type { PingSettings } from "./settings.ts"

/** Sends pings while its configuration is in service, if this process is the one that does. */
export function startSending(_host: Host<PingSettings>): OpenCapability {
  return {}
}
