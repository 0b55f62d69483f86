import t from "tap"
import type { SyncRow } from "../../../../plugins/capabilities/partners/definitions.ts"
import { lowerTimes } from "../../../../plugins/capabilities/partners/lower-times.ts"
import { onEmbedded } from "../../../support/database.ts"
import { withinOneSecond } from "../../../support/one-second.ts"
import { setPartnerStage } from "../../../support/partner-stage.ts"

const { signal } = new AbortController()

await onEmbedded(t, async (t, engine) => {
  const { database, writer, addPartner, addLists, removePartners } = await setPartnerStage(
    t,
    engine,
  )

  /** Returns what becomes of a list, in seconds from now, while a step of the clock is known. */
  const lowered = (step: { reached: number; back_to: number }, own: Partial<SyncRow>) =>
    withinOneSecond(database, async (now) => {
      const shift = (values: object) =>
        Object.fromEntries(Object.entries(values).map(([name, after]) => [name, now + after]))
      const id = await addPartner("ann", [])
      await addLists(id, shift(own))
      await writer.deleteFrom("clock_step").execute()
      await writer.insertInto("clock_step").values({
        reached: now + step.reached,
        back_to: now + step.back_to,
      }).execute()
      await lowerTimes(writer, database.dialect, signal)
      const row = await writer.selectFrom("sync_state").selectAll().executeTakeFirstOrThrow()
      await removePartners(id)
      const found = Object.keys(own).map((name) => [name, Number(row[name as keyof SyncRow]) - now])
      return Object.fromEntries(found)
    })

  await t.test("lowerTimes takes times of the future for now, and what is covered to where the clock was set back to", async (t) => {
    const step = { reached: 100, back_to: -50 }
    const times = { last_poll: 90, walk_started: 80, previous_started: -5, walk_completed: 0 }
    const covered = { completed_next: 70, sent_until: 95, acknowledged: 60 }
    t.strictSame(await lowered(step, { ...times, ...covered }), {
      ...{ last_poll: 0, walk_started: 0, previous_started: -5, walk_completed: 0 },
      ...{ completed_next: -50, sent_until: -50, acknowledged: 0 },
    })
  })

  await t.test("lowerTimes covers nothing of the future if the clock was set back to a later time", async (t) => {
    const step = { reached: 100, back_to: 50 }
    t.strictSame(await lowered(step, { last_poll: -10, completed_next: 70, sent_until: -3 }), {
      ...{ last_poll: -10, completed_next: 0, sent_until: -3 },
    })
  })

  await t.test("lowerTimes leaves times while no step of the clock has to be reached", async (t) => {
    const times = { last_poll: 90, completed_next: 70 }
    t.strictSame(await lowered({ reached: 0, back_to: -50 }, times), times)
  })
})
