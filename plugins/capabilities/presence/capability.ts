import type { Capability } from "../../../core/capability.ts"
import { pruneInstances } from "./instances.ts"
import { startPresence } from "./presence.ts"
import { presenceStorage } from "./storage.ts"

/** Records which processes are serving, with which configuration. */
const presence: Capability = {
  name: "presence",
  summary: "Notes in the database which processes serve",
  additions: { console: async () => (await import("./instance-table.ts")).sections },
  storage: presenceStorage,
  open: ({ database }) => ({ cleanUp: (signal) => pruneInstances(database, signal) }),
  start(host) {
    let end: (() => Promise<void>) | undefined
    return {
      serving: (url) => void (end = startPresence(host.service, { url })),
      close: async () => await end?.(),
    }
  },
}

export default presence
