import { setTimeout as sleep } from "node:timers/promises"
import t from "tap"
import { Webhook } from "standardwebhooks"
import { mostAtOnce } from "../../../../plugins/capabilities/ping/pace.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { openReceiver } from "../../../support/ping/receiver.ts"
import { openStage } from "../../../support/ping/stage.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("a change is pinged once, signed, with its event and list", async (t) => {
    const stage = await openStage(t, engine)
    const { build, event, organization } = stage
    const receiver = await stage.receive()
    const sending = stage.open()
    await sending.run()
    t.strictSame(receiver.read(), [], "nothing from before it was registered")
    const guest = await build.guest(event)
    await sending.run()
    t.strictSame(receiver.read(), [`${event} guests`])
    const [message] = receiver.messages
    const { secret } = (await stage.row(receiver.id))!
    t.match(message, {
      headers: { "content-type": "application/json", "user-agent": /^event-export\/\d/ },
    })
    const content = new Webhook(secret).verify(
      message!.body,
      message!.headers as Record<string, string>,
    )
    t.match(content, { type: "changed", event, list: "guests", changed: Number })
    t.strictSame(Object.keys(content as object), ["type", "event", "list", "changed"])
    await stage.settle()
    await sending.run(10_000)
    t.strictSame(receiver.read(), [], "and never again")
    for (
      const [change, lists] of [
        [() => build.item("tickets", event), ["items"]],
        [() => build.item("pledges", event), ["items"]],
        [() => build.consent(event, guest), ["guests"]],
        [() =>
          stage.database.writer.updateTable("event").set({ status: "closed" })
            .where("id", "=", event).execute(), ["events"]],
        [() =>
          stage.database.writer.deleteFrom("guest").where("event_id", "=", event)
            .where("id", "=", guest).execute(), ["guests"]],
      ] as const
    ) {
      await change()
      await sending.run()
      t.strictSame(receiver.read(), lists.map((list) => `${event} ${list}`))
    }
    const other = await build.event(organization)
    await sending.run()
    t.strictSame(receiver.read(), [`${other} events`])
    const row = await stage.row(receiver.id)
    t.match(row, { state: "on", attempts: 0, last_status: 204, last_error: null })
    t.ok(row?.last_sent)
  })

  await t.test("changes of a list are merged, and pinged once a second at most", async (t) => {
    const stage = await openStage(t, engine)
    const { build, event } = stage
    const receiver = await stage.receive()
    const sending = stage.open()
    const times: number[] = []
    receiver.behave = () => {
      times.push(sending.clock)
      return 204
    }
    await sending.run()
    const end = sending.clock + 10_000
    while (sending.clock < end) {
      await build.guest(event)
      await sending.run(250)
    }
    await sending.run()
    t.ok(times.length >= 7 && times.length <= 11, `${times.length} pings in ten seconds`)
    t.ok(times.every((at, index) => index === 0 || at - times[index - 1]! >= 1000))
    const ids = receiver.messages.map(({ headers }) => headers["webhook-id"])
    t.equal(new Set(ids).size, ids.length, "each is a message of its own")
  })

  await t.test("when very much changes at once, polls are left the processor", async (t) => {
    const stage = await openStage(t, engine)
    const { build, database, organization } = stage
    for (let n = 0; n < 20; n++) await build.event(organization)
    for (let n = 0; n < 60; n++) await stage.register("partner", `http://127.0.0.1:1/${n}`)
    let begun = 0
    const post = () => {
      begun++
      return Promise.resolve({ status: 204, body: "" })
    }
    const sending = stage.open({ poster: { post } })
    await sending.run()
    await database.writer.updateTable("event").set({ status: "closed" })
      .where("organization_id", "=", organization).execute()
    await sending.until(() => begun > 0)
    const since = sending.clock
    while (sending.clock < since + 1000) {
      await sending.sender.step()
      sending.clock += 20
    }
    t.ok(begun > mostAtOnce && begun < mostAtOnce + 300, `${begun} of 1260 within a second`)
    await sending.until(() => begun >= 1260)
    t.ok(sending.clock - since > 4000, `all within ${sending.clock - since} ms`)
  })

  await t.test("while a receiver is slow, it gets no second request, and what it missed is merged", async (t) => {
    const stage = await openStage(t, engine)
    const { build, event, organization } = stage
    const other = await build.event(organization)
    const receiver = await stage.receive()
    const sending = stage.open()
    await sending.run()
    const answer = Promise.withResolvers<number>()
    receiver.behave = () => answer.promise
    await build.guest(event)
    await sending.until(() => receiver.messages.length === 1)
    for (let n = 0; n < 5; n++) {
      await build.guest(event)
      await build.guest(other)
      sending.clock += await sending.sender.step() + 1000
    }
    t.equal(receiver.messages.length, 1)
    t.match(await stage.row(receiver.id), { last_sent: null })
    answer.resolve(200)
    await sending.run()
    t.strictSame(
      receiver.read().sort(),
      [
        `${event} guests`,
        `${event} guests`,
        `${other} guests`,
      ].sort(),
    )
  })

  await t.test("a failed attempt is made again with the same id, and then what is pending", async (t) => {
    const stage = await openStage(t, engine)
    const { build, event } = stage
    const receiver = await stage.receive()
    const sending = stage.open()
    await sending.run()
    receiver.behave = () => 500
    await build.guest(event)
    await sending.until(() => receiver.messages.length === 1)
    await sending.run()
    t.match(await stage.row(receiver.id), {
      ...{ state: "on", attempts: 1, last_status: 500, last_error: "status", last_sent: null },
      failing_since: Number,
    })
    await build.item("tickets", event)
    await sending.run(1000)
    t.equal(receiver.messages.length, 1, "not before the pause is over")
    t.equal(sending.sender.numbers.waiting, 0, "nothing is kept in memory")
    await sending.until(() => receiver.messages.length === 2)
    const [first, second] = receiver.messages
    t.equal(first?.headers["webhook-id"], second?.headers["webhook-id"])
    t.equal(first?.body, second?.body)
    receiver.behave = () => 204
    receiver.read()
    await sending.run(60_000)
    t.strictSame(receiver.read().sort(), [`${event} guests`, `${event} items`])
    t.match(await stage.row(receiver.id), { attempts: 0, failing_since: null, last_error: null })
  })

  await t.test("pauses grow for a day, then it is tried daily, then it is off", async (t) => {
    const stage = await openStage(t, engine)
    const { build, event } = stage
    const receiver = await stage.receive()
    const sending = stage.open()
    await sending.run()
    const times: number[] = []
    receiver.behave = () => {
      times.push(sending.clock)
      return 503
    }
    await build.guest(event)
    const start = sending.clock
    // The clock leaps to the next attempt, as nothing else is due.
    while ((await stage.row(receiver.id))?.state === "on") {
      await sending.run(1000)
      const pause = [5, 15, 60, 300, 900, 1800][times.length - 1] ??
        (times.length < 30 ? 3600 : 86_400)
      sending.clock += pause * 1000 - 3000
      await sending.until(() => sending.sender.numbers.running === 0)
      const before = times.length
      for (let n = 0; n < 40 && times.length === before; n++) await sending.run(500)
    }
    const day = 86_400_000
    const ages = times.map((at) => (at - start) / day)
    t.equal(times.length, 37)
    t.ok(ages[0]! < 0.001)
    t.ok(ages[29]! > 0.9 && ages[29]! < 1.1, "hourly until a day has passed")
    t.ok(ages[36]! > 7.9 && ages[36]! < 8.1, "and daily for a week")
    t.match(await stage.row(receiver.id), { state: "off", reason: "failing", attempts: 37 })
    t.match(stage.entries.at(-1), { message: "a receiver of pings is off", reason: "failing" })
    await build.guest(event)
    await sending.run(10_000)
    t.equal(times.length, 37)
  })

  await t.test("410 turns a receiver off at once", async (t) => {
    const stage = await openStage(t, engine)
    const receiver = await stage.receive()
    const sending = stage.open()
    await sending.run()
    receiver.behave = () => 410
    await stage.build.guest(stage.event)
    await sending.run()
    t.match(await stage.row(receiver.id), { state: "off", reason: "gone", last_status: 410 })
    await stage.build.guest(stage.event)
    await sending.run(60_000)
    t.equal(receiver.messages.length, 1)
  })

  await t.test("a redirect is a failure, and is not followed", async (t) => {
    const stage = await openStage(t, engine)
    const receiver = await stage.receive()
    const sending = stage.open()
    await sending.run()
    receiver.behave = () => 307
    await stage.build.guest(stage.event)
    await sending.run()
    t.match(await stage.row(receiver.id), { last_status: 307, last_error: "status", attempts: 1 })
  })

  await t.test("a receiver gets nothing but challenges until it has echoed one", async (t) => {
    const stage = await openStage(t, engine)
    const { build, event } = stage
    const receiver = await openReceiver(t)
    receiver.behave = () => 503
    const sending = stage.open()
    const id = await stage.register("partner", receiver.url, { state: "unconfirmed", sent_seq: 0 })
    await sending.run()
    t.strictSame(receiver.messages.map(({ type }) => type), ["challenge"])
    t.match(await stage.row(id), { state: "unconfirmed", attempts: 1 })
    await build.guest(event)
    await sending.until(() => receiver.messages.length === 2)
    const [one, other] = receiver.messages
    t.not(one?.body, other?.body, "with another text")
    t.notOk(receiver.messages.some(({ type }) => type === "changed"))
    receiver.behave = () => 200
    await sending.until(async () => (await stage.row(id))?.state === "on")
    t.match(await stage.row(id), { attempts: 0, failing_since: null, reason: null })
    await build.item("tickets", event)
    await sending.run()
    t.ok(receiver.read().includes(`${event} items`))
  })

  await t.test("what changes right after the echo is pinged, before anything is written", async (t) => {
    const stage = await openStage(t, engine)
    const { build, event } = stage
    const receiver = await openReceiver(t)
    const sending = stage.open()
    const id = await stage.register("partner", receiver.url, { state: "unconfirmed", sent_seq: 0 })
    await sending.until(() => sending.sender.numbers.outcomes.delivered === 1)
    t.match(await stage.row(id), { state: "unconfirmed" })
    await build.item("tickets", event)
    await sending.run()
    t.ok(receiver.read().includes(`${event} items`))
    t.match(await stage.row(id), { state: "on" })
  })

  for (const state of ["on", "unconfirmed"] as const) {
    await t.test(`what was sent while it was ${state} does not turn off a receiver that is challenged anew`, async (t) => {
      const stage = await openStage(t, engine)
      const receiver = await openReceiver(t)
      const id = await stage.register("partner", receiver.url, { state })
      const sending = stage.open()
      const answer = Promise.withResolvers<number>()
      receiver.behave = () => receiver.messages.length === 1 ? answer.promise : 503
      if (state === "on") await sending.run(500)
      const run = sending.run()
      if (state === "on") await stage.build.guest(stage.event)
      while (receiver.messages.length === 0) await sleep(1)
      await stage.database.writer.updateTable("ping_receiver")
        .set((eb) => ({
          state: "unconfirmed" as const,
          // It may be in the same second.
          since: state === "on" ? eb.ref("since") : eb("since", "+", 1),
        })).execute()
      answer.resolve(410)
      await run
      await sending.run(10_000)
      t.equal(receiver.messages[1]?.type, "challenge")
      t.match(await stage.row(id), { state: "unconfirmed", reason: null })
    })
  }

  await t.test("what changed before a receiver that is challenged anew has echoed is pinged then", async (t) => {
    const stage = await openStage(t, engine)
    const { build, event, database: { writer } } = stage
    await build.guest(event)
    await stage.settleAll()
    const receiver = await stage.receive()
    const sending = stage.open()
    await sending.run()
    t.ok((await stage.row(receiver.id))?.sent_seq)
    receiver.behave = () => 503
    await writer.updateTable("ping_receiver")
      .set((eb) => ({ state: "unconfirmed", since: eb("since", "+", 1) })).execute()
    await sending.until(() => receiver.messages.at(-1)?.type === "challenge")
    await build.item("tickets", event)
    await stage.settleAll()
    receiver.behave = () => 200
    await sending.until(async () => (await stage.row(receiver.id))?.state === "on")
    await sending.run()
    t.ok(receiver.read().includes(`${event} items`))
  })

  await t.test("a change that was logged before another and committed after it is pinged", {
    skip: engine === "sqlite" && "the embedded database has one writer at a time",
  }, async (t) => {
    const stage = await openStage(t, engine)
    const { build, event, database: { writer } } = stage
    const guest = await build.guest(event)
    const receiver = await stage.receive()
    const sending = stage.open()
    await sending.run()
    receiver.read()
    const early = await writer.startTransaction().execute()
    await early.updateTable("guest").set({ first_name: "Early" }).where("id", "=", guest)
      .where("event_id", "=", event).execute()
    await build.guest(event)
    await sending.run()
    t.strictSame(receiver.read(), [`${event} guests`])
    await stage.settle()
    await sending.run()
    await early.commit().execute()
    await sending.run()
    t.strictSame(receiver.read(), [`${event} guests`])
    const ids = receiver.messages.map(({ headers }) => headers["webhook-id"])
    t.equal(new Set(ids).size, ids.length, "it is another message")
  })

  await t.test("a receiver that does not echo for a day is off", async (t) => {
    const stage = await openStage(t, engine)
    const receiver = await openReceiver(t)
    const sending = stage.open({ poster: { post: async () => ({ status: 200, body: "no" }) } })
    const id = await stage.register("partner", receiver.url, { state: "unconfirmed" })
    for (let n = 0; n < 40 && (await stage.row(id))?.state === "unconfirmed"; n++) {
      await sending.run(1000)
      sending.clock += 3_600_000
    }
    await sending.run(1000)
    t.match(await stage.row(id), {
      ...{ state: "off", reason: "unconfirmed", last_error: "no_echo", attempts: 30 },
    })
  })

  await t.test("both secrets sign until the former one has ended", async (t) => {
    const stage = await openStage(t, engine)
    const receiver = await stage.receive()
    const { secret } = (await stage.row(receiver.id))!
    const next = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
    const set = async (former_until: number) =>
      await stage.database.writer.updateTable("ping_receiver")
        .set({ secret: next, former_secret: secret, former_until }).execute()
    await set(4e9)
    const sending = stage.open()
    await sending.run()
    await stage.build.guest(stage.event)
    await sending.run()
    const verify = (index: number, key: string) => {
      const { body, headers } = receiver.messages[index]!
      return new Webhook(key).verify(body, headers as Record<string, string>)
    }
    t.ok(verify(0, secret))
    t.ok(verify(0, next))
    await set(1)
    await sending.run()
    await stage.build.guest(stage.event)
    await sending.run()
    t.ok(verify(1, next))
    t.throws(() => verify(1, secret))
  })

  await t.test("a receiver that hangs or fails holds up no other", async (t) => {
    const stage = await openStage(t, engine)
    const bad = []
    for (let n = 0; n < 12; n++) bad.push(await stage.receive())
    const good = await stage.receive()
    const sending = stage.open()
    await sending.run()
    const answer = Promise.withResolvers<number>()
    for (const each of bad) each.behave = () => answer.promise
    await stage.build.guest(stage.event)
    await sending.until(() => good.messages.length === 1 && sending.sender.numbers.running < 13)
    t.equal(sending.sender.numbers.running, 12, "each has one request")
    answer.resolve(500)
    await sending.run(1000)
    const again = Promise.withResolvers<number>()
    for (const each of bad) each.behave = () => again.promise
    sending.clock += 10_000
    for (let n = 0; n < 10; n++) sending.clock += await sending.sender.step()
    t.equal(sending.sender.numbers.running, 8, "those that have failed share eight places")
    await stage.build.guest(stage.event)
    await sending.until(() => good.messages.length === 2)
    again.resolve(204)
    await sending.run(10_000)
    t.ok(bad.every(({ messages }) => messages.length >= 2))
  })

  await t.test("500 receivers that hang for the first time share 64 requests, and others have their turn", async (t) => {
    const stage = await openStage(t, engine)
    const hanging = await openReceiver(t)
    for (let n = 0; n < 500; n++) await stage.register("partner", `${hanging.url}?${n}`)
    const good = await stage.receive()
    const sending = stage.open()
    await sending.run()
    const held = new Set<(status: number) => void>()
    hanging.behave = () => new Promise((answer) => held.add(answer))
    await stage.build.guest(stage.event)
    let most = 0
    while (hanging.messages.length < 500 || good.messages.length < 1) {
      sending.clock += await sending.sender.step()
      await sleep(1)
      const { running } = sending.sender.numbers
      most = Math.max(most, running)
      if (held.size < running) continue
      for (const answer of held) answer(204)
      held.clear()
    }
    t.equal(most, 64)
    for (const answer of held) answer(204)
  })

  await t.test("500 receivers that hang keep nobody waiting once they failed", async (t) => {
    const stage = await openStage(t, engine)
    const hanging = await openReceiver(t)
    const { promise, resolve } = Promise.withResolvers<number>()
    hanging.behave = () => promise
    const failed = { attempts: 1, failing_since: 1, last_error: "timeout" }
    for (let n = 0; n < 500; n++) await stage.register("partner", `${hanging.url}?${n}`, failed)
    const good = await stage.receive()
    const sending = stage.open()
    await stage.build.guest(stage.event)
    await sending.until(() => hanging.messages.length === 8)
    sending.clock += 1000
    for (let n = 2; n <= 20; n++) {
      await stage.build.guest(stage.event)
      await sending.until(() => good.messages.length === n)
      sending.clock += 1000
    }
    t.equal(hanging.messages.length, 8)
    // Those that were removed meanwhile hang as well.
    await stage.database.writer.deleteFrom("ping_receiver").where("attempts", "=", 1).execute()
    for (let n = 0; n < 20; n++) {
      await stage.register("partner", `${hanging.url}?again${n}`, { ...failed, sent_seq: 1 })
    }
    for (let n = 0; n < 100; n++) sending.clock += await sending.sender.step()
    t.equal(hanging.messages.length, 8)
    resolve(204)
  })

  await t.test("a receiver without a server fails like any other", async (t) => {
    const stage = await openStage(t, engine)
    const id = await stage.register("partner", "http://127.0.0.1:1/")
    const sending = stage.open()
    await sending.run()
    await stage.build.guest(stage.event)
    await sending.run()
    t.match(await stage.row(id), { last_status: null, last_error: "no_connection", attempts: 1 })
  })
})
