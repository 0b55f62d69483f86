// Compares the ledger of disclosures with what partners got: node test/soak/walks/disclosures/play.ts [walks] [seed]
//
// Random walks on the embedded database, or on the MySQL server of TEST_MYSQL_URL. Prints how many guests the
// ledger names beyond those that partners got. Ends with the seed of the trial in which it names too few.
import process from "node:process"
import { textTable } from "../../../../core/cli/context.ts"
import { freshUrl } from "../../../support/database.ts"
import { openOracle, type Tally } from "./oracle.ts"

const [walks = 10_000, seed] = process.argv.slice(2).map(Number)
const ends: (() => unknown)[] = []
const engine = process.env["TEST_MYSQL_URL"] ? "mysql" : "sqlite"
const url = await freshUrl({ teardown: (end) => ends.push(end) }, engine)
const oracle = await openOracle(engine, url)
const tallies = new Map<string, Tally>()
const played = () => [...tallies.values()].reduce((sum, { walks }) => sum + walks, 0)
for (let trial = seed ?? 1; played() < walks; trial++) {
  try {
    await oracle.play(trial, tallies)
  } catch (error) {
    console.log(
      `Trial ${trial}, which node test/soak/walks/disclosures/play.ts 1 ${trial} repeats:`,
    )
    throw error
  }
}
console.log(`${played()} walks`)
console.log(textTable([
  ["PARTNER", "WALKS", "GUESTS", "RECEIVED", "NAMED BEYOND", "CERTAIN OF THEM"],
  ...[...tallies].toSorted().map(([name, tally]) => [
    name,
    ...[tally.walks, tally.possible, tally.received, tally.more, tally.wronglyCertain].map(String),
  ]),
]))
await oracle.close()
for (const end of ends) await end()
