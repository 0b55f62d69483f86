import { Command } from "commander"
import { changeInTransaction } from "../../../core/accounts.ts"
import { formatMoment } from "../../../core/plugin.ts"
import { authorOf, type Terminal, withDatabase } from "../../../core/commands.ts"
import { requireResync } from "./require-resync.ts"

/** `resync`: makes every partner read everything again. */
export function resyncCommand(terminal: Terminal): Command {
  return new Command("resync")
    .description("make every partner read everything again, after a restore or after lost commits")
    .action(async () => {
      await withDatabase(terminal, async (database, config) => {
        const { migrator, dialect } = database
        const reached = await changeInTransaction(
          { writer: migrator, dialect },
          authorOf(config),
          async ({ writer: db }, record) => {
            const reached = await requireResync({ db, dialect })
            await record({
              action: "resync",
              account: null,
              detail: `each partner that polled before ${
                formatMoment(reached)
              } reads everything again`,
            })
            return reached
          },
          { denied },
        )
        const moment = formatMoment(reached)
        terminal.print(
          `Partners who polled before ${moment} read everything again with their next poll.`,
        )
      })
    })
}

const denied =
  "The database user may not do this. Run the command as the owner of the tables. Nothing was changed."
