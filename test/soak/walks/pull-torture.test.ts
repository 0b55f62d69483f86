// Kills the client for partners at random moments while a proxy breaks a quarter of the responses and a writer changes the
// records. At the end, its copies must equal the tables: make torture KILLS=200 SEED=7 PROGRAM="deno run -A plugins/documents/pull/pull.ts"
import process from "node:process"
import t from "tap"
import { onEmbedded } from "../../support/database.ts"
import { openStage } from "../../support/pull/stage.ts"
import { seed } from "../support/chosen.ts"
import { torture } from "./pull-torture.ts"

const kills = Number(process.env["KILLS"] ?? 10)
const program = process.env["PROGRAM"]?.split(" ")

t.setTimeout(60 * 60_000)
await onEmbedded(t, async (t, engine) => {
  await t.test(`copies equal the tables after kills and broken responses, SEED=${seed}`, async (t) => {
    const stage = await openStage(t, engine)
    const result = await torture({ ...stage, seed, kills, program })
    const counts = [...result.outcomes, ...result.faults].map(([name, count]) =>
      `${count} × ${name}`
    )
    t.comment(`${result.requests} requests, ${result.changes} changes; ${counts.join(", ")}`)
    t.strictSame(result.differences, [])
    t.equal(result.leaks, 0, "no credentials went to another host")
    t.ok(result.compared > 500, "hundreds of records were compared")
    t.ok(result.changes > 20, "the writer wrote")
    t.ok(result.faults.size > 5, "responses were broken in several ways")
  })
})
