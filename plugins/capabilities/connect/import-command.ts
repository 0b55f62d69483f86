import { Command, Option } from "commander"
import { UserError } from "../../../core/capability.ts"
import { type Terminal, withDatabase } from "../../../core/commands.ts"
import { describeHeld, describeOutcome } from "./describe.ts"
import { readRows } from "./files.ts"
import { importFile } from "./import.ts"
import { recordKinds } from "./kinds.ts"
import { isZone } from "./zoned-time.ts"

interface ImportFlags {
  readonly event: string
  readonly whole?: true
  readonly preview?: true
  readonly timeZone: string
  readonly money: "major" | "minor"
  readonly acceptDeletions?: true
}

const names = ["guests", ...recordKinds.slice(1)].join(", ")

/** `import`: takes over the records of a file. */
export function importCommand(terminal: Terminal): Command {
  return new Command("import")
    .description(
      "take over the records of a CSV or NDJSON file, whose columns are named like the fields",
    )
    .argument("<kind>", `what they are: ${names}`)
    .argument("<file>", "the file")
    .requiredOption("--event <id>", "the event that they belong to")
    .option("--whole", "delete what was imported before and is not in the file")
    .option("--accept-deletions", "however much that is")
    .option("--preview", "say what would change, and change nothing")
    .option("--time-zone <name>", "the zone of times that name none", "UTC")
    .addOption(
      new Option("--money <units>", "major for pounds, minor for pence")
        .choices(["major", "minor"]).default("minor"),
    )
    .action(async (name: string, path: string, flags: ImportFlags) => {
      const kind = recordKinds.find((each) => each === (name === "guests" ? "guest" : name))
      if (!kind) throw new UserError(`There is no kind ${name}: ${names}.`)
      const { timeZone, money } = flags
      if (!isZone(timeZone)) {
        throw new UserError("--time-zone must be a name such as Europe/London.")
      }
      await withDatabase(terminal, async (database) => {
        const outcome = await importFile({
          ...{ database, kind, rules: { timeZone, money } },
          ...{ eventId: flags.event.toLowerCase(), file: readRows(path) },
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
