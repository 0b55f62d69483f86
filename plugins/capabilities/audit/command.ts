import { Command, Option } from "commander"
import { type AuditEntry, type AuditFilter, listAudit } from "./audit-log.ts"
import { changeActions } from "../../../core/accounts.ts"
import { requestActions, UserError } from "../../../core/capability.ts"
import { formatMoment } from "../../../core/plugin.ts"
import { type Terminal, textTable, withDatabase } from "../../../core/commands.ts"
import { type FilterTexts, readFilter } from "./audit-filter.ts"

interface AuditFlags extends FilterTexts {
  readonly limit: string
  readonly json?: true
}

/** `audit`: shows who requested and who changed what, and when. */
export function auditCommand(terminal: Terminal): Command {
  return new Command("audit")
    .description("show who requested or changed what, when and from where, oldest first")
    .option("--account <name>", "only of this account, or about it")
    .option("--event <id>", "only about this event")
    .option("--request <id>", "only the request with this id: X-Request-Id of its response")
    .option("--status <status>", "only requests with this status: 404, or 4xx")
    .option("--address <address>", "only from this IP address or host")
    .addOption(
      new Option("--action <name>", "only requests or changes of this kind")
        .choices([...requestActions, ...changeActions]),
    )
    .option("--actor <name>", "only changes that this user made")
    .option("--since <date>", "from a day (UTC) or a time such as 2030-01-31T18:00:00Z on")
    .option("--until <date>", "to the end of a day (UTC), or to a time")
    .option("--limit <number>", "the number of entries, latest ones", "100")
    .option("--json", "one line of JSON per entry, with whole details")
    .action(async (flags: AuditFlags) => {
      const query = queryFrom(flags)
      await withDatabase(terminal, async (database) => {
        const entries = await listAudit(database, query)
        if (flags.json) { for (const entry of entries) terminal.print(JSON.stringify(entry)) }
        else terminal.print(textTable([head, ...entries.map(toRow)]))
      })
    })
}

/** @throws {UserError} */
function queryFrom({ limit, json: _, ...texts }: AuditFlags): AuditFilter {
  if (!/^[1-9]\d{0,8}$/.test(limit)) {
    throw new UserError("--limit must be a whole number, 1 or more.")
  }
  return { ...readFilter(texts), limit: Number(limit) }
}

const head = [
  "TIME",
  "ACCOUNT",
  "ADDRESS",
  "WHAT",
  "EVENT",
  "ASKED",
  "SENT",
  "STATUS",
  "TOOK",
  "REQUEST",
]

function toRow(entry: AuditEntry): string[] {
  const { actor, detail, account, address } = entry
  const start = [formatMoment(entry.at), account ?? "-", address]
  // Changes have no status.
  if (actor != null) {
    const result = entry.code ?? "done"
    const what = `${entry.action} by ${actor}: ${shorten(detail ?? "")}`
    return [...start, what, "-", "-", "-", result, "-", entry.request_id || "-"]
  }
  return [
    ...start,
    entry.action === "list" ? entry.route ?? "" : entry.action,
    entry.event_id ?? "-",
    queryOf(entry),
    entry.sent == null ? "-" : String(entry.sent),
    entry.code ? `${entry.status} ${entry.code}` : String(entry.status),
    `${entry.milliseconds} ms`,
    entry.request_id,
  ]
}

/** Returns the first line of a detail, or its beginning: that of a reload has all mistakes of a file. */
function shorten(detail: string): string {
  const [first = "", ...others] = detail.split("\n")
  const isShort = others.length === 0 && first.length <= mostLetters
  return isShort ? first : `${first.slice(0, mostLetters)}…`
}

/** In characters. */
const mostLetters = 80

function queryOf({ since, first, cursor_text, search_length }: AuditEntry): string {
  const parts = [
    ...(since == null ? [] : [`since=${since}`]),
    ...(first == null ? [] : [`offset=${first}`]),
    ...(cursor_text == null ? [] : [`cursor=${cursor_text}`]),
    ...(search_length == null ? [] : [`q of ${search_length}`]),
  ]
  return parts.join(" ") || "-"
}
