import { Command } from "commander"
import { type Author, findAccount } from "../../../core/accounts.ts"
import { type Database, UserError } from "../../../core/capability.ts"
import { formatMoment, Problem } from "../../../core/plugin.ts"
import { authorOf, type Terminal, textTable, withDatabase } from "../../../core/commands.ts"
import { nextAttemptOf, tellOf, toJson } from "./reasons.ts"
import {
  type Acting,
  addReceiver,
  challengeReceiver,
  findReceiver,
  listReceivers,
  type RegisteredReceiver,
  removeReceiver,
  shownUrl,
} from "./receivers.ts"
import { rulesOf } from "./settings.ts"

/** `ping`: shows and changes receivers of pings. */
export function pingCommand(terminal: Terminal): Command {
  const ping = new Command("ping").description("show and change the receivers of pings")

  ping.command("list", { isDefault: true }).description("list the receivers (default)")
    .argument("[name]", "of this account only")
    .option("--json", "one line of JSON per receiver")
    .action(async (username: string | undefined, { json }: { json?: true }) => {
      await withDatabase(terminal, async (database) => {
        const account = username === undefined
          ? undefined
          : await findAccount(database.writer, username)
        const receivers = await listReceivers(database, account && { accountId: account.id })
        const now = Math.floor(Date.now() / 1000)
        if (json) {
          for (const each of receivers) {
            const { id, ...rest } = toJson(each, now)
            const shown = { id, account: each.username, ...rest, url: shownUrl(each.url) }
            terminal.print(JSON.stringify(shown))
          }
        } else terminal.print(textTable([head, ...receivers.map((each) => toRow(each, now))]))
      })
    })

  ping.command("add").description("register a URL for a partner, and print its secret once")
    .argument("<name>", "the user name")
    .argument("<url>", "https://…")
    .action(async (username: string, url: string) => {
      await withDatabase(terminal, async (database, config) => {
        const account = await findAccount(database.writer, username)
        const options = { account, by: authorOf(config), rules: rulesOf(config) }
        const { receiver, secret } = await forPeople(addReceiver(database, url, options))
        terminal.print(
          `${username} has the receiver ${receiver.id}. The service sends it a challenge within seconds; ` +
            `"ping list" shows what came of it. Its secret, which nothing shows again:\n${secret}`,
        )
      })
    })

  ping.command("remove").description("send nothing more to a receiver")
    .argument("<id>", "its id, or the beginning of that")
    .action(async (prefix: string) => {
      await withDatabase(terminal, async (database, config) => {
        const { acting, receiver } = await actingOn(database, prefix, authorOf(config))
        await forPeople(removeReceiver(database, receiver.id, acting))
        terminal.print(`The receiver ${receiver.id} of ${receiver.username} is removed.`)
      })
    })

  ping.command("check").description(
    "send a challenge to a receiver, and turn it on if it answers that",
  )
    .argument("<id>", "its id, or the beginning of that")
    .action(async (prefix: string) => {
      await withDatabase(terminal, async (database, config) => {
        const { acting, receiver } = await actingOn(database, prefix, authorOf(config))
        await forPeople(challengeReceiver(database, receiver.id, acting))
        terminal.print(
          `The service sends a challenge to the receiver ${receiver.id} of ${receiver.username} within ` +
            `seconds, if it runs; "ping list" shows what came of it.`,
        )
      })
    })

  return ping
}

const head = ["RECEIVER", "ACCOUNT", "URL", "STATE", "LAST SUCCESS", "LAST ANSWER", "NEXT", "WHY"]

function toRow(receiver: RegisteredReceiver, now: number): string[] {
  const { id, username, url, last_sent, last_status, last_error } = receiver
  const { word, what, advice } = tellOf(receiver)
  const next = nextAttemptOf(receiver, now)
  return [
    id.slice(0, 8),
    username,
    shownUrl(url),
    word,
    formatMoment(last_sent),
    String(last_status ?? last_error ?? ""),
    next === null ? "" : formatMoment(next),
    `${what} ${advice}`,
  ]
}

async function actingOn(
  database: Database,
  prefix: string,
  by: Author,
): Promise<{ readonly acting: Acting; readonly receiver: RegisteredReceiver }> {
  const receiver = await findReceiver(database, prefix)
  const account = await findAccount(database.writer, receiver.username)
  return { acting: { account, by }, receiver }
}

/** Turns problems into user errors: commands only print the messages of those. */
async function forPeople<T>(changing: Promise<T>): Promise<T> {
  return await changing.catch((error: unknown) => {
    throw error instanceof Problem ? new UserError(error.message) : error
  })
}
