import { sql } from "kysely"
import t from "tap"
import { Rights } from "../../../../plugins/capabilities/ping/rights.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { openReceiver } from "../../../support/ping/receiver.ts"
import { openStage } from "../../../support/ping/stage.ts"

await onEveryEngine(t, async (t, engine) => {
  const stage = await openStage(t, engine)
  const { build, database: { writer }, event, organization } = stage
  const borealis = await build.organization("borealis")
  const foreign = await build.event(borealis)
  await build.account("other")
  await build.grant("other", { event: foreign })
  await build.account("acme-export", "service")
  await build.grant("acme-export", { organization: "acme" })
  await build.account("viewer", "viewer")
  const partner = await stage.receive("partner")
  const other = await stage.receive("other")
  const service = await stage.receive("acme-export")
  const all = [partner, other, service]
  const sending = stage.open()
  await sending.run()
  const changeBoth = async () => {
    await build.guest(event)
    await build.guest(foreign)
  }
  /** Makes changes, and returns what each receiver has got of them. */
  const found = async (change = changeBoth) => {
    await sending.run()
    for (const each of all) each.read()
    await change()
    await sending.run()
    return all.map((each) => each.read().sort())
  }
  const withdraw = async (username: string) => {
    const { id } = await writer.selectFrom("account").select("id").where("username", "=", username)
      .executeTakeFirstOrThrow()
    return await writer.deleteFrom("access_grant").where("account_id", "=", id).execute()
  }

  await t.test("records of other events with the same ids are changes of those events only", async (t) => {
    const id = await build.guest(event)
    await build.guest(foreign, { id })
    t.strictSame(
      await found(async () => {
        await writer.deleteFrom("guest").where("event_id", "=", foreign).where("id", "=", id)
          .execute()
        await build.item("tickets", foreign, { id })
      }),
      [[], [`${foreign} guests`, `${foreign} items`], []],
    )
  })

  await t.test("rights are judged when a ping is sent, not when the change is found", async (t) => {
    const answer = Promise.withResolvers<number>()
    partner.behave = () => answer.promise
    const before = partner.messages.length
    await build.guest(event)
    await sending.until(() => partner.messages.length > before)
    const second = await build.event(organization)
    await build.guest(second)
    sending.clock += 1000
    await sending.step()
    sending.clock += 1000
    await sending.step()
    t.ok(sending.sender.numbers.waiting >= 2, "the event and its guests wait")
    const dropped = sending.sender.numbers.outcomes.withdrawn
    await withdraw("partner")
    answer.resolve(204)
    await sending.run()
    t.equal(partner.messages.length, before + 1)
    t.equal(sending.sender.numbers.outcomes.withdrawn, dropped + 2)
    partner.behave = () => 204
    t.strictSame((await found())[0], [], "and nothing of what follows")
    await build.grant("partner", { event })
    t.strictSame((await found())[0], [`${event} guests`], "until it is granted again")
  })

  await t.test("a grant that has ended counts no more", async (t) => {
    await writer.updateTable("access_grant").set({ ends: 1 }).execute()
    t.strictSame(await found(), [[], [], []])
    await writer.updateTable("access_grant").set({ ends: 4e9 }).execute()
    t.strictSame((await found())[1], [`${foreign} guests`])
    await writer.updateTable("access_grant").set({ ends: null, networks: "192.0.2.0/24" }).execute()
    t.strictSame((await found())[1], [`${foreign} guests`], "from whatever network")
  })

  await t.test("an account that is disabled, or may only look, is told nothing", async (t) => {
    const rights = new Rights(stage.database, stage.plan)
    const told =
      async () => [...(await rights.find([other.id], [foreign])).get(foreign)?.keys() ?? []]
    const set = (values: { disabled?: number; viewer?: number }) =>
      writer.updateTable("account").set(values).where("username", "=", "other").execute()
    await set({ disabled: 1 })
    const fresh = await openReceiver(t)
    await stage.register("other", fresh.url, { state: "unconfirmed" })
    t.strictSame((await found())[1], [])
    t.equal(fresh.messages.length, 0, "no challenge either")
    t.strictSame(await told(), [], "nor would it be by a process that has not noticed yet")
    await set({ disabled: 0 })
    t.strictSame(await told(), [other.id])
    t.ok((await found())[1]?.includes(`${foreign} guests`), "what it missed as well")
    await set({ viewer: 1 })
    t.strictSame((await found())[1], [])
    await set({ viewer: 0 })
  })

  await t.test("a list that no family serves to an account is not pinged", async (t) => {
    const ofFamily = (name: string) => stage.plan.routes.filter(({ plugin }) => plugin === name)
    const lean = stage.open({ plan: { ...stage.plan, routes: ofFamily("connector-a") } })
    await sending.sender.end()
    await stage.settle()
    await lean.run()
    for (const each of all) each.read()
    await build.guest(event)
    await build.item("tickets", event)
    await writer.updateTable("event").set({ name: "x" }).where("id", "=", event).execute()
    await lean.run()
    t.strictSame(partner.read().sort(), [`${event} events`, `${event} guests`])
    await lean.sender.end()
    await build.grant("acme-export", { organization: "borealis" })
    const own = stage.open({ plan: { ...stage.plan, routes: ofFamily("custom-export") } })
    await stage.settle()
    await own.run()
    for (const each of all) each.read()
    await changeBoth()
    await own.run()
    t.strictSame(partner.read(), [], "a partner reads nothing of a customer's family")
    t.strictSame(service.read(), [`${event} guests`], "and a customer only its own events")
    await own.sender.end()
  })

  await t.test("a removed account's receivers go with it", async (t) => {
    const last = stage.open()
    await stage.settle()
    await last.run()
    other.read()
    await build.guest(foreign)
    await sql`delete from session`.execute(writer)
    await withdraw("other")
    await writer.deleteFrom("account").where("username", "=", "other").execute()
    await last.run()
    t.strictSame(other.read(), [])
    t.equal(await stage.row(other.id), undefined)
  })
})
