import { type Capability, gauge, remember } from "../../../core/capability.ts"
import { contactCommands } from "./command.ts"
import { listMuted, readMutes } from "./contacts.ts"
import { contactsTables } from "./tables.ts"

/** Whom to tell about a partner, notes, and mutes. */
const contacts: Capability = {
  name: "contacts",
  summary: "Notes whom to tell about a partner, and mutes what is known",
  additions: {
    console: async () => (await import("./pages.ts")).pages,
    partners: () => Promise.resolve([readMutes]),
  },
  storage: { name: "contacts", tables: contactsTables },
  commands: [contactCommands],
  open({ database }) {
    const muted = remember(() => listMuted(database), { fresh: 10_000 })
    return {
      // If it is not known who is muted, nobody is: an alert too many is better than one too few.
      metrics: async () => [
        gauge(
          "event_export_partner_muted",
          "1 for a partner of whose state nobody wants to be told now.",
          (await muted() ?? []).map((account) => ({ labels: { account }, value: 1 })),
        ),
      ],
    }
  },
}

export default contacts
