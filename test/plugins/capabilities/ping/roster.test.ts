import t from "tap"
import { Roster } from "../../../../plugins/capabilities/ping/roster.ts"
import { onEmbedded } from "../../../support/database.ts"
import { openStage } from "../../../support/ping/stage.ts"

await onEmbedded(t, async (t, engine) => {
  const stage = await openStage(t, engine)
  const { database } = stage
  await stage.receive()
  const sending = stage.open()
  await sending.run()
  const { owner } = await database.writer.selectFrom("ping_sender").select("owner")
    .executeTakeFirstOrThrow()
  const attempts = async () =>
    (await database.writer.selectFrom("ping_receiver").select("attempts").execute())
      .map((row) => Number(row.attempts))
  const moment = { now: 0, time: 0, settled: undefined }

  /** Lets a process with this name note an attempt. */
  const note = async (name: string) => {
    const roster = new Roster(database, name)
    await roster.refresh(() => moment, undefined)
    for (const receiver of roster.all) receiver.progress = { ...receiver.progress, attempts: 3 }
    await roster.write(undefined)
  }

  await t.test("write changes nothing once another process has the lease", async (t) => {
    const before = await attempts()
    t.strictSame(before, [0])
    await note("another")
    t.strictSame(await attempts(), before)
    await note(owner)
    t.strictSame(await attempts(), [3])
  })
})
