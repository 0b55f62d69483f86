import { setTimeout } from "node:timers/promises"
import mysql from "mysql2/promise"
import t, { type Test } from "tap"
import { clockMargin } from "../../../core/change-log/clock-steps.ts"
import { findWatermark } from "../../../core/change-log/watermark.ts"
import { openDatabase } from "../../../core/data/open.ts"
import { Builder, past } from "../../support/builder.ts"
import { copiedUrl, withoutMysql } from "../../support/database.ts"

await t.test("on MySQL", { skip: withoutMysql }, async (t) => {
  const url = await copiedUrl(t, "mysql")
  const database = await openDatabase(url, { connections: 4, timeLimit: 10 })
  t.teardown(() => database.close())
  const build = new Builder(database, { isAlone: true })
  const event = await build.event(await build.organization("acme"))

  const connect = async (t: Test) => {
    const connection = await mysql.createConnection(url)
    t.teardown(() => connection.end())
    return async (statement: string, values: unknown[] = []) => {
      const [rows] = await connection.query(statement, values)
      return rows as Record<string, number>[]
    }
  }
  const stampOf = async (id: string, ofEvent = event) => {
    const row = await database.writer.selectFrom("guest").select("updated")
      .where("event_id", "=", ofEvent).where("id", "=", id).executeTakeFirstOrThrow()
    return row.updated
  }
  const clock = async () => {
    const { now } = await database.writer.selectNoFrom(database.dialect.now.as("now"))
      .executeTakeFirstOrThrow()
    return now
  }

  await t.test("an update that waits for a row is stamped with the time at which it gets it", async (t) => {
    const id = await build.guest(event)
    const [first, second] = [await connect(t), await connect(t)]
    await first("begin")
    await first("select * from guest where event_id = ? and id = ? for update", [event, id])
    const waiting = second("update guest set mobile = '2' where event_id = ? and id = ?", [
      event,
      id,
    ])
    await setTimeout(2500)
    const released = await clock()
    await first("commit")
    await waiting
    t.ok(await stampOf(id) >= released)
  })

  await t.test("a long update stamps each row with the time at which it reaches it", async (t) => {
    const elsewhere = await build.event(await build.organization(crypto.randomUUID()))
    const ids = await build.guests(elsewhere, 3)
    const run = await connect(t)
    await run("update guest set mobile = concat('', sleep(1.1)) where event_id = ?", [elsewhere])
    const stamps = await Promise.all(ids.map((id) => stampOf(id, elsewhere)))
    t.ok(Math.max(...stamps) - Math.min(...stamps) >= 2, "the stamps are seconds apart")
  })

  await t.test("a change whose row of the log waits for a lock is stamped after the looks that missed it", async (t) => {
    const id = await build.guest(event)
    const [archive, writer] = [await connect(t), await connect(t)]
    // Locks the end of the log, as an insert … select of an operator does.
    await archive("begin")
    await archive("select * from event_change for update")
    const waiting = writer("update guest set mobile = '2' where event_id = ? and id = ?", [
      event,
      id,
    ])
    await setTimeout(2500)
    const { watermark } = await findWatermark(database)
    const seen = await clock()
    t.ok(watermark >= seen - clockMargin - 1, "the watermark does not wait")
    await archive("commit")
    await waiting
    t.ok(await stampOf(id) >= seen)
    await writer("begin")
    await archive("begin")
    await archive("select * from event_change for update")
    const deleting = writer("delete from guest where event_id = ? and id = ?", [event, id])
    await setTimeout(2500)
    const later = await clock()
    await archive("commit")
    await deleting
    await writer("commit")
    const { at } = await database.writer.selectFrom("deletion").select("at")
      .where("event_id", "=", event).where("record_id", "=", id).executeTakeFirstOrThrow()
    t.ok(at >= later, "so is a deletion")
  })

  await t.test("a session with a clock in the past, or in another time zone, stamps the real time", async (t) => {
    const before = await clock()
    for (const setting of ["timestamp = 1600000000", "time_zone = '+05:30'"]) {
      const run = await connect(t)
      const changed = await build.guest(event)
      await run(`set ${setting}`)
      await run("update guest set mobile = '2' where event_id = ? and id = ?", [event, changed])
      const inserted = crypto.randomUUID()
      await run(
        `insert into guest (event_id, id, first_name, last_name, email, mobile, external_id, sms_opt_in)
         values (?, ?, '', '', '', '', '', 0)`,
        [event, inserted],
      )
      for (const id of [changed, inserted]) {
        const stamp = await stampOf(id)
        t.ok(stamp >= before && stamp <= before + 60, `${setting}: ${stamp - before}`)
      }
    }
  })

  await t.test("an own stamp in the past is raised to the real time, unless history is loaded", async (t) => {
    const before = await clock()
    const run = await connect(t)
    const insert = async () => {
      const id = crypto.randomUUID()
      await run(
        `insert into guest (event_id, id, first_name, last_name, email, mobile, external_id, sms_opt_in, updated)
         values (?, ?, '', '', '', '', '', 0, ?)`,
        [event, id, past],
      )
      return id
    }
    const update = (id: string, updated: number) =>
      run("update guest set updated = ? where event_id = ? and id = ?", [updated, event, id])

    const id = await insert()
    t.ok(await stampOf(id) >= before, `${await stampOf(id)} >= ${before}`)
    const other = await build.guest(event)
    await update(other, past + 1)
    t.ok(await stampOf(other) >= before)

    await run("set @event_export_history = 1")
    const old = await insert()
    t.equal(await stampOf(old), past)
    await update(old, past + 1)
    t.equal(await stampOf(old), past + 1)
    await run("update guest set mobile = '3' where event_id = ? and id = ?", [event, old])
    t.ok(await stampOf(old) >= before, "a change without an own stamp gets the real time")
  })

  await t.test("that one session loads history does not let the next one set the past", async (t) => {
    for (let attempt = 0; attempt < 100; attempt++) {
      await Promise.all([build.guest(event), build.guest(event)])
      const connection = await mysql.createConnection(url)
      const id = crypto.randomUUID()
      await connection.query(
        `insert into guest (event_id, id, first_name, last_name, email, mobile, external_id, sms_opt_in, updated)
         values (?, ?, '', '', '', '', '', 0, ?)`,
        [event, id, past],
      )
      await connection.end()
      if (await stampOf(id) === past) return t.fail(`attempt ${attempt} was not raised`)
    }
    t.pass("100 sessions")
  })
})
