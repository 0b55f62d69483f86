// Plays the interleavings of a writer and a walk on MySQL: node test/soak/interleavings/play.ts [options]
//
// --design "oldest first"      the design to play; by default the one of this service
// --index 1234                 plays only this interleaving, and prints it as a table
// --list                       prints the designs
//
// Uses the server of TEST_MYSQL_URL, or starts one as make test does. Without --index, plays all of them in the order of
// their indexes, and prints the first that fails. Exits with 1 if an interleaving fails, with 2 for options that cannot be
// used.
import process from "node:process"
import { parseArgs } from "node:util"
import { playOnMysql } from "./command.ts"
import { mysqlDesigns } from "./designs.ts"

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      design: { type: "string" },
      index: { type: "string" },
      list: { type: "boolean" },
    },
  })
  if (values.list) {
    console.log(Object.keys(mysqlDesigns).join("\n"))
    return 0
  }
  const index = values.index === undefined ? undefined : Number(values.index)
  return await playOnMysql({ design: values.design, index })
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
