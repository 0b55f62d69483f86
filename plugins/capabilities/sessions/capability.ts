import { Command } from "commander"
import { type Capability, gauge, remember } from "../../../core/capability.ts"
import { findSessionEnds } from "./expiring.ts"
import { accountEndSessionCommand, accountSessionsCommand } from "./list-command.ts"
import { accountSessionCommand } from "./open-command.ts"
import { SessionWarnings } from "./session-warnings.ts"

/** Sessions of unattended programs: opens them, lists them, and warns before they end. */
const sessions: Capability = {
  name: "sessions",
  summary: "Opens sessions for unattended programs, and warns before they end",
  additions: { console: async () => (await import("./sections.ts")).sections },
  commands: [
    (terminal) =>
      new Command("account")
        .addCommand(accountSessionCommand(terminal))
        .addCommand(accountSessionsCommand(terminal))
        .addCommand(accountEndSessionCommand(terminal)),
  ],
  open({ database, log, kept }) {
    const warnings = kept("warnings", () => new SessionWarnings())
    const ends = remember(() => findSessionEnds(database), { fresh: 30_000 })
    // If they cannot be read now, the former ones are shown.
    let latest: ReadonlyMap<string, number> = new Map()
    return {
      async cleanUp(signal) {
        if (!signal.aborted) await warnings.warn(database, log)
        return 0
      },
      metrics: async () => [
        gauge(
          "event_export_session_expires_timestamp_seconds",
          "Time at which the first session in use by an account's unattended program ends.",
          [...latest = await ends() ?? latest].map(([account, value]) => ({
            labels: { account },
            value,
          })),
        ),
      ],
    }
  },
}

export default sessions
