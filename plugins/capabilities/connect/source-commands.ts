import { existsSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { Command } from "commander"
import { type Database, sha256, UserError } from "../../../core/capability.ts"
import { readPrivateFile, type Terminal, withDatabase } from "../../../core/commands.ts"
import { planOf, queue, selectTriggers, type Step, watchedTables } from "./keys.ts"
import { inspect, writeMapping } from "./inspect.ts"
import type { Mapping } from "./mapping.ts"
import { mappingOf } from "./mapping-of.ts"
import { readSchema } from "./schema.ts"
import { openSource } from "./sources/open.ts"
import { allRows, type Source } from "./sources/source.ts"
import { readState } from "./state.ts"
import { plainText } from "./values.ts"

/** `connect inspect`: writes the first mapping of a source. */
export function inspectCommand(terminal: Terminal): Command {
  return new Command("inspect")
    .description("read the tables of a source, and write a first mapping; changes nothing there")
    .argument("<url>", "the file with the URL of the source, or sqlite:PATH")
    .option("--output <file>", "the mapping to write", "platform.yaml")
    .action(async (where: string, { output }: { readonly output: string }) => {
      if (existsSync(output)) throw new UserError(`${output} exists already. Nothing was written.`)
      const url = urlOf(where)
      const source = await openSource(url)
      const found = await inspect(source)
      if (found.proposals.length === 0) {
        throw new UserError(
          `None of ${found.tables} tables looks like one of events or guests. Nothing was written.`,
        )
      }
      writeFileSync(
        output,
        writeMapping(found, { url, file: where.startsWith("sqlite:") ? undefined : where }),
        { flag: "wx" },
      )
      const kinds = found.proposals.map(({ kind }) => kind).join(", ")
      terminal.print(
        `Wrote ${output}, with SELECTs for ${kinds}. Read it, and run "event-export connect preview".`,
      )
    })
}

/** `connect plan`: prints what makes the source tell what changes. */
export function planCommand(terminal: Terminal): Command {
  return new Command("plan")
    .description("print the SQL of triggers that tell which records change, and its undo")
    .action(async () => {
      await withSource(terminal, async ({ source, mapping }) => {
        const sizes = await sizesOf(source, watchedTables(mapping).map(({ table }) => table))
        const steps = planOf(source.name, watchedTables(mapping))
        terminal.print(describePlan(steps, sizes, source))
      })
    })
}

/** `connect apply`: runs it. */
export function applyCommand(terminal: Terminal): Command {
  return new Command("apply")
    .description(
      "make the triggers in the source, each after waiting two seconds for its table at most",
    )
    .option(
      "--as <file>",
      "the file with a URL whose user may make triggers (default: that of the mapping)",
    )
    .action(async ({ as }: { readonly as?: string }) => {
      await withSource(terminal, async ({ database, source, mapping }) => {
        const owner = as === undefined ? source : await openSource(urlOf(as))
        const state = await readState(database)
        if (!state) {
          throw new UserError(
            'Take records over first: "event-export connect run". Nothing was changed.',
          )
        }
        const before = await fingerprintOf(owner)
        const steps = planOf(owner.name, watchedTables(mapping))
        for (const { about, apply, undo } of steps) {
          try {
            await owner.change([
              ...undo.filter((statement) => !statement.includes("drop table")),
              ...apply,
            ])
          } catch (error) {
            throw new UserError(
              `Cannot make ${about}: ${
                (error as Error).message
              }. Run it again later, or "event-export connect undo".`,
            )
          }
          terminal.print(`Made ${about}.`)
        }
        if (state.source_schema === "") await noteSchema(database, before)
        terminal.print(
          "From the next minute on, a change is taken over a second after it. Each night, all is compared.",
        )
      })
    })
}

/** `connect undo`: takes it away. */
export function undoCommand(terminal: Terminal): Command {
  return new Command("undo")
    .description("take the triggers and the queue out of the source again")
    .option(
      "--as <file>",
      "the file with a URL whose user may drop triggers (default: that of the mapping)",
    )
    .action(async ({ as }: { readonly as?: string }) => {
      await withSource(terminal, async ({ database, source, mapping }) => {
        const owner = as === undefined ? source : await openSource(urlOf(as))
        for (const { undo } of planOf(owner.name, watchedTables(mapping)).toReversed()) {
          await owner.change(undo)
        }
        const state = await readState(database)
        const isSame = state?.source_schema === await fingerprintOf(owner)
        await noteSchema(database, "")
        terminal.print(
          isSame
            ? "The tables and triggers of the source are as they were before."
            : "The triggers and the queue are gone. Something else has changed in the source since they were made.",
        )
      })
    })
}

async function withSource(
  terminal: Terminal,
  work: (
    parts: { readonly database: Database; readonly source: Source; readonly mapping: Mapping },
  ) => Promise<void>,
): Promise<void> {
  await withDatabase(terminal, async (database, config) => {
    const mapping = mappingOf(config, terminal)
    await work({ database, source: await openSource(mapping.url), mapping })
  })
}

/** Returns the URL in a file; one of SQLite may stand on the command line. */
function urlOf(where: string): string {
  if (where.startsWith("sqlite:")) return `sqlite:${resolve(where.slice("sqlite:".length))}`
  if (where.includes("://")) {
    throw new UserError(
      "Write the URL into a file that only you may read, and name that: others see command lines.",
    )
  }
  return readPrivateFile(resolve(where)).trim()
}

function describePlan(
  steps: readonly Step[],
  sizes: ReadonlyMap<string, number>,
  source: Source,
): string {
  const delimiter = source.name === "mysql" ? "//" : ";"
  const block = (statements: readonly string[]) =>
    statements.map((statement) => `${statement}${delimiter}`).join("\n")
  const head = [
    `-- Makes ${source.name} tell which records change. "event-export connect apply" runs it.`,
    `-- A trigger notes one key in ${queue}. If that fails, the statement of the platform goes on.`,
    "-- Making a trigger waits until no transaction uses its table, for two seconds at most; it takes milliseconds then.",
    "-- Needs the right to make triggers and a table; the user of the mapping needs SELECT and DELETE on the queue.",
    ...[...sizes].map(([table, rows]) => `-- ${table} has ${rows} rows.`),
    ...source.name === "mysql" ? ["delimiter //"] : [],
  ]
  const undo = steps.toReversed().flatMap(({ undo }) => undo)
  return [
    ...head,
    ...steps.map(({ about, apply }) => `\n-- ${about}\n${block(apply)}`),
    '\n-- The undo; "event-export connect undo" runs it.',
    ...undo.map((statement) => `-- ${statement}${delimiter}`),
  ].join("\n")
}

async function sizesOf(
  source: Source,
  tables: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  return await source.snapshot(async (reader) => {
    const sizes = new Map<string, number>()
    for (const table of tables) {
      const [[count] = []] = await allRows(reader, `select count(*) from ${table}`)
      sizes.set(table, Number(count))
    }
    return sizes
  })
}

/** Returns a text that is another one if a table or a trigger is, but for those of ours. */
async function fingerprintOf(source: Source): Promise<string> {
  return await source.snapshot(async (reader) => {
    const tables = await readSchema(source.name, reader)
    const triggers = (await allRows(reader, selectTriggers[source.name])).map(([name]) =>
      plainText(name)
    )
    const own = (name: string) => name.startsWith("event_export_")
    return sha256(JSON.stringify([
      tables.filter(({ name }) => !own(name)).toSorted((a, b) => a.name < b.name ? -1 : 1),
      triggers.filter((name) => !own(name)).toSorted(),
    ]))
  })
}

async function noteSchema(
  { background }: Pick<Database, "background">,
  source_schema: string,
): Promise<void> {
  await background.updateTable("connect_state").set({ source_schema }).where("id", "=", 1).execute()
}
