import { Command } from "commander"
import {
  authorOf,
  formatMoment,
  parseMoment,
  printableLine,
  type Terminal,
  UserError,
  withDatabase,
} from "../../../core/capability.ts"
import { mute, readContact, setContact, unmute } from "./contacts.ts"

interface ContactFlags {
  readonly contact?: string
  readonly notes?: string
}

interface MuteFlags {
  readonly until?: string
  readonly because?: string
  readonly undo?: true
}

/** `account contact` and `account mute`: whom to tell about a partner, and whether to be told of it. */
export function contactCommands(terminal: Terminal): Command {
  const account = new Command("account")

  account.command("contact").description("show or note whom to tell about a partner")
    .argument("<name>", "the user name")
    .option("--contact <text>", "names, addresses, numbers; an empty text removes them")
    .option("--notes <text>", "what else there is to know; an empty text removes it")
    .action(async (username: string, { contact, notes }: ContactFlags) => {
      await withDatabase(terminal, async (database, config) => {
        if (contact !== undefined || notes !== undefined) {
          await setContact(database, username, { contact, notes }, authorOf(config))
        }
        const known = await readContact(database, username)
        terminal.print(`Contact: ${printableLine(known.contact || "none")}`)
        for (const line of known.notes.split("\n")) terminal.print(`Notes: ${printableLine(line)}`)
        terminal.print(describeMute(known.muted))
      })
    })

  account.command("mute").description("be told nothing of a partner's state until a time")
    .argument("<name>", "the user name")
    .option("--until <date>", "the last day (UTC), or a moment such as 2030-01-31T18:00:00Z")
    .option("--because <text>", "why, for other operators")
    .option("--undo", "end the mute now")
    .action(async (username: string, { until, because, undo }: MuteFlags) => {
      const isWhole = until !== undefined && because !== undefined
      if (undo ? until !== undefined || because !== undefined : !isWhole) {
        throw new UserError("Give --until and --because, or only --undo. Nothing was changed.")
      }
      const muted = { until: parseMoment(until ?? "2000-01-01"), because: because ?? "" }
      await withDatabase(terminal, async (database, config) => {
        if (undo) await unmute(database, username, authorOf(config))
        else await mute(database, username, muted, authorOf(config))
        terminal.print(undo ? `${username} is not muted.` : `${username}: ${describeMute(muted)}`)
      })
    })

  return account
}

function describeMute(muted: { readonly until: number; readonly because: string } | null): string {
  return muted
    ? `muted until ${formatMoment(muted.until)}, because: ${printableLine(muted.because)}`
    : "Not muted."
}
