import { hash } from "node:crypto"
import { Command } from "commander"
import { UserError } from "../../../core/capability.ts"
import type { Terminal } from "../../../core/commands.ts"
import { readSchema } from "./schema.ts"
import { quotePath } from "./sources/quote.ts"
import { allRows, type Source } from "./sources/source.ts"
import { noteState, readState } from "./state.ts"
import { grantsOf, planOf, queue, selectTriggers, watchedTables } from "./triggers.ts"
import { plainText } from "./values.ts"
import { type MappedSource, withSource } from "./with-source.ts"

const asUser = [
  "--as <file>",
  "the file with a URL whose user may make triggers (default: that of the mapping)",
] as const

/** `connect plan`: prints what makes the source tell what changes. */
export function planCommand(terminal: Terminal): Command {
  return new Command("plan")
    .description("print the SQL of triggers that tell which records change, and its undo")
    .action(() =>
      withSource(terminal, undefined, async (parts) => terminal.print(await describePlan(parts)))
    )
}

/** `connect apply`: runs it. */
export function applyCommand(terminal: Terminal): Command {
  return new Command("apply")
    .description(
      "make the triggers in the source, each after waiting two seconds for its table at most",
    )
    .option(...asUser)
    .action((flags: { readonly as?: string }) =>
      withSource(terminal, flags.as, async ({ database, source, mapping }) => {
        const state = await readState(database)
        if (state.compared_at === null) {
          throw new UserError(
            'Take records over first: "event-export connect run". Nothing was changed.',
          )
        }
        if (state.source_schema === "") {
          await noteState(database, { source_schema: await readFingerprint(source) })
        }
        for (const { about, apply, undo } of planOf(source.name, watchedTables(mapping))) {
          const renewed = undo.filter((statement) => !statement.startsWith("drop table"))
          await source.change([...renewed, ...apply]).catch((error: Error) => {
            throw new UserError(
              `Cannot make ${about}: ${error.message}. ` +
                'Run it again later, or "event-export connect undo".',
            )
          })
          terminal.print(`Made ${about}.`)
        }
        const grants = flags.as === undefined ? [] : grantsOf(source.name, mapping.url)
        terminal.print([
          ...grants.length > 0 ? ["The user of the mapping needs, whatever its host is:"] : [],
          ...grants.map((grant) => `  ${grant};`),
          "From the next minute on, a change is taken over a second after it. Each night, all is compared.",
        ].join("\n"))
      })
    )
}

/** `connect undo`: takes it away. */
export function undoCommand(terminal: Terminal): Command {
  return new Command("undo")
    .description("take the triggers and the queue out of the source again")
    .option(...asUser)
    .action((flags: { readonly as?: string }) =>
      withSource(terminal, flags.as, async ({ database, source, mapping }) => {
        const steps = planOf(source.name, watchedTables(mapping)).toReversed()
        await source.change(steps.flatMap(({ undo }) => undo))
        const { source_schema: before } = await readState(database)
        const isSame = before === await readFingerprint(source)
        await noteState(database, { source_schema: "" })
        terminal.print(
          isSame
            ? "The tables and triggers of the source are as they were before."
            : "The triggers and the queue are gone." +
              (before ? " Something else has changed in the source since they were made." : ""),
        )
      })
    )
}

async function describePlan({ source, mapping }: MappedSource): Promise<string> {
  const tables = watchedTables(mapping)
  const steps = planOf(source.name, tables)
  const sizes = await source.snapshot(async (reader) => {
    const lines: string[] = []
    for (const { table } of tables) {
      const [[count] = []] = await allRows(
        reader,
        `select count(*) from ${quotePath(source.name, table)}`,
      )
      lines.push(`-- ${table} has ${count} rows.`)
    }
    return lines
  })
  const delimiter = source.name === "mysql" ? "//" : ";"
  const grants = grantsOf(source.name, mapping.url)
  return [
    `-- Makes ${source.name} tell which records change. "event-export connect apply" runs it.`,
    `-- A trigger notes one key in ${queue}.${
      source.name === "sqlite" ? "" : " If that fails, the statement of the platform goes on."
    }`,
    "-- Making a trigger waits up to two seconds until no transaction uses its table, and then takes milliseconds.",
    "-- Needs the right to make triggers and a table.",
    ...grants.length > 0 ? ["-- If the user of the mapping is another, it needs:"] : [],
    ...grants.map((grant) => `--   ${grant};`),
    ...sizes,
    ...source.name === "mysql" ? ["delimiter //"] : [],
    ...steps.flatMap(({ about, apply }) => [
      `\n-- ${about}`,
      ...apply.map((statement) => `${statement}${delimiter}`),
    ]),
    '\n-- The undo; "event-export connect undo" runs it.',
    ...steps.toReversed().flatMap(({ undo }) =>
      undo.map((statement) => `-- ${statement}${delimiter}`)
    ),
  ].join("\n")
}

/** Returns a hash of all tables and triggers but ours. */
async function readFingerprint(source: Source): Promise<string> {
  return await source.snapshot(async (reader) => {
    const tables = await readSchema(source.name, reader)
    const triggers = await allRows(reader, selectTriggers[source.name])
    const names = triggers.map(([name]) => ({ name: plainText(name) }))
    const foreign = [...tables, ...names].filter(({ name }) => !name.startsWith("event_export_"))
    return hash("sha256", JSON.stringify(foreign.map((each) => JSON.stringify(each)).toSorted()))
  })
}
