import { randomUUID } from "node:crypto"
import { Command } from "commander"
import { UserError } from "../../../core/capability.ts"
import { loadPlan, type Terminal, textTable, withDatabase } from "../../../core/commands.ts"
import { describeHeld, describeOutcome, describeStatus } from "./describe.ts"
import { idOf } from "./ids.ts"
import { inspectCommand } from "./inspect-command.ts"
import { kinds, type SourceKind } from "./kinds.ts"
import { describePreview, previewMapping } from "./preview.ts"
import { readState } from "./state.ts"
import { assertOutcome, takeOver } from "./take-over.ts"
import { applyCommand, planCommand, undoCommand } from "./trigger-commands.ts"
import { withSource } from "./with-source.ts"

/** `connect`: takes over the records of the organizer's own database. */
export function connectCommand(terminal: Terminal): Command {
  return new Command("connect")
    .description("take over the records of your own database, as a mapping of SELECTs says")
    .addCommand(inspectCommand(terminal))
    .addCommand(previewCommand(terminal))
    .addCommand(runCommand(terminal))
    .addCommand(statusCommand(terminal))
    .addCommand(findCommand(terminal))
    .addCommand(planCommand(terminal))
    .addCommand(applyCommand(terminal))
    .addCommand(undoCommand(terminal))
}

function previewCommand(terminal: Terminal): Command {
  return new Command("preview")
    .description("show what the mapping makes of the source, and change nothing")
    .action(async () => {
      const plan = await loadPlan(terminal)
      await withSource(terminal, undefined, async ({ source, mapping }) => {
        terminal.print(describePreview(await previewMapping(source, mapping), plan))
      })
    })
}

function runCommand(terminal: Terminal): Command {
  return new Command("run")
    .description("take over now what differs, and put a changed mapping in force")
    .option(
      "--accept-deletions <event>",
      "delete what is gone from an event, however much it is; may be repeated; all for all events",
      (event: string, all: readonly string[] = []) => [...all, event],
    )
    .action(async ({ acceptDeletions }: { readonly acceptDeletions?: readonly string[] }) => {
      await withSource(terminal, undefined, async (parts) => {
        const outcome = await takeOver({
          ...{ ...parts, acceptsMapping: true, owner: randomUUID() },
          accepted: acceptDeletions ?? [],
        })
        assertOutcome(outcome)
        terminal.print(describeOutcome(outcome))
        if (outcome.held.length > 0) throw new UserError(describeHeld(outcome.held))
      })
    })
}

function statusCommand(terminal: Terminal): Command {
  return new Command("status")
    .description("show the last comparison, what was refused, and what waits")
    .option("--json", "as JSON")
    .action(async ({ json }: { readonly json?: true }) => {
      await withDatabase(terminal, async (database) => {
        const state = await readState(database)
        terminal.print(json ? JSON.stringify(state, null, 2) : describeStatus(state))
      })
    })
}

function findCommand(terminal: Terminal): Command {
  return new Command("find")
    .description("show the id of a record by its key in the source, or the key by the id")
    .argument("<kind>", `what it is: ${kinds.join(", ")}`)
    .argument("<key>", "its key in the source, or its id")
    .action(async (kind: string, key: string) => {
      if (!kinds.includes(kind as SourceKind)) {
        throw new UserError(`There is no kind ${kind}: ${kinds.join(", ")}.`)
      }
      await withDatabase(terminal, async (database) => {
        const rows = await database.readOnce(({ db, run }) =>
          run(
            db.selectFrom("connect_row").select(["source_key", "id", "event_id"])
              .where("kind", "=", kind)
              .where((eb) => eb.or([eb("id", "=", idOf(kind, key)), eb("source_key", "=", key)])),
          )
        )
        if (rows.length === 0) {
          throw new UserError(
            `No ${kind} ${key} is taken over now. If it was before, partners know it as ${
              idOf(kind, key)
            }.`,
          )
        }
        terminal.print(textTable([
          ["KIND", "KEY", "ID", "EVENT"],
          ...rows.map(({ source_key, id, event_id }) => [kind, source_key, id, event_id ?? "-"]),
        ]))
      })
    })
}
