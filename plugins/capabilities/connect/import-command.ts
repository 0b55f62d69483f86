import { Command } from "commander"
import { UserError } from "../../../core/capability.ts"
import { type Terminal, withDatabase } from "../../../core/commands.ts"
import { readRows } from "./files.ts"
import { importFile } from "./import.ts"
import { recordKinds } from "./kinds.ts"
import { describeHeld, describeOutcome } from "./outcome.ts"
import { isZone } from "./zoned-time.ts"

interface ImportFlags {
  readonly event: string
  readonly whole?: true
  readonly preview?: true
  readonly timeZone: string
  readonly money: string
  readonly acceptDeletions?: true
}

/** `import`: takes over the records of a file. */
export function importCommand(terminal: Terminal): Command {
  return new Command("import")
    .description(
      "take over the records of a CSV or NDJSON file, whose columns are named like the fields",
    )
    .argument("<kind>", `what they are: ${["guests", ...recordKinds.slice(1)].join(", ")}`)
    .argument("<file>", "the file")
    .requiredOption("--event <id>", "the event that they belong to")
    .option("--whole", "delete what was imported before and is not in the file")
    .option("--accept-deletions", "however much that is")
    .option("--preview", "say what would change, and change nothing")
    .option("--time-zone <name>", "the zone of times that name none", "UTC")
    .option("--money <units>", "major for pounds, minor for pence", "minor")
    .action(async (name: string, path: string, flags: ImportFlags) => {
      const kind = recordKinds.find((each) => each === (name === "guests" ? "guest" : name))
      if (!kind) {
        throw new UserError(`There is no kind ${name}: guests, ${recordKinds.slice(1).join(", ")}.`)
      }
      const { timeZone, money } = flags
      if (!isZone(timeZone)) {
        throw new UserError("--time-zone must be a name such as Europe/London.")
      }
      if (money !== "major" && money !== "minor") {
        throw new UserError("--money must be major or minor.")
      }
      await withDatabase(terminal, async (database) => {
        const outcome = await importFile({
          ...{
            database,
            kind,
            timeZone,
            money,
            eventId: flags.event.toLowerCase(),
            file: readRows(path),
          },
          isWhole: flags.whole === true,
          isPreview: flags.preview === true,
          acceptsDeletions: flags.acceptDeletions === true,
        })
        terminal.print(describeOutcome(outcome))
        if (outcome.held.length > 0) {
          throw new UserError(describeHeld(outcome.held, "add --accept-deletions"))
        }
      })
    })
}
