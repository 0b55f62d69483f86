import t from "tap"
import type { Database } from "../../../../../core/data/database.ts"
import {
  anHour,
  monthOf,
} from "../../../../../plugins/capabilities/partners/state-history/hours.ts"
import {
  readHistories,
  readListHistories,
} from "../../../../../plugins/capabilities/partners/state-history/read-history.ts"
import { recordStates } from "../../../../../plugins/capabilities/partners/state-history/record-states.ts"
import { Builder } from "../../../../support/builder.ts"
import { copiedUrl, freshDatabase, onEveryEngine, openFor } from "../../../../support/database.ts"
import { emptyRow } from "../../../../support/sync-rows.ts"

const retention = 90 * 86_400
const minute = 60
/** Seconds between two looks: a longer time would not be known. */
const pause = 180
const list = "guests"
/** In the middle of a month, at the beginning of an hour. */
const start = Date.UTC(2027, 0, 15, 12) / 1000

await onEveryEngine(t, async (t, engine) => {
  /** A partner with a list that it reads every minute, of an event that has not changed since. */
  const scene = async (database: Database) => {
    const build = new Builder(database)
    const event = await build.event(await build.organization("acme"))
    await build.guest(event, { updated: start - 10_000 })
    const account_id = await build.account("ann", "partner")
    await build.grant("ann", { event })
    await database.writer.updateTable("account").set({ created: start - 86_400 }).execute()
    await database.writer.insertInto("sync_state").values(emptyRow({
      account_id,
      event_id: event,
      poll_interval: 60,
      first_started: start - 5000,
    })).execute()
    /** Notes that it polled: without trouble, or without ever completing a walk. */
    const polled = async (at: number, isStuck = false) => {
      await database.writer.updateTable("sync_state").set({
        last_poll: at,
        walk_started: at,
        previous_started: at - 20,
        third_started: at - 40,
        ...!isStuck && { walk_completed: at, completed_next: at - 2 },
      }).execute()
    }
    const look = async (at: number) => await recordStates(database, { retention, at })
    const states = async () => {
      const rows = await database.writer.selectFrom("partner_state")
        .select(["account_id", "list", "began", "ended", "state"])
        .orderBy("began").orderBy("list").execute()
      return rows.map((row) => ({ ...row }))
    }
    const history = async (now: number) =>
      await database.snapshot(async (snapshot) => ({
        partner: (await readHistories(snapshot, now, [account_id])).get(account_id),
        lists: await readListHistories(snapshot, now, account_id),
      }))
    return { account_id, polled, look, states, history }
  }

  await t.test("recordStates writes only changes, and an hour keeps the worst that was seen in it", async (t) => {
    const database = await freshDatabase(t, engine)
    const { account_id, polled, look, states, history } = await scene(database)
    const gap = { account_id: "", list: "", began: 0, ended: start, state: "not known" }
    for (const at of [start, start + pause]) {
      await polled(at - 5)
      t.equal(await look(at), true)
    }
    t.strictSame(await states(), [gap], "nothing is written of who is in sync")
    await polled(start + 2 * pause - 5, true)
    t.equal(await look(start + 2 * pause), true)
    const stuck = { account_id, began: start, ended: null, state: "stuck" }
    t.strictSame(await states(), [gap, { ...stuck, list: "" }, { ...stuck, list }])
    for (let at = start + 3 * pause; at < start + 3 * anHour; at += pause) {
      await polled(at - 5)
      await look(at)
    }
    const over = { ...stuck, ended: start + anHour }
    t.strictSame(await states(), [gap, { ...over, list: "" }, { ...over, list }])
    const { partner, lists } = await history(start + 3 * anHour - pause)
    const hours = ["not known", "not known", "stuck", "in sync", "in sync"]
    t.strictSame(partner?.hours.slice(-5), hours)
    t.strictSame(partner?.days.slice(-2), ["not known", "stuck"])
    t.strictSame(lists.map(({ hours }) => hours.slice(-3)), [["stuck", "in sync", "in sync"]])
    t.match(partner?.share, { known: 3 * anHour - pause, inSync: 3 * anHour - 2 * pause })
  })

  await t.test("recordStates of several processes at once writes what one would", {
    skip: engine === "sqlite" && "one process cannot wait for itself to end a transaction",
  }, async (t) => {
    const url = await copiedUrl(t, engine)
    const database = await openFor(t, url)
    const processes = [database, await openFor(t, url), await openFor(t, url)]
    const { polled, states } = await scene(database)
    const one = await freshDatabase(t, engine)
    const alone = await scene(one)
    for (let index = 0; index < 11; index++) {
      const at = start + index * pause
      const isStuck = index % 7 === 3
      await polled(at - 5, isStuck)
      await alone.polled(at - 5, isStuck)
      await alone.look(at)
      const wrote = await Promise.all(
        processes.map((each) => recordStates(each, { retention, at }).catch(() => false)),
      )
      t.equal(wrote.filter(Boolean).length, 1, `look ${index}`)
    }
    const plain = ({ account_id: _, ...run }: Awaited<ReturnType<typeof states>>[number]) => run
    t.strictSame((await states()).map(plain), (await alone.states()).map(plain))
    const months = (from: Database) =>
      from.writer.selectFrom("partner_month").select(["failing", "idle"]).execute()
    t.strictSame(await months(database), await months(one))
  })

  // What follows is decided before anything is written.
  if (engine !== "sqlite") return

  await t.test("recordStates leaves hours in which nobody looked unknown, and does not count them", async (t) => {
    const database = await freshDatabase(t, engine)
    const { account_id, polled, look, states, history } = await scene(database)
    await polled(start - 5, true)
    await look(start)
    await polled(start + minute - 5, true)
    await look(start + minute)
    const back = start + 3 * anHour + 30 * minute
    await polled(back - 5)
    await look(back)
    await look(back + minute)
    t.match((await states()).filter(({ account_id }) => account_id === ""), [
      { began: 0, ended: start },
      { began: start + minute, ended: back },
    ])
    const { partner, lists } = await history(back + minute)
    const hours = ["not known", "stuck", "not known", "not known", "in sync"]
    t.strictSame(partner?.hours.slice(-5), hours)
    t.strictSame(lists[0]?.hours.slice(-5), hours)
    t.match(partner?.share, { known: 2 * minute, inSync: minute })
    const late = await history(back + 2 * anHour)
    t.strictSame(late.partner?.hours.slice(-3), ["in sync", "not known", "not known"])
    t.match(
      await database.writer.selectFrom("partner_month").selectAll().execute(),
      [{ account_id, month: monthOf(start), failing: minute, idle: 0 }],
    )
  })

  await t.test("recordStates does nothing within 45 seconds, and goes on after the clock was set back", async (t) => {
    const database = await freshDatabase(t, engine)
    const { look } = await scene(database)
    t.equal(await look(start), true)
    t.equal(await look(start), false)
    t.equal(await look(start + 44), false)
    t.equal(await look(start + 45), true)
    t.equal(await look(start - 995), true)
    t.equal(await look(start - 980), false)
    t.equal(await look(start - 935), true)
  })

  await t.test("recordStates counts a month's own seconds only, and those of a muted partner as idle", async (t) => {
    const database = await freshDatabase(t, engine)
    const { account_id, polled, look } = await scene(database)
    const month = Date.UTC(2027, 1, 1) / 1000
    for (const after of [-60, 60]) {
      await polled(month + after - 5, true)
      await look(month + after)
    }
    await polled(month + 115, true)
    const mute = { until: month + anHour, because: "They migrate." }
    const readMutes = () => Promise.resolve(new Map([[account_id, mute]]))
    await recordStates(database, { retention, at: month + 120, readMutes })
    const months = await database.writer.selectFrom("partner_month").selectAll().execute()
    t.strictSame(months.map((row) => ({ ...row })), [{ account_id, month, failing: 60, idle: 60 }])
  })

  await t.test("recordStates: what a disabled account does not fetch does not count", async (t) => {
    const database = await freshDatabase(t, engine)
    const { polled, look, history } = await scene(database)
    await polled(start - 5)
    await look(start)
    await database.writer.updateTable("account").set({ disabled: 1 }).execute()
    for (let at = start + pause; at <= start + 2 * anHour; at += pause) await look(at)
    await database.writer.updateTable("account").set({ disabled: 0 }).execute()
    await polled(start + 2 * anHour + 10)
    await look(start + 2 * anHour + minute)
    const { partner } = await history(start + 2 * anHour + minute)
    t.match(partner?.share, { known: minute, inSync: minute })
    t.strictSame(partner?.hours.slice(-3), ["in sync", "disabled", "in sync"])
  })
})
