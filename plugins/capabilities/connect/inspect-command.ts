import { existsSync, writeFileSync } from "node:fs"
import { Command } from "commander"
import { UserError } from "../../../core/capability.ts"
import type { Terminal } from "../../../core/commands.ts"
import { inspect, writeMapping } from "./inspect.ts"
import { openSource, readUrl } from "./sources/open.ts"

/** `connect inspect`: writes the first mapping of a source. */
export function inspectCommand(terminal: Terminal): Command {
  return new Command("inspect")
    .description("read the tables of a source, and write a first mapping; changes nothing there")
    .argument("<url>", "the file with the URL of the source, or sqlite:PATH")
    .option("--output <file>", "the mapping to write", "platform.yaml")
    .action(async (where: string, { output }: { readonly output: string }) => {
      if (existsSync(output)) throw new UserError(`${output} exists already. Nothing was written.`)
      const url = readUrl(where)
      const source = await openSource(url)
      const found = await inspect(source).finally(() => source.close())
      if (found.proposals.length === 0) {
        throw new UserError(
          `None of ${found.tables} tables looks like one of events or guests. Nothing was written.`,
        )
      }
      const text = writeMapping(found, url.startsWith("sqlite:") ? url : { file: where })
      writeFileSync(output, text, { flag: "wx" })
      const kinds = found.proposals.map(({ kind }) => kind).join(", ")
      terminal.print(
        `Wrote ${output}, with SELECTs for ${kinds}. Read it, and run "event-export connect preview".`,
      )
    })
}
