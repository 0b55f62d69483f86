import { Command } from "commander"
import { type Capability, gauge, remember } from "../../../core/capability.ts"
import { findSessionEnds } from "./expiring.ts"
import { accountSessionCommand } from "./open-command.ts"
import { sessionsTables } from "./tables.ts"
import { TokenKeys } from "./token-keys.ts"
import { accountTokensCommand } from "./tokens-command.ts"

/** Sessions of unattended programs: opens them, and tells when they end; and tokens that partners make. */
const sessions: Capability = {
  name: "sessions",
  summary: "Opens sessions for unattended programs, and lets partners make tokens",
  additions: {
    console: async () => (await import("./sections.ts")).sections,
    docs: () => Promise.resolve(["POST /session/tokens"]),
    me: async () => (await import("./own.ts")).own,
    session: async () => [(await import("./token-routes.ts")).tokenRoutes],
  },
  storage: { name: "sessions", tables: sessionsTables },
  commands: [
    (terminal) =>
      new Command("account")
        .addCommand(accountSessionCommand(terminal))
        .addCommand(accountTokensCommand(terminal)),
  ],
  open({ database, nodes }) {
    const tokens = new TokenKeys({ database, nodes })
    const ends = remember(() => findSessionEnds(database), { fresh: 30_000 })
    // If they cannot be read now, the former ones are shown.
    let latest: Awaited<ReturnType<typeof findSessionEnds>> = []
    return {
      findByToken: (token) => tokens.find(token),
      metrics: async () => [
        gauge(
          "event_export_session_expires_timestamp_seconds",
          "Time at which the first session or token in use by an account's unattended program ends.",
          (latest = await ends() ?? latest).map(({ username, lasting, ends }) => ({
            labels: { account: username, kind: lasting === 1 ? "token" : "session" },
            value: ends,
          })),
        ),
      ],
    }
  },
}

export default sessions
