import { Command } from "commander"
import { formatMoment } from "../../../core/plugin.ts"
import { authorOf, type Terminal, textTable, withDatabase } from "../../../core/commands.ts"
import { endSession } from "./end-session.ts"
import { sessionPages, type SessionSummary } from "./session-list.ts"

/** `account sessions`: lists sessions, those that have ended as well. */
export function sessionsCommand(terminal: Terminal): Command {
  return new Command("sessions")
    .description("list sessions, with those that ended in the last 90 days")
    .argument("[name]", "of this account only")
    .option("--live", "only those that count now")
    .option("--json", "one line of JSON per session")
    .action(async (
      username: string | undefined,
      { live, json }: { live?: true; json?: true },
    ) => {
      await withDatabase(terminal, async (database, { session: { idle } }) => {
        let header = [head]
        const query = { username, idle, isRunning: live === true }
        for await (const page of sessionPages(database, query)) {
          const found = live ? page.filter(({ state }) => state === "live") : page
          if (json) { for (const each of found) terminal.print(JSON.stringify(each)) }
          else terminal.print(textTable([...header, ...found.map(toRow)]))
          header = []
        }
      })
    })
}

/** `account end-session`: ends one session. */
export function endSessionCommand(terminal: Terminal): Command {
  return new Command("end-session")
    .description("end one session, for example one whose cookie was lost")
    .argument("<id>", 'its id, or the beginning of it, as "account sessions" shows it')
    .action(async (id: string) => {
      await withDatabase(terminal, async (database, config) => {
        const ended = await endSession(database, id, "revoked", authorOf(config))
        terminal.print(`The session ${ended.id} of ${ended.username} has ended.`)
      })
    })
}

const head = ["SESSION", "ACCOUNT", "BEGAN", "LAST USED", "ENDS", "STATE"]

function toRow(session: SessionSummary): string[] {
  const { id, username, began, used, ends, state, replaced } = session
  return [
    id.slice(0, 8),
    username,
    formatMoment(began),
    formatMoment(used),
    formatMoment(ends),
    state === "live" && replaced ? "live, replaced" : state,
  ]
}
