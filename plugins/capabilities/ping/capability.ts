import { type Capability, settingsOf } from "../../../core/capability.ts"
import { pingCommand } from "./command.ts"
import { pruneReceivers, turnOffReceivers } from "./receivers.ts"
import { startSending } from "./sending.ts"
import { type PingSettings, pingSettings } from "./settings.ts"
import { pingTables } from "./tables.ts"

/** Tells partners' programs when a list has changed, so that they poll at once. */
const ping: Capability<PingSettings> = {
  name: "ping",
  summary: "Tells partners' programs by a signed request that it is time to poll",
  additions: {
    docs: () => Promise.resolve(["POST /session/pings"]),
    openapi: async () => (await import("./webhooks.ts")).webhooks,
    console: async () => (await import("./console.ts")).pages,
    me: async () => (await import("./own.ts")).own,
    session: async () => [(await import("./routes.ts")).pingRoutes],
  },
  storage: { name: "ping", tables: pingTables },
  settings: pingSettings,
  commands: [pingCommand],
  async record(database, { account, endsSessions }) {
    if (endsSessions && account !== null) await turnOffReceivers(database, account)
  },
  warn: ({ settings, plan }) =>
    // The demonstration runs its own receiver.
    settings.loopback && settingsOf(plan, "demonstration") === undefined
      ? [{
        about: "ping.loopback",
        message:
          "partners can register URLs on loopback, so the service sends requests to any port of its own machine. " +
          "Remove it in production",
      }]
      : [],
  open: (host) => ({
    ...startSending(host),
    cleanUp: (signal) => pruneReceivers(host.database, signal),
  }),
}

export default ping
