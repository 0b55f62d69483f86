import { randomUUID } from "node:crypto"
import t from "tap"
import { PingLease } from "../../../../plugins/capabilities/ping/lease.ts"
import { Roster } from "../../../../plugins/capabilities/ping/roster.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { openReceiver } from "../../../support/ping/receiver.ts"
import { openStage } from "../../../support/ping/stage.ts"

await onEveryEngine(t, async (t, engine) => {
  const stage = await openStage(t, engine)
  const { database, database: { writer } } = stage
  const { url } = await openReceiver(t)
  const clocks = [0, 0, 0]
  const leases = clocks.map((_, index) =>
    new PingLease(database, randomUUID(), () => clocks[index] ?? 0)
  )
  const [one, two, three] = leases as [PingLease, PingLease, PingLease]
  const wait = (milliseconds: number) => {
    for (const index of clocks.keys()) clocks[index]! += milliseconds
  }
  const row = async () => (await writer.selectFrom("ping_sender").selectAll().execute())[0]

  await t.test("nobody has it while there are no receivers", async (t) => {
    t.notOk(await one.hold())
    t.equal(await row(), undefined)
  })

  const id = await stage.register("partner", url)

  const others = () =>
    Array.from({ length: 8 }, () => new PingLease(database, randomUUID(), () => 0))

  await t.test("of many who are the first to take it, at once, one gets it", async (t) => {
    const held = await Promise.all(others().map((each) => each.hold()))
    t.equal(held.filter(Boolean).length, 1)
    await stage.endLease()
  })

  await t.test("one has it, and renews it; others wait", async (t) => {
    t.ok(await one.hold())
    t.strictSame(await Promise.all(leases.map((each) => each.hold())), [true, false, false])
    const { until } = (await row())!
    for (let n = 0; n < 5; n++) {
      wait(5000)
      t.strictSame(await Promise.all(leases.map((each) => each.hold())), [true, false, false])
    }
    t.ok((await row())!.until >= until)
    t.equal(one.term, 1)
  })

  await t.test("of many who take it over at once, one gets it", async (t) => {
    await stage.endLease()
    const held = await Promise.all(others().map((each) => each.hold()))
    t.equal(held.filter(Boolean).length, 1)
    wait(5000)
    t.notOk(await one.hold(), "the former one notices")
    t.notOk(one.isHeld)
    await stage.endLease()
  })

  await t.test("who does not renew it has it for less long than others think", async (t) => {
    wait(5000)
    t.ok(await two.hold())
    wait(12_900)
    t.ok(two.isHeld)
    wait(200)
    t.notOk(two.isHeld)
    await stage.endLease()
    t.ok(await two.hold(), "and takes it again, if nobody has")
    t.equal(two.term, 1)
  })

  await t.test("who gives it back lets another one begin at once", async (t) => {
    await two.giveBack()
    t.notOk(two.isHeld)
    t.ok(await three.hold())
    const { until } = (await row())!
    await two.giveBack()
    t.equal((await row())!.until, until, "and nobody gives back the lease of another one")
  })

  await t.test("Roster.write notes nothing once another process has the lease", async (t) => {
    const moment = { now: 0, time: 0 }
    for (const [owner, attempts] of [["another", 0], [(await row())!.owner, 3]] as const) {
      const roster = new Roster(database, owner)
      await roster.refresh(() => moment)
      for (const receiver of roster.all) receiver.progress = { ...receiver.progress, attempts: 3 }
      await roster.write()
      t.equal((await stage.row(id))?.attempts, attempts, owner)
    }
  })

  await t.test("a lease of before the clock was set back does not last", async (t) => {
    await writer.updateTable("ping_sender").set((eb) => ({ until: eb("until", "+", 3600) }))
      .execute()
    wait(5000)
    t.ok(await one.hold())
    wait(5000)
    t.notOk(await three.hold())
  })

  await t.test("what one has noted is known to the next, and counts only while it has the lease", async (t) => {
    await one.giveBack()
    t.ok(await two.hold())
    await two.note(5)
    await two.giveBack()
    wait(5000)
    t.ok(await one.hold())
    t.equal(one.noted, 5)
    await two.note(9)
    t.equal((await row())?.noted, 5)
    await one.note(7)
    t.equal((await row())?.noted, 7)
    await one.giveBack()
    t.ok(await two.hold())
  })

  await t.test("it is given back when the last receiver goes", async (t) => {
    await writer.deleteFrom("ping_receiver").where("id", "=", id).execute()
    wait(5000)
    t.notOk(await two.hold())
    t.equal((await row())?.until, 0)
  })
})
