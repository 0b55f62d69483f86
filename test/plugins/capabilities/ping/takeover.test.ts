import { randomUUID } from "node:crypto"
import { type Compilable, type CompiledQuery, sql } from "kysely"
import t from "tap"
import { pruneChangeLog } from "../../../../core/change-log/prune.ts"
import type { Reader } from "../../../../core/data/database.ts"
import { Unavailable } from "../../../../core/data/unavailable.ts"
import { onEmbedded, onEveryEngine } from "../../../support/database.ts"
import { openStage, type Stage } from "../../../support/ping/stage.ts"

/** Adds so many events to the organization of a stage. Returns their ids. */
async function addEvents({ database: { writer }, event }: Stage, count: number): Promise<string[]> {
  const row = await writer.selectFrom("event").selectAll().where("id", "=", event)
    .executeTakeFirstOrThrow()
  const ids = Array.from({ length: count }, () => randomUUID())
  await writer.insertInto("event").values(ids.map((id) => ({ ...row, id }))).execute()
  return ids
}

await onEveryEngine(t, async (t, engine) => {
  const stage = await openStage(t, engine)
  const { build, database, event, organization } = stage
  const { writer } = database
  t.afterEach(() => stage.clear())

  await t.test("one of two senders sends, and the other goes on when it is killed", async (t) => {
    const receiver = await stage.receive()
    const [one, two] = [stage.open(), stage.open()]
    await one.run()
    await two.run()
    await build.guest(event)
    await one.run()
    await two.run()
    t.strictSame(receiver.read(), [`${event} guests`], "once in all")
    t.strictSame([one.sender.isActive, two.sender.isActive], [true, false])
    await stage.settle()
    await one.run()
    await build.guest(event)
    await build.item("pledges", event)
    // It is never run again.
    await stage.endLease()
    await two.run(10_000)
    t.strictSame(receiver.read().sort(), [`${event} guests`, `${event} items`])
    t.ok(two.sender.isActive)
    await one.run(10_000)
    t.notOk(one.sender.isActive, "who comes back leaves it to the other")
  })

  await t.test("who takes over pings what changed since the note of the one before, and nothing from before", async (t) => {
    const receiver = await stage.receive()
    const one = stage.open()
    await one.run()
    await build.item("pledges", event)
    await one.run()
    t.strictSame(receiver.read(), [`${event} items`])
    await stage.settleAll()
    await one.run(5000)
    t.match(await stage.row(receiver.id), { sent_seq: 0 }, "the note holds for it")
    await build.guest(event)
    await stage.endLease()
    const two = stage.open()
    await two.run()
    t.strictSame(receiver.read(), [`${event} guests`])
    await stage.settleAll()
    await two.run()
    await two.sender.end()
    await stage.open().run()
    t.strictSame(receiver.read(), [], "it has noted that")
  })

  await t.test("what was folded and pruned meanwhile is pinged as a change of any list", async (t) => {
    const receiver = await stage.receive()
    await stage.open().run()
    await build.guest(event)
    await stage.settleAll()
    await writer.updateTable("event_change").set({ at: 1 }).execute()
    await pruneChangeLog(database, 0)
    await stage.endLease()
    await stage.open().run(10_000)
    t.strictSame(receiver.read().sort(), ["events", "guests", "items"].map((l) => `${event} ${l}`))
  })

  await t.test("after the log was emptied or restored, all that an account may read is pinged", async (t) => {
    await build.event(organization)
    const events = await writer.selectFrom("event").select("id")
      .where("organization_id", "=", organization).execute()
    await stage.settleAll()
    const receiver = await stage.receive()
    const one = stage.open()
    await one.run()
    const empty = async () => {
      await sql`delete from event_change`.execute(writer)
      if (engine === "mysql") {
        await writer.updateTable("change_state").set({ settled: 0, top: 0 }).execute()
      } else {
        await sql`delete from sqlite_sequence where name = 'event_change'`.execute(writer)
        await build.guest(event)
        await stage.settle()
      }
    }
    const everything = events.flatMap(({ id }) =>
      ["events", "guests", "items"].map((list) => `${id} ${list}`)
    ).sort()
    await empty()
    await one.run(10_000)
    t.strictSame([...new Set(receiver.read())].sort(), everything)
    await stage.settle()
    await one.run(10_000)
    t.strictSame(receiver.read(), [])
    for (let n = 0; n < 20; n++) await build.guest(event)
    await stage.settleAll()
    await one.run(10_000)
    receiver.read()
    await stage.endLease()
    await empty()
    await stage.open().run(10_000)
    t.strictSame([...new Set(receiver.read())].sort(), everything, "by the next process as well")
    t.ok(((await stage.row(receiver.id))?.sent_seq ?? -1) >= 0)
  })
})

await onEmbedded(t, async (t, engine) => {
  const stage = await openStage(t, engine)
  const { build, database, event } = stage
  t.afterEach(() => stage.clear())

  await t.test("a process that closes lets running requests end, and the next one goes on at once", async (t) => {
    const receiver = await stage.receive()
    const one = stage.open()
    await one.run()
    const answer = Promise.withResolvers<number>()
    receiver.behave = () => answer.promise
    await build.guest(event)
    await one.until(() => receiver.messages.length === 1)
    const ended = one.sender.end()
    const next = stage.open()
    t.equal(await next.step(), 5000, "not before the other has ended")
    answer.resolve(204)
    await ended
    t.match(await stage.row(receiver.id), { last_status: 204 }, "its outcome is written")
    receiver.behave = () => 204
    next.clock += 5000
    await build.item("tickets", event)
    await next.run()
    t.ok(receiver.read().includes(`${event} items`))
  })

  await t.test("a process that closes leaves to the next one what waits", async (t) => {
    const receiver = await stage.receive()
    const one = stage.open()
    await one.run()
    await build.guest(event)
    await one.until(() => receiver.read().length === 1)
    await build.guest(event)
    // The next ping of the same list is sent a second after the last.
    await one.until(() => one.sender.numbers.waiting === 1)
    await one.sender.end()
    await stage.open().run(10_000)
    t.strictSame(receiver.read(), [`${event} guests`])
  })

  await t.test("nothing is pinged before all servers that polls are read from have it", async (t) => {
    const receiver = await stage.receive()
    const one = stage.open()
    await one.run()
    one.delay = 3
    await build.guest(event)
    await one.run(2900)
    t.strictSame(receiver.read(), [])
    await one.run(1000)
    t.strictSame(receiver.read(), [`${event} guests`])
    await build.item("tickets", event)
    await stage.endLease()
    const next = stage.open()
    next.delay = 3
    await next.run(2900)
    t.strictSame(receiver.read(), [], "nor by who takes over")
    await next.run(1000)
    t.ok(receiver.read().includes(`${event} items`))
  })

  await t.test("the state of a failing receiver outlives its process", async (t) => {
    const receiver = await stage.receive()
    const one = stage.open()
    await one.run()
    receiver.behave = () => 500
    await build.guest(event)
    await one.until(async () => (await stage.row(receiver.id))?.attempts === 3)
    await stage.settleAll()
    await stage.endLease()
    const before = receiver.messages.length
    const next = stage.open()
    await next.run(30_000)
    t.equal(receiver.messages.length, before, "the pause goes on")
    receiver.behave = () => 204
    await next.run(60_000)
    t.ok(receiver.read().includes(`${event} guests`))
    t.match(await stage.row(receiver.id), { attempts: 0 })
  })

  await t.test("what a receiver that works again has not been told yet outlives the process", async (t) => {
    const receiver = await stage.receive()
    const one = stage.open()
    await one.run()
    receiver.behave = () => 500
    await build.guest(event)
    await build.item("tickets", event)
    await one.until(async () => (await stage.row(receiver.id))?.attempts === 1)
    await build.event(stage.organization)
    await one.run(5000)
    const told = new Set<string>()
    const tell = (list: string) => told.add(list) && 204
    receiver.behave = ({ list }) => told.size === 0 ? tell(list) : new Promise(() => {})
    await one.until(async () => (await stage.row(receiver.id))?.attempts === 0)
    receiver.behave = ({ list }) => tell(list)
    await stage.endLease()
    await stage.open().run(5000)
    t.ok(told.has("guests") && told.has("items"), `${[...told]}`)
    await receiver.close()
  })

  await t.test("a pause is not longer because the clock was set back", async (t) => {
    const receiver = await stage.receive()
    await database.writer.updateTable("ping_receiver")
      .set({ attempts: 2, next_at: 4e9, failing_since: 4e9 }).execute()
    await build.guest(event)
    await stage.open().run(20_000)
    t.strictSame(receiver.read(), [`${event} guests`])
  })

  await t.test("many lists are marked at once, and all of them after the log was emptied", async (t) => {
    await stage.register("partner", "http://127.0.0.1:1/")
    const taken = { status: 204, body: "" }
    const never = Promise.withResolvers<typeof taken>()
    let answer = never.promise
    const told = new Set<string>()
    const post = (_url: string, { body }: { readonly body: string }) => {
      told.add(JSON.parse(body).event)
      return answer
    }
    let common = "11"
    const sending = stage.open({ poster: { post } }, () => common)
    await sending.run()
    const events = await addEvents(stage, 1)
    await sending.until(() => told.size === 1)
    events.push(...await addEvents(stage, 150))
    // With the one that is being sent.
    await sending.until(() => sending.sender.numbers.waiting === 151)
    answer = Promise.resolve(taken)
    never.resolve(taken)
    await sending.until(() => events.every((id) => told.has(id)))
    told.clear()
    common = "10"
    await sending.until(() => events.every((id) => told.has(id)))
    t.ok(told.has(event))
  })

  await t.test("after a table was emptied without a trigger, all that an account may read is pinged", async (t) => {
    await build.account("reader")
    await build.grant("reader", { event })
    const receiver = await stage.receive("reader")
    let common = "11"
    const sending = stage.open({}, () => common)
    await sending.run()
    common = "10"
    await sending.run()
    t.equal(receiver.read().length, 3)
    await sending.run()
    t.equal(receiver.read().length, 0)
  })

  await t.test("what another primary has in place of commits that it lacks is pinged", {
    skip: engine === "mysql" && "MySQL hands out no number again while it runs",
  }, async (t) => {
    const receiver = await stage.receive()
    const sending = stage.open()
    await sending.run()
    const { writer } = database
    const noted = async () =>
      (await writer.selectFrom("ping_sender").select("noted").execute())[0]?.noted
    const before = await noted() ?? NaN
    for (let n = 0; n < 5; n++) await build.guest(event)
    await stage.settle()
    await sending.run(10_000)
    t.ok((await noted() ?? NaN) > before)
    receiver.read()
    // The former numbers are handed out again.
    await writer.deleteFrom("event_change").where("seq", ">", before).execute()
    await sql`update sqlite_sequence set seq = ${before} where name = 'event_change'`.execute(
      writer,
    )
    await writer.updateTable("ping_sender").set({ noted: before }).execute()
    sending.failOver()
    await build.item("tickets", event)
    for (let n = 0; n < 8; n++) await build.guest(event)
    await sending.run()
    t.ok(receiver.read().includes(`${event} items`))
  })

  await t.test("what changed while an account was disabled is pinged when it is enabled", async (t) => {
    const receiver = await stage.receive()
    const sending = stage.open()
    await sending.run()
    const setDisabled = (disabled: number) =>
      database.writer.updateTable("account").set({ disabled }).where("username", "=", "partner")
        .execute()
    await setDisabled(1)
    await sending.run(5000)
    await build.guest(event)
    await sending.run(5000)
    t.strictSame(receiver.read(), [])
    await setDisabled(0)
    await sending.until(() => receiver.read().includes(`${event} guests`))
  })

  await t.test("while the database is away nothing is lost, and nothing is sent", async (t) => {
    const receiver = await stage.receive()
    /** What the text of the statement has that fails next, and how many such come before it. */
    let failing: { readonly word: string; skip: number } | undefined
    const failed = ({ db, run, ...rest }: Reader): Reader => ({
      ...{ ...rest, db },
      run: async (query) => {
        const { compile, query: compiled } = query as Partial<Compilable & { query: CompiledQuery }>
        const text = (compiled ?? compile?.call(query))?.sql ?? ""
        if (failing && text.includes(failing.word) && failing.skip-- === 0) {
          failing = undefined
          throw new Unavailable("gone")
        }
        return await run(query)
      },
    })
    const flaky = new Proxy(database, {
      get(target, name) {
        if (name === "readOnce") {
          return (work: (reader: Reader) => Promise<unknown>) =>
            target.readOnce((reader) => work(failed(reader)))
        }
        const value = Reflect.get(target, name, target)
        return typeof value === "function" ? value.bind(target) : value
      },
    })
    const sending = stage.open({ database: flaky })
    await sending.run()
    for (
      const [word, skip] of [
        ["hasReceivers", 0],
        ["'receiver'", 0],
        ["'receiver'", 1],
        ["disabled", 0],
      ] as const
    ) {
      await build.guest(event)
      failing = { word, skip }
      let failures = 0
      for (let n = 0; n < 10; n++) {
        try {
          await sending.run(1000)
        } catch (error) {
          t.ok(error instanceof Unavailable)
          failures++
          sending.clock += 1000
        }
      }
      t.equal(failures, 1)
      t.ok(receiver.read().includes(`${event} guests`), `${word} failed`)
    }
  })
})
