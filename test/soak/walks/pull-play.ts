// Tortures the client for partners: node test/soak/walks/pull-play.ts [--kills 200] [--seed 1] [--program "deno run -A plugins/documents/pull/pull.ts"]
//
// Kills it at random moments while a proxy breaks a quarter of the responses and a writer changes the records, on
// the embedded database or on the MySQL server of TEST_MYSQL_URL. At the end, its copies must equal the tables.
import process from "node:process"
import { parseArgs } from "node:util"
import { openStage } from "../../support/pull/stage.ts"
import { lag, torture } from "./pull-torture.ts"

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    seed: { type: "string", default: String(Date.now() % 100_000) },
    program: { type: "string" },
  },
})
const seed = Number(values.seed)
const ends: (() => unknown)[] = []
const engine = process.env["TEST_MYSQL_URL"] ? "mysql" : "sqlite"
const started = performance.now()
try {
  console.log(`seed ${seed}, ${engine}`)
  const stage = await openStage({ teardown: (end) => ends.unshift(end) }, engine, lag)
  const program = values.program?.split(" ")
  const result = await torture({ ...stage, engine, seed, kills: Number(values.kills), program })
  const list = (counts: ReadonlyMap<string, number>) =>
    [...counts].map(([name, count]) => `${count} × ${name}`).join(", ")
  const { outcomes, faults, requests, changes, compared, leaks, differences } = result
  console.log(`runs: ${list(outcomes)}`)
  console.log(`${requests} requests, of which broken: ${list(faults)}`)
  console.log(`${changes} changes; ${compared} records compared, ${differences.length} differ`)
  console.log(`${leaks} credentials sent elsewhere; ${Math.round(performance.now() - started)} ms`)
  for (const difference of differences.slice(0, 20)) console.log(difference)
  if (differences.length > 0 || leaks > 0) process.exitCode = 1
} finally {
  for (const end of ends) await end()
}
