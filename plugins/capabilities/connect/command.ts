import { randomUUID } from "node:crypto"
import { Command } from "commander"
import { type Database, formatMoment, UserError } from "../../../core/capability.ts"
import {
  planOf,
  printableLine,
  type Terminal,
  textTable,
  withDatabase,
} from "../../../core/commands.ts"
import { idOf } from "./ids.ts"
import { type Kind, kinds } from "./kinds.ts"
import { mappingOf } from "./mapping-of.ts"
import { describePreview, previewMapping } from "./preview.ts"
import { describeHeld, describeOutcome } from "./outcome.ts"
import type { HeldDeletions } from "./protection.ts"
import { applyCommand, inspectCommand, planCommand, undoCommand } from "./source-commands.ts"
import { openSource } from "./sources/open.ts"
import { listRefused, readState } from "./state.ts"
import { takeOver } from "./take-over.ts"

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
    .option("--mapping <file>", "another mapping than the one of connect.mapping")
    .action(async ({ mapping: file }: { readonly mapping?: string }) => {
      const plan = await planOf(terminal)
      await withDatabase(terminal, async (database, config) => {
        const mapping = mappingOf(config, terminal, file)
        const source = await openSource(mapping.url)
        terminal.print(describePreview(await previewMapping({ database, source, mapping }), plan))
      })
    })
}

interface RunFlags {
  readonly acceptDeletions?: readonly string[]
}

function runCommand(terminal: Terminal): Command {
  return new Command("run")
    .description("take over now what differs, and put a changed mapping in force")
    .option(
      "--accept-deletions <event>",
      "delete what is gone from an event, however much it is; may be repeated",
      (event: string, all: readonly string[] = []) => [...all, event],
    )
    .action(async ({ acceptDeletions: accepted = [] }: RunFlags) => {
      await withDatabase(terminal, async (database, config) => {
        const mapping = mappingOf(config, terminal)
        const source = await openSource(mapping.url)
        const outcome = await takeOver({
          ...{ database, source, mapping, accepted, acceptsMapping: true, owner: randomUUID() },
        })
        terminal.print(describeOutcome(outcome))
        if (outcome.held.length > 0) {
          throw new UserError(describeHeld(outcome.held, howToAccept(outcome.held)))
        }
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
        const refused = await listRefused(database, "database")
        if (json) return terminal.print(JSON.stringify({ state, refused }, null, 2))
        terminal.print(await describeStatus(database))
      })
    })
}

/** Describes the last comparison, for the command and for the console. */
async function describeStatus(database: Database): Promise<string> {
  const state = await readState(database)
  if (!state) return "Nothing has been taken over yet."
  const { compared_at, milliseconds, rows, changed, removed, refused, failure, failed_at, held } =
    state
  const rest = await listRefused(database, "database")
  const lines = [
    compared_at === null
      ? "The source has not been compared as a whole yet."
      : `Compared as a whole at ${formatMoment(compared_at)}, in ${
        (milliseconds / 1000).toFixed(1)
      } s: ` +
        `${rows} rows, ${changed} written, ${removed} deleted, ${refused} refused.`,
    ...failed_at === null
      ? []
      : [`Fails since then, last at ${formatMoment(failed_at)}: ${failure}`],
    ...held.length > 0 ? [describeHeld(held, howToAccept(held))] : [],
    ...rest.length > 0
      ? [textTable([
        ["KIND", "KEY", "PROBLEM", "PARTNERS HAVE"],
        ...rest.map(({ kind, source_key, reason, column_name, has_copy }) => [
          kind,
          printableLine(source_key),
          column_name ? `${column_name} is ${reason}` : reason,
          has_copy ? "a copy from before" : "nothing",
        ]),
      ])]
      : [],
  ]
  return lines.join("\n")
}

function findCommand(terminal: Terminal): Command {
  return new Command("find")
    .description("show the id of a record by its key in the source, or the key by the id")
    .argument("<kind>", `what it is: ${kinds.join(", ")}`)
    .argument("<key>", "its key in the source, or its id")
    .action(async (kind: string, key: string) => {
      if (!kinds.includes(kind as Kind)) {
        throw new UserError(`There is no kind ${kind}: ${kinds.join(", ")}.`)
      }
      await withDatabase(terminal, async (database) => {
        const id = idOf(kind, key)
        const [row] = await database.readOnce(({ db, run }) =>
          run(
            db.selectFrom("connect_row").select(["source_key", "event_id", "origin"])
              .where("kind", "=", kind).where("id", "=", id),
          )
        )
        if (!row) throw new UserError(`No ${kind} ${key} has been taken over.`)
        terminal.print(
          textTable([["KIND", "KEY", "ID", "EVENT"], [
            kind,
            row.source_key,
            id,
            row.event_id ?? "-",
          ]]),
        )
      })
    })
}

function howToAccept([first]: readonly HeldDeletions[]): string {
  return `event-export connect run --accept-deletions ${first?.event}`
}
