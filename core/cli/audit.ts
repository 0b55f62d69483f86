import { Command } from "commander"
import { type AuditEntry, listAudit } from "../observe/audit-log.ts"
import { UserError } from "../errors.ts"
import type { Terminal } from "./terminal.ts"
import { table, withDatabase } from "./context.ts"
import { formatTime, parseStart } from "./time.ts"

interface AuditFlags {
  readonly account?: string
  readonly event?: string
  readonly since?: string
  readonly limit: string
  readonly json?: true
}

/** `audit`: shows who requested what, and when. */
export function auditCommand(terminal: Terminal): Command {
  return new Command("audit")
    .description("show who requested what, when and from where, oldest first")
    .option("--account <name>", "only of this account")
    .option("--event <id>", "only about this event")
    .option("--since <date>", "from a day (UTC) or a time such as 2030-01-31T18:00:00Z on")
    .option("--limit <number>", "the number of entries, latest ones", "100")
    .option("--json", "one line of JSON per entry")
    .action(async (flags: AuditFlags, command: Command) => {
      const { account, event, since, json } = flags
      const limit = Number(flags.limit)
      if (!Number.isInteger(limit) || limit < 1) {
        throw new UserError("--limit must be a whole number, 1 or more.")
      }
      await withDatabase(command, terminal, async (database) => {
        const entries = await listAudit(database, {
          limit,
          ...(account === undefined ? {} : { account }),
          ...(event === undefined ? {} : { event: event.toLowerCase() }),
          ...(since === undefined ? {} : { since: parseStart(since) }),
        })
        if (json) { for (const entry of entries) terminal.print(JSON.stringify(entry)) }
        else terminal.print(table([head, ...entries.map(toRow)]))
      })
    })
}

const head = ["TIME", "ACCOUNT", "ADDRESS", "WHAT", "EVENT", "ASKED", "SENT", "STATUS", "TOOK"]

function toRow(entry: AuditEntry): string[] {
  return [
    formatTime(entry.at),
    entry.account ?? "-",
    entry.address,
    entry.action === "log-in" ? "log-in" : entry.route ?? "",
    entry.event_id ?? "-",
    queryOf(entry),
    entry.sent == null ? "-" : String(entry.sent),
    entry.code ? `${entry.status} ${entry.code}` : String(entry.status),
    `${entry.milliseconds} ms`,
  ]
}

function queryOf({ since, first, cursor_text, search_length }: AuditEntry): string {
  const parts = [
    ...(since == null ? [] : [`since=${since}`]),
    ...(first == null ? [] : [`offset=${first}`]),
    ...(cursor_text == null ? [] : [`cursor=${cursor_text}`]),
    ...(search_length == null ? [] : [`q of ${search_length}`]),
  ]
  return parts.join(" ") || "-"
}
