import { Command } from "commander"
import { findAccount } from "../../../core/accounts.ts"
import { UserError } from "../../../core/capability.ts"
import { formatMoment } from "../../../core/plugin.ts"
import { authorOf, type Terminal, textTable, withDatabase } from "../../../core/commands.ts"
import { listTokens, revokeToken, type Token } from "./tokens.ts"

/** `account tokens`: lists the tokens that partners have made, and revokes one. */
export function accountTokensCommand(terminal: Terminal): Command {
  return new Command("tokens")
    .description("list the tokens that partners have made, or revoke one")
    .argument("[name]", "of this account only")
    .option("--revoke <id>", "end the token with this id, or the beginning of one")
    .option("--json", "one line of JSON per token")
    .action(async (
      username: string | undefined,
      { revoke, json }: { revoke?: string; json?: true },
    ) => {
      if (revoke !== undefined && (username !== undefined || json)) {
        throw new UserError("Give --revoke alone: the id says which token. Nothing was changed.")
      }
      await withDatabase(terminal, async (database, config) => {
        if (revoke !== undefined) {
          const { id, name, username } = await revokeToken(database, revoke, authorOf(config))
          return terminal.print(
            `The token ${id} of ${username}, ${JSON.stringify(name)}, is revoked.`,
          )
        }
        const account = username === undefined
          ? undefined
          : await findAccount(database.writer, username)
        const tokens = await listTokens(database, { accountId: account?.id })
        if (json) { for (const each of tokens) terminal.print(JSON.stringify(each)) }
        else terminal.print(textTable([head, ...tokens.map(toRow)]))
      })
    })
}

const head = ["TOKEN", "ACCOUNT", "NAME", "MADE", "LAST USED", "FROM", "ENDS", "ONLY FOR"]

function toRow({ id, username, name, created, used, address, expires, scope }: Token): string[] {
  return [
    id.slice(0, 8),
    username,
    name,
    formatMoment(created),
    formatMoment(used),
    address ?? "",
    formatMoment(expires),
    scope ?? "",
  ]
}
