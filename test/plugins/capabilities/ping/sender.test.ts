import { setTimeout as sleep } from "node:timers/promises"
import { Webhook } from "standardwebhooks"
import t from "tap"
import { findAccount } from "../../../../core/access/accounts.ts"
import { ofProcess, toHost } from "../../../../plugins/capabilities/ping/pace.ts"
import type { Poster } from "../../../../plugins/capabilities/ping/post.ts"
import {
  type Acting,
  challengeReceiver,
  confirmReceiver,
} from "../../../../plugins/capabilities/ping/receivers.ts"
import { challengeOf, newSecret } from "../../../../plugins/capabilities/ping/signature.ts"
import { onEmbedded } from "../../../support/database.ts"
import { openReceiver, receiverSecret } from "../../../support/ping/receiver.ts"
import { openStage } from "../../../support/ping/stage.ts"

await onEmbedded(t, async (t, engine) => {
  const stage = await openStage(t, engine)
  const { build, event, organization, plan, database, database: { writer } } = stage
  t.afterEach(() => stage.clear())

  /** Opens a receiver that is on, and a sender that has found what there was before. */
  const begin = async () => {
    const receiver = await stage.receive()
    const sending = stage.open()
    await sending.run()
    return { receiver, sending, row: () => stage.row(receiver.id) }
  }
  /** An operator who acts for the partner. */
  const acting = async (): Promise<Acting> => ({
    account: { ...await findAccount(writer, "partner"), username: "partner", role: "partner" },
    by: { actor: "op", address: "192.0.2.1", record: async () => {} },
  })
  const never = () => new Promise<number>(() => {})
  const setState = (state: string, id = event) =>
    writer.updateTable("event").set({ status: state as "closed" }).where("id", "=", id).execute()

  await t.test("a change is pinged once, signed, with its event and list", async (t) => {
    await build.guest(event)
    const { receiver, sending, row } = await begin()
    t.strictSame(receiver.read(), [], "nothing from before it was registered")
    const guest = await build.guest(event)
    await sending.run()
    t.strictSame(receiver.read(), [`${event} guests`])
    const [message] = receiver.messages
    t.match(message, {
      headers: { "content-type": "application/json", "user-agent": /^event-export\/\d/ },
    })
    const headers = message?.headers as Record<string, string>
    const content = new Webhook((await row())?.secret ?? "").verify(message?.body ?? "", headers)
    t.match(content, { type: "changed", event, list: "guests", changed: Number })
    t.strictSame(Object.keys(content as object), ["type", "event", "list", "changed"])
    await stage.settle()
    await sending.run(10_000)
    t.strictSame(receiver.read(), [], "and never again")
    const changes: readonly [list: string, change: () => Promise<unknown>][] = [
      ["items", () => build.item("tickets", event)],
      ["items", () => build.item("pledges", event)],
      ["guests", () => build.consent(event, guest)],
      ["events", () => setState("closed")],
      ["guests", () => writer.deleteFrom("guest").where("id", "=", guest).execute()],
    ]
    for (const [list, change] of changes) {
      await change()
      await sending.run()
      t.ok(receiver.read().includes(`${event} ${list}`), list)
    }
    const other = await build.event(organization)
    await sending.run()
    t.strictSame(receiver.read(), [`${other} events`])
    t.match(await row(), {
      ...{ state: "on", attempts: 0, last_status: 204, last_error: null, last_sent: Number },
    })
  })

  await t.test("changes of a list are merged, and pinged once a second at most", async (t) => {
    const { receiver, sending } = await begin()
    const times: number[] = []
    receiver.behave = () => {
      times.push(sending.clock)
      return 204
    }
    for (const end = sending.clock + 10_000; sending.clock < end;) {
      await build.guest(event)
      await sending.run(250)
    }
    await sending.run()
    t.ok(times.length >= 7 && times.length <= 11, `${times.length} pings in ten seconds`)
    t.ok(times.every((at, index) => index === 0 || at - (times[index - 1] ?? NaN) >= 1000))
    const ids = receiver.messages.map(({ headers }) => headers["webhook-id"])
    t.equal(new Set(ids).size, ids.length, "each is a message of its own")
  })

  await t.test("when very much changes at once, polls are left the processor", async (t) => {
    for (let n = 0; n < 10; n++) await build.event(organization)
    for (let n = 0; n < 60; n++) await stage.register("partner", `http://hooks${n}.invalid/`)
    let begun = 0
    const post = () => {
      begun++
      return Promise.resolve({ status: 204, body: "" })
    }
    const sending = stage.open({ poster: { post } })
    await sending.run()
    const { length } = await writer.selectFrom("event").select("id")
      .where("organization_id", "=", organization).execute()
    await writer.updateTable("event").set({ name: "Winter Gala" })
      .where("organization_id", "=", organization).execute()
    await sending.until(() => begun > 0)
    const since = sending.clock
    while (sending.clock < since + 1000) {
      await sending.step()
      sending.clock += 20
    }
    t.ok(begun > ofProcess.atOnce && begun < ofProcess.atOnce + 300, `${begun} within a second`)
    await sending.until(() => begun >= 60 * length)
    t.ok(sending.clock - since > 1500, `all within ${sending.clock - since} ms`)
  })

  await t.test("a host gets twenty requests at once and ten a second, whoever has registered it", async (t) => {
    await build.account("other")
    await build.grant("other", { organization: "acme" })
    for (let n = 0; n < 60; n++) {
      await stage.register(n % 2 ? "partner" : "other", `https://hooks.invalid/${n}`)
    }
    await stage.register("partner", "https://other.invalid/")
    const begun: string[] = []
    const post = (url: string) => {
      begun.push(url)
      return Promise.resolve({ status: 204, body: "" })
    }
    const sending = stage.open({ poster: { post } })
    await sending.run()
    await build.guest(event)
    await sending.until(() => begun.length > 0)
    const since = sending.clock
    await sending.until(() => sending.clock > since + 1000)
    const of = (host: string) => begun.filter((url) => url.includes(host)).length
    t.equal(of("other.invalid"), 1)
    t.ok(of("hooks.invalid") >= toHost.atOnce && of("hooks.invalid") <= 33, `${of("hooks")}`)
    await sending.until(() => new Set(begun).size === 61)
    t.ok(sending.clock - since > 3500, `all within ${sending.clock - since} ms`)
  })

  await t.test("while a receiver is slow, it gets no second request, and what it missed is merged", async (t) => {
    const other = await build.event(organization)
    const { receiver, sending, row } = await begin()
    const answer = Promise.withResolvers<number>()
    receiver.behave = () => answer.promise
    await build.guest(event)
    await sending.until(() => receiver.messages.length === 1)
    for (let n = 0; n < 5; n++) {
      await build.guest(event)
      await build.guest(other)
      sending.clock += await sending.step() + 1000
    }
    t.equal(receiver.messages.length, 1)
    t.match(await row(), { last_sent: null })
    answer.resolve(200)
    await sending.run()
    const all = [`${event} guests`, `${event} guests`, `${other} guests`]
    t.strictSame(receiver.read().sort(), all.sort())
  })

  await t.test("a failed attempt is made again with the same id, and then what is pending", async (t) => {
    const { receiver, sending, row } = await begin()
    receiver.behave = () => 500
    await build.guest(event)
    await sending.until(() => receiver.messages.length === 1)
    await sending.run()
    t.match(await row(), {
      ...{ state: "on", attempts: 1, last_status: 500, last_error: "status", last_sent: null },
      failing_since: Number,
    })
    await build.item("tickets", event)
    await sending.run(1000)
    t.equal(receiver.messages.length, 1, "not before the pause is over")
    t.equal(sending.sender.numbers.waiting, 2, "they wait in memory")
    await sending.until(() => receiver.messages.length === 2)
    const [first, second] = receiver.messages
    t.equal(first?.headers["webhook-id"], second?.headers["webhook-id"])
    t.equal(first?.body, second?.body)
    receiver.behave = () => 204
    receiver.read()
    await sending.run(60_000)
    t.strictSame(receiver.read().sort(), [`${event} guests`, `${event} items`])
    t.match(await row(), { attempts: 0, failing_since: null, last_error: null })
  })

  /** By what happens: what the row has before, what is answered, and what the row has afterwards. */
  const ends: Readonly<Record<string, [before: object, status: number, after: object]>> = {
    "410": [{}, 410, { state: "off", reason: "gone", last_status: 410 }],
    "the last attempt of eight days": [{ attempts: 36 }, 503, {
      ...{ state: "off", reason: "failing", attempts: 37, last_error: "status" },
    }],
    "the last challenge of a day without an answer": [
      { state: "unconfirmed", attempts: 29 },
      204,
      { state: "off", reason: "unconfirmed", attempts: 30, last_error: "no_echo" },
    ],
  }
  for (const [what, [before, status, after]] of Object.entries(ends)) {
    await t.test(`${what} turns a receiver off, and it gets nothing more`, async (t) => {
      const receiver = await openReceiver(t)
      receiver.behave = () => status
      const id = await stage.register("partner", receiver.url, { failing_since: 1, ...before })
      const sending = stage.open()
      await sending.run()
      await build.guest(event)
      await sending.run()
      t.match(await stage.row(id), { failing_since: 1, ...after })
      t.match(stage.entries.at(-1), { message: "a receiver of pings is off", receiver: id })
      await build.guest(event)
      await sending.run(60_000)
      t.equal(receiver.messages.length, 1)
    })
  }

  await t.test("a receiver gets nothing but challenges until it has answered one", async (t) => {
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
    t.equal(one?.body, other?.body, "with the same text")
    t.notOk(receiver.messages.some(({ type }) => type === "changed"))
    receiver.behave = () => 200
    await sending.until(() => sending.sender.numbers.outcomes.delivered === 1)
    t.match(await stage.row(id), { state: "unconfirmed" })
    await build.item("tickets", event)
    await sending.run()
    t.ok(receiver.read().includes(`${event} items`), "what changes before its row is written, too")
    t.match(await stage.row(id), { state: "on", attempts: 0, failing_since: null, reason: null })
  })

  /** What a server answers that does not know the secret. */
  const reflections: Readonly<Record<string, (body: string, headers: object) => string>> = {
    "what it gets": (body) => body,
    "what it gets, with an id": (body) => JSON.stringify({ ...JSON.parse(body), id: 1 }),
    "the text": (body) => JSON.parse(body).challenge,
    "the text as an answer": (body) => JSON.stringify({ answer: JSON.parse(body).challenge }),
    "the signature of the body": (_, headers) => Object(headers)["webhook-signature"],
  }
  for (const [what, reflect] of Object.entries(reflections)) {
    await t.test(`a server that returns ${what} gets no pings`, async (t) => {
      const id = await stage.register("partner", "https://hooks.invalid/", { state: "unconfirmed" })
      const post: Poster["post"] = (_, { body, headers }) =>
        Promise.resolve({ status: 201, body: reflect(body, headers) })
      await stage.open({ poster: { post } }).run()
      t.match(await stage.row(id), { state: "unconfirmed", last_error: "no_echo" })
    })
  }

  await t.test("while a secret is replaced, an answer by either is right", async (t) => {
    const receiver = await openReceiver(t)
    const id = await stage.register("partner", receiver.url, {
      ...{ state: "unconfirmed", secret: newSecret() },
      ...{ former_secret: receiverSecret, former_until: 9_000_000_000 },
    })
    await stage.open().run()
    t.match(await stage.row(id), { state: "on" })
  })

  for (const state of ["on", "unconfirmed"] as const) {
    await t.test(`what was sent while it was ${state} does not turn off a receiver that is challenged anew`, async (t) => {
      const receiver = await openReceiver(t)
      const id = await stage.register("partner", receiver.url, { state })
      const sending = stage.open()
      const answer = Promise.withResolvers<number>()
      receiver.behave = () => receiver.messages.length === 1 ? answer.promise : 503
      if (state === "on") await sending.run(500)
      const run = sending.run()
      if (state === "on") await build.guest(event)
      while (receiver.messages.length === 0) await sleep(1)
      await writer.updateTable("ping_receiver").set((eb) => ({
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

  await t.test("what changed before a receiver that is challenged anew has answered is pinged then", async (t) => {
    const { receiver, sending, row } = await begin()
    receiver.behave = () => 503
    await challengeReceiver(database, receiver.id, await acting())
    t.ok((await row())?.sent_seq)
    await sending.until(() => receiver.messages.at(-1)?.type === "challenge")
    await build.item("tickets", event)
    receiver.behave = () => 200
    await sending.until(async () => (await row())?.state === "on")
    await sending.run()
    t.ok(receiver.read().includes(`${event} items`))
  })

  await t.test("what changes once a receiver is confirmed by hand is pinged, also before the sender knows", async (t) => {
    const receiver = await openReceiver(t)
    receiver.behave = ({ type }) => type === "challenge" ? 503 : 204
    const id = await stage.register("partner", receiver.url, { state: "unconfirmed", sent_seq: 0 })
    const { sending } = await begin()
    await build.guest(event)
    await sending.run(2000)
    t.strictSame(receiver.read(), [])
    const { secrets } = plan.session
    const challenge = challengeOf(
      { id, since: (await stage.row(id))?.since ?? 0 },
      secrets[0] ?? "",
    )
    await confirmReceiver(database, id, { ...await acting(), challenge, secrets })
    await build.item("tickets", event)
    await sending.step()
    await sending.run()
    t.ok(receiver.read().includes(`${event} items`))
  })

  await t.test("both secrets sign until the former one has ended", async (t) => {
    const { receiver, sending, row } = await begin()
    const secret = (await row())?.secret ?? ""
    const next = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
    /** Pings once. Returns what says whether a secret verifies it. */
    const ping = async (former_until: number) => {
      await writer.updateTable("ping_receiver")
        .set({ secret: next, former_secret: secret, former_until }).execute()
      await sending.run()
      await build.guest(event)
      await sending.run()
      const { body = "", headers } = receiver.messages.at(-1) ?? {}
      return (key: string) => new Webhook(key).verify(body, headers as Record<string, string>)
    }
    const both = await ping(4e9)
    t.ok(both(secret))
    t.ok(both(next))
    const only = await ping(1)
    t.ok(only(next))
    t.throws(() => only(secret))
  })

  await t.test("a receiver that hangs or fails holds up no other", async (t) => {
    const bad = []
    for (let n = 0; n < 12; n++) bad.push(await stage.receive())
    const { receiver: good, sending } = await begin()
    const answer = Promise.withResolvers<number>()
    for (const each of bad) each.behave = () => answer.promise
    await build.guest(event)
    await sending.until(() => good.messages.length === 1 && sending.sender.numbers.running < 13)
    t.equal(sending.sender.numbers.running, 12, "each has one request")
    answer.resolve(500)
    await sending.run(1000)
    const again = Promise.withResolvers<number>()
    for (const each of bad) each.behave = () => again.promise
    sending.clock += 10_000
    for (let n = 0; n < 10; n++) sending.clock += await sending.step()
    t.equal(sending.sender.numbers.running, 8, "those that have failed share eight places")
    await build.guest(event)
    await sending.until(() => good.messages.length === 2)
    again.resolve(204)
    await sending.run(10_000)
    t.ok(bad.every(({ messages }) => messages.length >= 2))
  })

  await t.test("many receivers that hang for the first time share 64 requests, and others have their turn", async (t) => {
    const wanted = Array.from({ length: 100 }, (_, n) => `https://hooks${n}.invalid/`)
    for (const url of wanted) await stage.register("partner", url)
    const held = new Set<() => void>()
    const asked = new Set<string>()
    const post = async (url: string) => {
      asked.add(url)
      await new Promise<void>((answer) => held.add(answer))
      return { status: 204, body: "" }
    }
    const sending = stage.open({ poster: { post } })
    await sending.run()
    await build.guest(event)
    let most = 0
    while (asked.size < wanted.length) {
      sending.clock += await sending.step()
      const { running } = sending.sender.numbers
      most = Math.max(most, running)
      if (held.size < running) continue
      for (const answer of held) answer()
      held.clear()
      await sleep(1)
    }
    t.equal(most, 64)
    for (const answer of held) answer()
  })

  await t.test("many that hang keep nobody waiting once they failed, nor when they were removed meanwhile", async (t) => {
    const hanging = await openReceiver(t)
    hanging.behave = never
    const failed = { attempts: 1, failing_since: 1, last_error: "timeout" }
    for (let n = 0; n < 20; n++) await stage.register("partner", `${hanging.url}?${n}`, failed)
    const good = await stage.receive()
    const sending = stage.open()
    await build.guest(event)
    await sending.until(() => hanging.messages.length === 8)
    for (let n = 2; n <= 5; n++) {
      sending.clock += 1000
      await build.guest(event)
      await sending.until(() => good.messages.length === n)
    }
    t.equal(hanging.messages.length, 8)
    await writer.deleteFrom("ping_receiver").where("attempts", "=", 1).execute()
    for (let n = 0; n < 20; n++) {
      await stage.register("partner", `${hanging.url}?again${n}`, { ...failed, sent_seq: 1 })
    }
    for (let n = 0; n < 50; n++) sending.clock += await sending.step()
    t.equal(hanging.messages.length, 8)
    await hanging.close()
  })
})
