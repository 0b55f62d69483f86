import { type Capability, creating } from "../../../core/capability.ts"
import { startSending } from "./sending.ts"
import { type PingSettings, pingSettings } from "./settings.ts"
import { pingTables } from "./tables.ts"

/** Tells partners' programs that a list has changed, so that they poll at once. */
const ping: Capability<PingSettings> = {
  name: "ping",
  summary: "Tells partners' programs by a signed request that it is time to poll",
  additions: {
    docs: () => Promise.resolve(["POST /session/pings"]),
    openapi: async () => (await import("./webhooks.ts")).webhooks,
  },
  storage: {
    name: "ping",
    tables: pingTables,
    migrations: { "ping-0001": creating(pingTables) },
  },
  settings: pingSettings,
  open: startSending,
}

export default ping
