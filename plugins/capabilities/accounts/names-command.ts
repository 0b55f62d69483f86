import { Command } from "commander"
import { type Config, UserError } from "../../../core/capability.ts"
import { authorOf, readDraft, type Terminal, withDatabase } from "../../../core/commands.ts"
import { removeAccount, renameAccount } from "./change-names.ts"
import { type AccountMentions, describePlaces, namedIn, whyNeeded } from "./named-in.ts"

/** `account rename` and `account remove`. */
export function namesCommand(terminal: Terminal): Command {
  const account = new Command("account")

  account.command("rename").description(
    "give an account another name; its sessions and grants stay",
  )
    .argument("<name>", "the user name")
    .argument("<to>", "the new name, which no account has")
    .action(async (from: string, to: string) => {
      await withDatabase(terminal, async (database, config) => {
        await renameAccount(database, from, to, authorOf(config))
        terminal.print(`${from} is called ${to} now. The log-in needs that name.`)
        const todo = describePlaces(await readPlaces(terminal, config, from), to)
        if (todo !== undefined) terminal.warn(todo)
      })
    })

  account.command("remove").description("remove an account with its sessions and grants, for good")
    .argument("<name>", "the user name")
    .option("--force", "even if it has live sessions")
    .action(async (username: string, { force }: { force?: true }) => {
      await withDatabase(terminal, async (database, config) => {
        const needed = whyNeeded(await readPlaces(terminal, config, username), username)
        if (needed !== undefined) throw new UserError(needed)
        await removeAccount(database, username, { force: force === true }, authorOf(config))
        terminal.print(`${username} is removed. The audit log and the ledger keep its name.`)
      })
    })

  return account
}

/** Finds where the file names an account. Loads no plugin. */
async function readPlaces(
  terminal: Terminal,
  config: Config,
  username: string,
): Promise<AccountMentions> {
  const { source: { value } } = await readDraft(terminal)
  const { plugins } = (value ?? {}) as { readonly plugins?: unknown }
  return namedIn({ accounts: config.accounts, plugins }, username)
}
