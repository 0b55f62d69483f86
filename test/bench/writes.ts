// Compares how fast a platform writes with the triggers and without: node test/bench/writes.ts, or
// node test/bench/writes.ts --rounds 5 --against ../before --also triggers.sql. Try --help for more.
import process from "node:process"
import { Command, InvalidArgumentError } from "commander"
import { textTable } from "../../core/cli/context.ts"
import { openBenchMysql } from "./mysql.ts"
import { median } from "./statistics.ts"
import { inTurns } from "./turns.ts"
import { type Load, loads } from "./writes/loads.ts"
import { openSchemas, type Schema } from "./writes/schemas.ts"

interface Flags {
  readonly load?: readonly string[]
  readonly rounds: number
  readonly seconds: number
  readonly against?: string
  readonly also?: readonly string[]
}

const flags = new Command("node test/bench/writes.ts")
  .description(
    "Compares writers on tables without triggers and with them. Prints rows per second (medians), the " +
      "ratio to those without triggers, and deadlocks.",
  )
  .option("--load <text>", "measure only loads whose name contains this; may be repeated", collect)
  .option("--rounds <number>", "turns per schema", wholeNumber, 3)
  .option("--seconds <number>", "seconds per turn", wholeNumber, 2)
  .option("--against <folder>", "measure the triggers of another checkout as well")
  .option(
    "--also <file>",
    "measure the triggers after these statements as well; may be repeated",
    collect,
  )
  .parse()
  .opts<Flags>()

function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new InvalidArgumentError("It must be a whole number above 0.")
}

/** Lets each schema take its turns at a load, and returns a line of the report. */
async function compare(load: Load, schemas: readonly Schema[]): Promise<string[]> {
  const results = await inTurns(schemas, flags.rounds, (schema) => load.run(schema, flags.seconds))
  const [base = []] = results.values()
  return [
    load.name,
    ...[...results.values()].map((rounds) => {
      const ratios = rounds.map(({ rate }, round) => rate / (base[round]?.rate ?? NaN))
      const deadlocks = rounds.reduce((sum, each) => sum + each.deadlocks, 0)
      const ratio = rounds === base ? "" : ` (${median(ratios).toFixed(2)})`
      const rate = Math.round(median(rounds.map(({ rate }) => rate))).toLocaleString("en")
      return `${rate}${ratio}${deadlocks > 0 ? `, ${deadlocks} deadlocks` : ""}`
    }),
  ]
}

const mysql = await openBenchMysql(new AbortController().signal)
const { schemas, close } = await openSchemas(mysql.url, flags)
try {
  const chosen = loads.filter(({ name }) =>
    !flags.load || flags.load.some((text) => name.includes(text))
  )
  const rows = []
  for (const load of chosen) {
    rows.push(await compare(load, schemas))
    console.log(`writes: ${rows.at(-1)?.join(" | ")}`)
  }
  console.log(textTable([["ROWS/S", ...schemas.map(({ name }) => name.toUpperCase())], ...rows]))
} finally {
  await close()
  await mysql.stop()
}
process.exit()
