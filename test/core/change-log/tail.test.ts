import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import t from "tap"
import type { Database } from "../../../core/data/database.ts"
import { Unavailable } from "../../../core/data/unavailable.ts"
import { pruneChangeLog } from "../../../core/change-log/prune.ts"
import { Tail, type TailResult } from "../../../core/change-log/tail.ts"
import { foldEvent } from "../../../core/change-log/versions.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"
import { Random } from "../../support/random.ts"
import { scannedLog } from "../../support/scanned-log.ts"
import { settle, settleAll } from "../../support/settle.ts"

/** Lets statements of a tail pass one by one, before and after they are run. */
function openGates(database: Database, random: Random) {
  const waiting: (() => void)[] = []
  let isOpen = false
  const gate = () => new Promise<void>((pass) => isOpen ? pass() : void waiting.push(pass))
  const readOnce: Database["readOnce"] = async (work) => {
    await gate()
    const rows = await database.readOnce(work)
    await gate()
    if (!isOpen && random.below(10) === 0) throw new Unavailable("away")
    return rows
  }
  return {
    database: { readOnce },
    pass: () => waiting.shift()?.(),
    open() {
      isOpen = true
      for (const pass of waiting.splice(0)) pass()
    },
  }
}

/** Listens, and compares what it is told with what it has to be. */
class TestListener {
  /** The events that were changed since it listens, and were not told since. */
  readonly due: string[] = []
  toldAfter = 0
  #hasLeft = false
  /** Null if the database was away. */
  #listening: Disposable | null | undefined

  constructor(tail: Tail) {
    tail.listen({ every: () => 0, hear: (found) => this.#hear(found) }).then(
      (listening) => this.#listening = listening,
      () => this.#listening = null,
    )
  }

  get isListening(): boolean {
    return !!this.#listening
  }

  get hasAll(): boolean {
    return this.due.length === 0
  }

  async leave(pass: () => void): Promise<void> {
    while (this.#listening === undefined) {
      pass()
      await setTimeout(0)
    }
    this.#listening?.[Symbol.dispose]()
    this.#hasLeft = true
  }

  #hear(found: TailResult | undefined): void {
    if (this.#hasLeft) this.toldAfter++
    for (const { event } of found?.changes ?? []) {
      for (let at = this.due.indexOf(event); at >= 0; at = this.due.indexOf(event)) {
        this.due.splice(at, 1)
      }
    }
  }
}

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer } = database
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const log = scannedLog(t, [])
  const events: string[] = []
  for (let n = 0; n < 4; n++) events.push(await build.event(organization))
  const [one = "", other = ""] = events
  /** Listens to a tail that looks only when it is told to. */
  const listen = async () => {
    const tail = new Tail(database, { log, common: () => "" })
    t.teardown(() => tail.close())
    const told: TailResult[] = []
    const hear = (found?: TailResult) => void (found && told.push(found))
    await tail.listen({ every: () => 1e9, hear })
    t.match(
      told.splice(0),
      [{ changes: [], isEmptied: false }],
      "at first, only how far the log is",
    )
    return async () => {
      await tail.look()
      return told.shift()
    }
  }
  const follow = async () => {
    const look = await listen()
    return async () => [...new Set((await look())?.changes.map(({ event }) => event))].sort()
  }
  await t.test("look tells each changed list once, with its event and organization", async (t) => {
    const look = await listen()
    const guest = await build.guest(one)
    await build.item("tickets", one)
    const of = { event: one, organization }
    const sorted = async () => (await look())?.changes.toSorted((a, b) => a.seq - b.seq)
    t.match(await sorted(), [{ ...of, list: "guests" }, { ...of, list: "items" }])
    t.strictSame(await sorted(), [])
    const changes: readonly [list: string, change: () => Promise<unknown>][] = [
      ["guests", () => build.consent(one, guest)],
      ["guests", () => build.address(one, guest)],
      [
        "guests",
        () =>
          writer.deleteFrom("guest").where("event_id", "=", one).where("id", "=", guest).execute(),
      ],
      [
        "events",
        () => writer.updateTable("event").set({ status: "closed" }).where("id", "=", one).execute(),
      ],
    ]
    for (const [list, change] of changes) {
      await change()
      await settle(database)
      t.ok((await sorted())?.some((each) => each.event === one && each.list === list), list)
      await settle(database)
      t.strictSame(await sorted(), [])
    }
  })

  await t.test("look finds a change that was logged before another and committed after it", {
    skip: engine === "sqlite" && "the embedded database has one writer at a time",
  }, async (t) => {
    const look = await follow()
    const early = await writer.startTransaction().execute()
    await early.updateTable("event").set({ name: "early" }).where("id", "=", one).execute()
    await build.guest(other)
    t.strictSame(await look(), [other])
    await settle(database)
    t.strictSame(await look(), [])
    await settle(database)
    await early.commit().execute()
    t.strictSame(await look(), [one])
    await settle(database)
    t.strictSame(await look(), [])
  })

  await t.test("look finds a change that has the number of one that a failover has lost", {
    skip: engine === "sqlite" && "the embedded database has no failover",
  }, async (t) => {
    const look = await follow()
    await build.guest(one)
    t.strictSame(await look(), [one])
    const { seq } = await writer.selectFrom("event_change").select((eb) =>
      eb.fn.max("seq").as("seq")
    )
      .executeTakeFirstOrThrow()
    await writer.updateTable("event_change").set((eb) => ({ mark: eb("mark", "+", 1) }))
      .where("seq", "=", seq).execute()
    t.strictSame(await look(), [one])
    t.strictSame(await look(), [])
  })

  await t.test("look finds nothing new after folding and pruning, and misses nothing then", async (t) => {
    await build.guests(one, 20)
    const look = await follow()
    await settle(database)
    await foldEvent(database, one)
    await writer.updateTable("event_change").set({ at: 1 }).execute()
    await pruneChangeLog(database, 0)
    t.strictSame(await look(), [])
    await build.guest(one)
    t.strictSame(await look(), [one])
  })

  await t.test("look says that the log was emptied, and tells what follows", async (t) => {
    await build.guests(one, 20)
    await settleAll(database)
    const look = await listen()
    await sql`delete from event_change`.execute(writer)
    if (engine === "mysql") {
      await writer.updateTable("change_state").set({ settled: 0, top: 0 }).execute()
    } else {
      await sql`delete from sqlite_sequence where name = 'event_change'`.execute(writer)
      await build.guest(other)
      await settle(database)
    }
    t.match(await look(), { isEmptied: true })
    t.match(await look(), { changes: [], isEmptied: false })
    await build.guest(other)
    t.match(await look(), { changes: [{ event: other }], isEmptied: false })
  })

  await t.test("the first look that begins after a commit finds it, in whatever order rows are committed", async (t) => {
    const random = new Random(11)
    const look = await follow()
    const begin = () => writer.startTransaction().execute()
    const open: { readonly event: string; readonly trx: Awaited<ReturnType<typeof begin>> }[] = []
    const most = engine === "sqlite" ? 1 : 2
    const due = new Set<string>()
    for (let step = 0; step < 100; step++) {
      const choice = random.below(100)
      if (choice < 30 && open.length < most) {
        const event = random.pick(events.filter((id) => !open.some((each) => each.event === id)))
        const trx = await begin()
        await trx.updateTable("event").set({ name: String(step) }).where("id", "=", event).execute()
        open.push({ event, trx })
      } else if (choice < 60 && open.length > 0) {
        const ended = random.pick(open)
        open.splice(open.indexOf(ended), 1)
        const isKept = random.below(5) > 0
        await (isKept ? ended.trx.commit() : ended.trx.rollback()).execute()
        if (isKept) due.add(ended.event)
      } else if (choice < 75) {
        // On the embedded database, the transaction has the connection that looks.
        if (engine === "mysql" || open.length === 0) await settle(database)
      } else {
        t.strictSame(await look(), [...due].sort(), `step ${step}`)
        due.clear()
      }
    }
    for (const { trx } of open) await trx.rollback().execute()
  })

  await t.test("whatever is committed while somebody listens is told, however looks and listeners meet", async (t) => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = new Random(seed)
      const stage = openGates(database, random)
      const tail = new Tail(stage.database, { log, common: () => "" })
      const guests = new Map<string, string>()
      for (const event of events) guests.set(event, await build.guest(event))
      const listeners: TestListener[] = []
      const left: TestListener[] = []
      for (let step = 0; step < 40; step++) {
        const choice = random.below(100)
        if (choice < 20) {
          const listener = new TestListener(tail)
          listeners.push(listener)
        } else if (choice < 30 && listeners.length > 0) {
          const [leaving] = listeners.splice(random.below(listeners.length), 1)
          await leaving?.leave(stage.pass)
          if (leaving) left.push(leaving)
        } else if (choice < 60) {
          const event = random.pick(events)
          const due = listeners.filter(({ isListening }) => isListening)
          await writer.updateTable("guest").set({ first_name: `${seed} ${step}` })
            .where("id", "=", guests.get(event) ?? "").where("event_id", "=", event).execute()
          for (const listener of due) listener.due.push(event)
        } else if (choice < 65) {
          await settle(database)
        } else {
          stage.pass()
          await setTimeout(random.below(3))
        }
      }
      stage.open()
      for (const listener of listeners) {
        while (!listener.hasAll) await setTimeout(1)
        await listener.leave(stage.pass)
      }
      t.ok(
        left.every(({ toldAfter }) => toldAfter === 0),
        `seed ${seed}: who has left is told nothing`,
      )
      await tail.close()
    }
  })

  await t.test("while nobody listens there are no looks, and whoever listens next begins anew", async (t) => {
    let looks = 0
    const readOnce: Database["readOnce"] = (work) => {
      looks++
      return database.readOnce(work)
    }
    const tail = new Tail({ readOnce }, { log, common: () => "" })
    t.teardown(() => tail.close())
    const listen = async () => {
      const told: TailResult[] = []
      const listening = await tail.listen({
        every: () => 1,
        hear: (found) => void (found && told.push(found)),
      })
      return { told, [Symbol.dispose]: () => listening[Symbol.dispose]() }
    }
    const first = await listen()
    while (first.told.length < 3) await setTimeout(1)
    first[Symbol.dispose]()
    await setTimeout(20)
    const before = looks
    await setTimeout(50)
    t.equal(looks, before)
    await build.guest(one)
    const second = await listen()
    t.equal(looks, before + 2)
    await build.guest(other)
    while (second.told.every(({ changes }) => changes.length === 0)) await setTimeout(1)
    t.strictSame(second.told.flatMap(({ changes }) => changes.map(({ event }) => event)), [other])
    second[Symbol.dispose]()
  })

  await t.test("looks that all take long take a tenth of the time, and one that seems to does not count", async (t) => {
    const { now } = performance
    let lost = 0
    t.intercept(performance, "now", { value: () => now.call(performance) + lost })
    for (
      const [isSlow, isBounded] of [[() => true, true], [(n: number) => n % 10 > 0, false]] as const
    ) {
      let looks = 0
      const readOnce: Database["readOnce"] = (work) => {
        if (isSlow(++looks)) lost += 60_000
        return database.readOnce(work)
      }
      const tail = new Tail({ readOnce }, { log, common: () => "" })
      await tail.listen({ every: () => 1, hear: () => {} })
      const most = isBounded ? 22 : 60
      while (looks < most) await setTimeout(1)
      // The next look would be hours later.
      if (isBounded) await setTimeout(50)
      t.ok(isBounded ? looks === most : looks >= most, `${looks}`)
      await tail.close()
    }
  })

  await t.test("a look that fails is told, and the next one makes up for it", async (t) => {
    let isAway = false
    const readOnce: Database["readOnce"] = (work) =>
      isAway ? Promise.reject(new Unavailable("away")) : database.readOnce(work)
    const entries: Record<string, unknown>[] = []
    const tail = new Tail({ readOnce }, { log: scannedLog(t, entries), common: () => "" })
    t.teardown(() => tail.close())
    const told: (TailResult | undefined)[] = []
    const listener = {
      every: () => 1,
      hear: (found: TailResult | undefined) => void told.push(found),
    }
    isAway = true
    await t.rejects(tail.listen(listener), { message: "away" }, "nobody can listen then")
    isAway = false
    const listening = await tail.listen(listener)
    isAway = true
    while (!told.includes(undefined)) await setTimeout(1)
    await build.guest(one)
    isAway = false
    const events = () => told.flatMap((found) => found?.changes.map(({ event }) => event) ?? [])
    while (events().length === 0) await setTimeout(1)
    t.strictSame(events(), [one])
    t.strictSame(entries.map(({ message }) => message), [
      "cannot look for changes now; waiting requests go on waiting",
      "changes are looked for again",
    ])
    listening[Symbol.dispose]()
  })

  await t.test("a table that was emptied is told once, and one that is filled is not", async (t) => {
    let common: string | undefined = "10"
    const tail = new Tail(database, { log, common: () => common })
    t.teardown(() => tail.close())
    const told: boolean[] = []
    const hear = (found?: TailResult) => void told.push(found?.isEmptied ?? false)
    await tail.listen({ every: () => 1e9, hear })
    for (common of ["11", undefined, "01", "01", "11"]) await tail.look()
    t.strictSame(told, [false, false, false, true, false, false])
  })
})
