import { Command } from "commander"
import { type DisclosureReport, findDisclosures, type GuestRecord } from "./find-disclosures.ts"
import { withdrawalsOf } from "./ends.ts"
import { listOverdue, type Overdue, overdueDays } from "./overdue.ts"
import { noticeKinds } from "./tables.ts"
import { UserError } from "../../../core/capability.ts"
import { formatMoment } from "../../../core/plugin.ts"
import { printableLine, type Terminal, textTable, withDatabase } from "../../../core/commands.ts"

interface DisclosuresFlags {
  readonly guest?: string
  readonly overdue?: true
  readonly days?: string
  readonly event?: string
  readonly json?: true
}

/** `disclosures`: shows which accounts received a guest's data, and what they know of its deletion. */
export function disclosuresCommand(terminal: Terminal): Command {
  return new Command("disclosures")
    .description("show which accounts received a guest's data, which fields, and when")
    .option("--guest <id>", "the guest's id")
    .option("--event <id>", "only this event; also reports on it if the guest is no longer known")
    .option(
      "--overdue",
      "the deletions and withdrawals of guests that accounts have not acknowledged in time",
    )
    .option(
      "--days <number>",
      "how many days are in time (default: 7; of withdrawals, disclosures.withdrawals)",
    )
    .option("--json", "as JSON")
    .action(async (flags: DisclosuresFlags) => {
      const { guest, event, overdue, json } = flags
      if ((guest === undefined) === (overdue === undefined)) {
        throw new UserError("Name a guest with --guest <id>, or list what is late with --overdue.")
      }
      await withDatabase(terminal, async (database, config) => {
        const withdrawals = withdrawalsOf(config)
        if (guest === undefined) {
          const days = daysOf(flags)
          const hours = flags.days === undefined ? withdrawals?.hours ?? 0 : days * 24
          const erasures = await listOverdue(database, days, withdrawals && { hours })
          terminal.print(
            json ? JSON.stringify(erasures, null, 2) : describeOverdue(erasures, { days, hours }),
          )
          return
        }
        const report = await findDisclosures(database, guest, { eventId: event, withdrawals })
        terminal.print(json ? JSON.stringify(report, null, 2) : describe(report))
      })
    })
}

function daysOf({ days = String(overdueDays) }: DisclosuresFlags): number {
  const number = Number(days)
  if (!Number.isInteger(number) || number < 0) {
    throw new UserError("--days must be a whole number, 0 or more.")
  }
  return number
}

function describeOverdue(
  erasures: readonly Overdue[],
  { days, hours }: { readonly days: number; readonly hours: number },
): string {
  if (erasures.length === 0) {
    return `Every deletion of a guest is acknowledged, or not older than ${days} days; every withdrawal, or ${hours} hours.`
  }
  const rows = erasures.map(({ account, event, kind, guests, first, last }) => [
    account,
    event.id,
    event.name ?? "-",
    String(guests),
    kind,
    formatMoment(first),
    formatMoment(last),
  ])
  return textTable([["ACCOUNT", "EVENT", "NAME", "GUESTS", "WHY", "FROM", "UNTIL"], ...rows])
}

function describe({ guest, records, deletionsSince }: DisclosureReport): string {
  const since = deletionsSince > 0
    ? ` Guests that were deleted before ${formatMoment(deletionsSince)} may be forgotten.`
    : ""
  if (records.length === 0) {
    return `No guest ${guest} is known.${since} With --event, shows who may have received it there.`
  }
  return records.map(describeRecord).join("\n\n")
}

function describeRecord({ event, state, deleted, recipients }: GuestRecord): string {
  const called = event.name === null ? "" : ` (${printableLine(event.name)})`
  const name = `event ${event.id}${called}`
  const head = {
    present: `Guest of ${name}`,
    deleted: `Guest of ${name}, deleted at ${formatMoment(deleted)}`,
    unknown:
      `No such guest of ${name} is known. If there was one, these accounts may have received it`,
  }[state]
  if (recipients.length === 0) return `${head}: sent to nobody.`
  const isWithdrawn = recipients.some(({ withdrawn }) => withdrawn !== null)
  const kinds = deleted === null && !isWithdrawn ? [] : noticeKinds
  const rows = recipients.map((recipient) => [
    recipient.account,
    recipient.prefix,
    recipient.certain ? "sent" : "may have been sent",
    formatMoment(recipient.first),
    formatMoment(recipient.last),
    ...isWithdrawn ? [formatMoment(recipient.withdrawn)] : [],
    ...kinds.map((kind) =>
      (deleted ?? recipient.withdrawn) === null ? "-" : formatMoment(recipient[kind])
    ),
    recipient.fields.map((field) => field.replace(/^Guest\./, "")).join(", "),
  ])
  const columns = [
    "ACCOUNT",
    "FAMILY",
    "RECORD",
    "FROM",
    "UNTIL",
    ...isWithdrawn ? ["WITHDRAWN"] : [],
    ...kinds.map((kind) => kind.toUpperCase()),
    "FIELDS",
  ]
  return `${head}:\n${textTable([columns, ...rows])}`
}
