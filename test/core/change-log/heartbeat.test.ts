import t from "tap"
import {
  assertReached,
  heartbeatColumns,
  heartbeatOf,
  readHeartbeatTime,
} from "../../../core/change-log/heartbeat.ts"
import { freshDatabase, withoutMysql } from "../../support/database.ts"

t.test("on MySQL", { skip: withoutMysql }, async (t) => {
  const database = await freshDatabase(t, "mysql")
  const { writer, dialect } = database
  const set = (clock: number, watermark: number | null) =>
    writer.updateTable("change_state").set({ clock, watermark, floor: 90 }).execute()
  const read = async () => {
    const columns = heartbeatColumns(dialect)
    return heartbeatOf(await writer.selectNoFrom(columns).executeTakeFirstOrThrow())
  }

  await t.test("heartbeatOf says how far a server is, and when the clock was set back", async (t) => {
    await set(120, 110)
    t.strictSame(await read(), {
      ...{ at: 120, watermark: 110, floor: 90, isReadOnly: false, steps: [] },
    })
    await writer.insertInto("clock_step").values({ reached: 80, back_to: 70 }).execute()
    t.match(await read(), { steps: [{ reached: 80, backTo: 70 }] })
    t.equal(await readHeartbeatTime(database), 120)
  })

  await t.test("readHeartbeatTime returns nothing while a step is noted, and before there is a watermark", async (t) => {
    await set(0, 110)
    t.equal(await readHeartbeatTime(database), undefined)
    await set(120, null)
    t.equal(await readHeartbeatTime(database), undefined)
    await t.rejects(read(), { message: /has no heartbeat yet/ })
  })
})

t.test("assertReached lets a walk go on where all is known, and around a step only on the primary", (t) => {
  const beat = { at: 120, floor: null, isReadOnly: false, steps: [{ reached: 200, backTo: 100 }] }
  const cases = [
    [150, 150, false, true],
    [150, 149, false, true],
    [150, 151, false, false],
    [150, 151, true, true],
    [150, 201, true, false],
    [90, 99, true, false],
  ] as const
  for (const [watermark, needed, isPrimary, isReached] of cases) {
    const assert = () => assertReached({ ...beat, watermark }, needed, isPrimary)
    const name = `${needed} of ${watermark}, ${isPrimary}`
    if (isReached) t.doesNotThrow(assert, name)
    else t.throws(assert, { message: /the walk needs/ }, name)
  }
  t.end()
})
