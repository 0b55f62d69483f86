import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import mysql from "mysql2/promise"
import t, { type Test } from "tap"
import { ChangeLog } from "../../../core/change-log/change-log.ts"
import { type ClockStep, sinceBefore } from "../../../core/change-log/clock-steps.ts"
import { CommittedFloors } from "../../../plugins/capabilities/servers/floors.ts"
import { type FormerLook, noteSplit } from "../../../plugins/capabilities/servers/former-looks.ts"
import { foldEvent } from "../../../core/change-log/versions.ts"
import { clockMargin } from "../../../core/change-log/clock-steps.ts"
import { findWatermark } from "../../../core/change-log/watermark.ts"
import { Builder } from "../../support/builder.ts"
import { freshUrl, withoutMysql } from "../../support/database.ts"
import { blockedOf } from "../../support/mysql/processes.ts"
import { openClocked } from "../../support/polling/clocked.ts"
import { scannedLog } from "../../support/scanned-log.ts"

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

await t.test("on MySQL", { skip: withoutMysql }, async (t) => {
  const url = await freshUrl(t, "mysql")
  const world = await openClocked("mysql", url)
  t.teardown(() => world.close())
  const { clock, database } = world
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  const guest = await build.guest(event)
  clock.now = Math.floor(Date.now() / 1000)

  /** Opens a connection of the platform, which reads the clock of the test. */
  const connect = async (t: Test) => {
    const connection = await mysql.createConnection(url)
    t.teardown(() => connection.end())
    return async (statement: string, values: unknown[] = []) => {
      await connection.query(`set @clock = ${clock.now}`)
      await connection.query(statement, values)
    }
  }
  /** Resolves when so many statements wait for locks in this database. */
  const untilBlocked = async (statements: number) => {
    const isBlocked = async () => (await blockedOf(database.writer, url)).length >= statements
    while (!await isBlocked()) await setTimeout(150)
  }
  const change = (run: Awaited<ReturnType<typeof connect>>, id = guest) =>
    run("update guest set mobile = left(uuid(), 30) where event_id = ? and id = ?", [event, id])
  const state = () =>
    database.writer.selectFrom("change_state").selectAll().executeTakeFirstOrThrow()
  const top = async () => {
    const { seq } = await database.writer.selectFrom("event_change")
      .select((eb) => eb.fn.max("seq").as("seq")).executeTakeFirstOrThrow()
    return seq
  }

  await t.test("a look on another server counts as a clock that was set back, once", async (t) => {
    const { former, steps } = await findWatermark(database)
    t.strictSame([former, steps.length], [undefined, 0])
    const known = clock.now
    await database.writer.updateTable("change_state").set({ server: "another" }).execute()
    // Its clock is behind, and shows nothing that could tell.
    clock.now -= 1
    const look = await findWatermark(database)
    t.match(look, {
      former: known,
      watermark: clock.now - clockMargin,
      steps: [{ reached: known + 60, backTo: clock.now - 60 }],
    })
    t.match(await state(), { clock: clock.now, watermark: clock.now - clockMargin })
    t.match(await findWatermark(database), { former: undefined, steps: look.steps })
    await database.writer.deleteFrom("clock_step").execute()
    clock.now += 2
    await findWatermark(database)
  })

  await t.test("the only server is reported if another one took its place that lacks commits", async (t) => {
    const entries: Record<string, unknown>[] = []
    const log = scannedLog(t, entries)
    const changes = await ChangeLog.open(database, { log, every: 1e9 })
    t.teardown(() => changes.close())
    const lookAfter = async (seconds: number) => {
      entries.length = 0
      const lost = { server: "another", clock: clock.now - seconds }
      await database.writer.updateTable("change_state").set(lost).execute()
      clock.now += 1
      await changes.look()
      return entries
    }
    t.strictSame(await lookAfter(0), [], "it has them all")
    t.match(await lookAfter(5), [{ level: "error", seconds: 5, message: /lacks commits/ }])
    await database.writer.deleteFrom("clock_step").execute()
  })

  await t.test("the floor is a watermark that arrived everywhere, never goes down, and begins again without replicas", async (t) => {
    const floors = {
      staleness: 0,
      floor: undefined as number | undefined,
      added: [] as number[],
      add: (watermark: number) => void floors.added.push(watermark),
      beginAgain: () => void (floors.floor = undefined),
    }
    const floorAfter = async (floor: number | undefined, given: typeof floors | null = floors) => {
      floors.floor = floor
      clock.now += 10
      await findWatermark(database, given)
      return (await state()).floor
    }
    t.equal(await floorAfter(undefined), null)
    const { watermark } = await state()
    t.strictSame(floors.added, [watermark])
    await floorAfter(undefined)
    t.equal((await state()).floor, null)
    const known = Number(watermark)
    // It begins again where a service without replicas has written.
    t.equal(await floorAfter(known), null)
    await database.writer.updateTable("change_state").set({ floor: known }).execute()
    t.equal(await floorAfter(known + 5), known + 5)
    t.equal(await floorAfter(known), known + 5, "it never goes down")
    t.equal(await floorAfter(undefined), known + 5, "a process that has just begun leaves it")
    t.equal(await floorAfter(clock.now + 1000), clock.now - clockMargin, "it is never ahead")
    clock.now += 1
    const { floor } = await state()
    await findWatermark(database)
    t.equal((await state()).floor, floor, "a look of a program leaves it")
    t.equal(await floorAfter(known, null), null, "a service without replicas gives newer ones")
  })

  await t.test("what a process has read on a former primary after the step is taken back, once", async (t) => {
    const { now } = clock
    const step = { reached: now - 100, backTo: now - 300 }
    const [values, known] = [{ reached: step.reached, back_to: step.backTo }, [step]]
    await database.writer.insertInto("clock_step").values(values).execute()
    const lookAfter = async (...former: readonly FormerLook[]) => {
      let split: ClockStep | undefined
      const found = await findWatermark(database, new CommittedFloors(10), async (look, db) => {
        const compared = { ...look, former, staleness: 10 }
        return split = await noteSplit(db, database.dialect, compared)
      })
      const last = found.steps.toSorted((a, b) => a.reached - b.reached).at(-1)
      return { isSplit: split !== undefined, since: sinceBefore(now - 20, found.steps), last }
    }
    const look = (time: number, steps: readonly ClockStep[] = []) => lookAfter({ time, steps })
    t.match(
      await look(now - 110),
      { isSplit: false, last: step, since: now - 20 },
      "the step has it",
    )
    t.match(await look(now - 400), { isSplit: false, last: step }, "it was not asked since")
    t.match(await look(now, known), { isSplit: false, last: step }, "it had the step itself")
    const split = { last: { reached: now + 70, backTo: step.backTo }, since: step.backTo }
    t.match(await look(now), { isSplit: true, ...split })
    t.match(await look(now), { isSplit: false, ...split })
    t.match(await lookAfter(), { isSplit: false })
    await database.writer.deleteFrom("clock_step").execute()
  })

  await t.test("the clock is read once, before anything else", async (t) => {
    // A clock that moves on by a minute at each reading.
    const began = clock.now
    const ticking = Object.create(database, {
      dialect: {
        get: () =>
          Object.create(database.dialect, {
            now: {
              get() {
                clock.now += 60
                return sql.lit(clock.now)
              },
            },
          }),
      },
    })
    t.match(await findWatermark(ticking), { watermark: began + 60 - clockMargin })
    t.equal(clock.now, began + 60)
  })

  await t.test("the watermark stays behind an open change, however long, and then moves on", async (t) => {
    for (const end of ["commit", "rollback"]) {
      const run = await connect(t)
      clock.now += 10
      const began = clock.now
      await run("begin")
      await change(run)
      for (const seconds of [0, 1, 120, 4000]) {
        clock.now = began + seconds
        t.match(await findWatermark(database), {
          watermark: began - clockMargin,
          oldestOpen: seconds,
        })
      }
      await run(end)
      t.match(await findWatermark(database), { watermark: clock.now - clockMargin, oldestOpen: 0 })
    }
  })

  await t.test("the oldest of several open changes counts, however far apart their numbers are", async (t) => {
    const [early, late, one, other] = [
      await connect(t),
      await connect(t),
      await connect(t),
      await connect(t),
    ]
    const settled = await settleAll()
    const began = clock.now
    const log = (run: typeof early, number: number, at: number) =>
      run("insert into event_change (seq, event_id, at, mark) values (?, ?, ?, 7)", [
        ...[settled + number, event, at],
      ])
    clock.now += 60
    for (const run of [late, one, other]) await run("begin")
    // Among committed ones that are older than all of them.
    await log(early, 400, began + 5)
    await log(late, 500, began + 30)
    await log(one, 1600, began + 10)
    await log(other, 2700, began + 20)
    for (const [run, age] of [[one, 10], [other, 20], [late, 30]] as const) {
      t.match(await findWatermark(database), { watermark: began + age - clockMargin })
      await run("rollback")
    }
    t.match(await findWatermark(database), { watermark: clock.now - clockMargin })
  })

  await t.test("an insert that waits for a duplicate key is open while it waits", async (t) => {
    const [first, second] = [await connect(t), await connect(t)]
    const id = crypto.randomUUID()
    const insert = `insert into guest
      (event_id, id, first_name, last_name, email, mobile, external_id, sms_opt_in, updated)
      values ('${event}', '${id}', '', '', '', '', '', 0, ${clock.now + 5})`
    clock.now += 10
    await first("begin")
    await first(insert)
    clock.now += 10
    const stamped = clock.now
    const waiting = second(insert.replace(/\d+\)$/, `${stamped})`))
    await untilBlocked(1)
    await first("rollback")
    await waiting
    t.equal(await stampOf(id), stamped)

    // The same, but looked at while it waits.
    await first("begin")
    await first("select * from guest where event_id = ? and id = ? for update", [event, id])
    clock.now += 10
    const began = clock.now
    const deleting = second("delete from guest where event_id = ? and id = ?", [event, id])
    await untilBlocked(1)
    const third = await connect(t)
    const inserting = third(insert.replace(/\d+\)$/, `${began})`)).catch(() => {})
    await untilBlocked(2)
    clock.now += 50
    t.match(await findWatermark(database), { watermark: began - clockMargin })
    await first("commit")
    await deleting
    await inserting
    t.match(await findWatermark(database), { watermark: clock.now - clockMargin })
  })

  await t.test("a number whose row waits for a lock is not settled", async (t) => {
    const [archive, waiter] = [await connect(t), await connect(t)]
    const before = await settleAll()
    // Locks the end of the log, as an insert … select of an operator does.
    await archive("begin")
    await archive("select * from event_change where seq > ? for update", [before])
    clock.now += 10
    const waiting = change(waiter)
    await untilBlocked(1)
    clock.now += 10
    t.match(await findWatermark(database), { watermark: clock.now - clockMargin })
    t.equal((await state()).settled, before)
    await archive("commit")
    await waiting
    t.equal(await settleAll(), before + 1)
  })

  await t.test("numbers that are never used do not hold back the watermark, and are settled after two minutes", async (t) => {
    const run = await connect(t)
    const before = await settleAll()
    await run("begin")
    await change(run)
    await run("rollback")
    clock.now += 1
    await change(run)
    t.match(await findWatermark(database), { watermark: clock.now - clockMargin })
    t.equal((await state()).settled, before, "a row could still get the number")
    clock.now += 119
    await findWatermark(database)
    t.equal((await state()).settled, before)
    clock.now += 1
    await findWatermark(database)
    t.equal((await state()).settled, await top())
  })

  await t.test("nothing above an open change is settled", async (t) => {
    const [open, other] = [await connect(t), await connect(t)]
    const second = await build.guest(event)
    const before = await settleAll()
    await open("begin")
    await change(open)
    await change(other, second)
    clock.now += 300
    await findWatermark(database)
    t.equal((await state()).settled, before)
    await open("commit")
    t.equal(await settleAll(), before + 2)
  })

  await t.test("a clock that was set back is remembered, also if nobody looked meanwhile", async (t) => {
    const run = await connect(t)
    clock.now += 300
    await findWatermark(database)
    // Statements that waited above have the time at which they began, on the clock of the test.
    await database.writer.deleteFrom("clock_step").execute()
    const reached = clock.now
    clock.now -= 100
    await change(run)
    const changed = clock.now
    clock.now = reached + 50
    const { steps } = await findWatermark(database)
    t.match(steps, [{ reached, backTo: changed - clockMargin }])

    clock.now -= 30
    const { steps: more, watermark } = await findWatermark(database)
    t.match(more, [{ reached }, { reached: reached + 50, backTo: clock.now - clockMargin }])
    t.equal(watermark, clock.now - clockMargin)
    t.equal((await findWatermark(database)).steps.length, 2, "each step is remembered once")
    clock.now -= 2
    t.equal((await findWatermark(database)).steps.length, 2, "the margin covers small steps")
    await database.writer.deleteFrom("clock_step").execute()
    clock.now += 1000
  })

  await t.test("a step that is not committed is not believed: it may be rolled back", async (t) => {
    const run = await connect(t)
    await run("begin")
    await run("insert into clock_step (reached, back_to) values (?, 1)", [clock.now])
    t.strictSame((await findWatermark(database)).steps, [])
    await run("commit")
    t.strictSame((await findWatermark(database)).steps, [{ reached: clock.now, backTo: 1 }])
    await database.writer.deleteFrom("clock_step").execute()
  })

  await t.test("a look begins again if another one has written an earlier time, so that no step is missed", async (t) => {
    const run = await connect(t)
    await findWatermark(database)
    const known = clock.now
    /** Begins a look, which stops once it has read the clock. */
    const begin = async () => {
      const { promise: hasRead, resolve: onRead } = Promise.withResolvers<void>()
      const { promise: released, resolve: goOn } = Promise.withResolvers<void>()
      // The background has only one connection.
      const background = database.writer.withPlugin({
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          onRead()
          await released
          return result
        },
      })
      const look = findWatermark(Object.create(database, { background: { value: background } }))
      await hasRead
      return () => {
        goOn()
        return look
      }
    }
    clock.now = known + 10
    const first = await begin()
    clock.now = known + 11
    const second = await begin()
    clock.now = known
    t.match(await first(), { watermark: known + 10 - clockMargin, steps: [] })
    await change(run)
    const step = { reached: known + 10, backTo: known - clockMargin }
    t.match(await second(), { steps: [step] })
    await database.writer.deleteFrom("clock_step").execute()
  })

  await t.test("a log whose numbers begin again gives every event a new version, and hides no open change", async (t) => {
    const run = await connect(t)
    await settleAll()
    await foldEvent(database, event)
    const versionOf = () =>
      database.writer.selectFrom("event_version").selectAll().where("event_id", "=", event)
        .executeTakeFirstOrThrow()
    const before = await versionOf()
    t.ok(before.seq > 0)
    await sql`truncate table event_change`.execute(database.writer)
    await findWatermark(database)
    t.equal((await versionOf()).mark, before.mark, "an empty log may have been pruned")
    clock.now += 10
    const began = clock.now
    await run("begin")
    await change(run)
    clock.now += 50
    t.match(await findWatermark(database), { watermark: began - clockMargin })
    t.match(await versionOf(), { seq: 0 })
    t.not((await versionOf()).mark, before.mark)
    await run("commit")
    await settleAll()
  })

  await t.test("more changes than one statement reads are looked through", async (t) => {
    const [run, edge, late] = [await connect(t), await connect(t), await connect(t)]
    const second = await build.guest(event)
    const settled = await settleAll()
    await run("begin")
    clock.now += 10
    const began = clock.now
    await change(run)
    // Numbers count, not rows: so that it is quick, most of them have none.
    await sql`insert into event_change (seq, event_id, at, mark)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 600)
      select ${sql.lit(settled)} + 500 * n, ${event}, ${began}, n from numbers where n <> 400`
      .execute(database.writer)
    await edge("begin")
    clock.now += 50
    // The last number that the first statement reads.
    await edge("insert into event_change (seq, event_id, at, mark) values (?, ?, ?, 7)", [
      ...[settled + 200_000, event, clock.now],
    ])
    clock.now += 50
    const later = clock.now
    await late("begin")
    await change(late, second)
    clock.now += 200
    t.match(await findWatermark(database), { watermark: began - clockMargin, oldestOpen: 300 })
    await run("commit")
    t.match(await findWatermark(database), { watermark: later - 50 - clockMargin, oldestOpen: 250 })
    await edge("rollback")
    t.match(await findWatermark(database), { watermark: later - clockMargin, oldestOpen: 200 })
    await late("commit")
    t.match(await findWatermark(database), { watermark: clock.now - clockMargin })
    await settleAll()
  })

  await t.test("a look that fails leaves the watermark where it was", async (t) => {
    const changes = await ChangeLog.open(database, { log: silent, every: 1e9 })
    const { watermark } = changes
    clock.now += 100
    await sql`rename table change_state to away`.execute(database.writer)
    await t.rejects(changes.look(), /change_state/)
    t.equal(changes.watermark, watermark)
    await sql`rename table away to change_state`.execute(database.writer)
    await changes.look()
    t.equal(changes.watermark, clock.now - clockMargin)
    await changes.close()
  })

  await t.test("Next-Since follows within a second by itself", async (t) => {
    const changes = await ChangeLog.open(database, { log: silent, every: 20 })
    clock.now += 100
    while (changes.watermark !== clock.now - clockMargin) await setTimeout(10)
    t.type(changes.numbers.age, "number")
    await changes.close()
  })

  /** Lets so much time pass that everything is settled. Returns the last number. */
  async function settleAll(): Promise<number> {
    clock.now += 300
    await findWatermark(database)
    const { settled } = await state()
    t.equal(settled, await top())
    return settled
  }

  async function stampOf(id: string): Promise<number> {
    const row = await database.writer.selectFrom("guest").select("updated").where("id", "=", id)
      .executeTakeFirstOrThrow()
    return row.updated
  }
})
