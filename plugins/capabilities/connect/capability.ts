import type { Capability } from "../../../core/capability.ts"
import { kinds } from "./kinds.ts"
import { connectCommand } from "./command.ts"
import { importCommand } from "./import-command.ts"
import { startConnecting } from "./connecting.ts"
import { type ConnectSettings, connectSettings } from "./settings.ts"
import { connectTables } from "./tables.ts"

/** Takes over the records of an organizer's own database or files. */
const connect: Capability<ConnectSettings> = {
  name: "connect",
  summary: "Takes over the records of your own database, as a mapping of SELECTs says",
  additions: { console: async () => (await import("./page.ts")).pages },
  storage: {
    name: "connect",
    tables: connectTables,
    writes: [...kinds, "consent", "address"],
  },
  settings: connectSettings,
  commands: [connectCommand, importCommand],
  open: (host) => host.settings.mapping ? startConnecting(host, host.settings.mapping) : {},
}

export default connect
