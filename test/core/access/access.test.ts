import { setTimeout } from "node:timers/promises"
import t from "tap"
import { listAccounts } from "../../../plugins/capabilities/accounts/list-accounts.ts"
import { grantAccess } from "../../../plugins/capabilities/accounts/grants.ts"
import { insertSession, Sessions } from "../../../core/access/sessions.ts"
import { startInstance } from "../../conformance/instance.ts"
import { testConfig } from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { copiedUrl, onEmbedded, openFor } from "../../support/database.ts"
import { isLive } from "../../support/live-session.ts"

const now = () => Math.floor(Date.now() / 1000)

await onEmbedded(t, async (t, engine) => {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  const { writer } = database
  const build = new Builder(database)
  const acme = await build.organization("acme")
  const [event, other] = [await build.event(acme), await build.event(acme)]
  const id = await build.account("ann")
  const config = await testConfig(url)
  const instance = await startInstance(config, {
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    recorderTimes: { every: 1 },
  })
  t.teardown(() => instance.close())
  /** Opens a session of an account. Returns what reads from an address. */
  const open = async (account = id) => {
    const sessions = new Sessions(database, { ...config.session, secure: false })
    const [cookie = ""] = (await sessions.open({ id: account, epoch: 0 })).cookie.split(";")
    return (address: string, path = `events/${event}/guests`) => {
      const url = `http://localhost/connector-b/v1/${path}`
      return instance.fetch(new Request(url, { headers: { cookie } }), { address })
    }
  }
  type Get = Awaited<ReturnType<typeof open>>
  const eventsOf = async (get: Get) =>
    (await (await get("192.0.2.1", "events")).json()).map((each: { id: string }) => each.id)

  const targets = [
    [{ organization: "acme" }, [event, other], 200],
    [{ event }, [event], 404],
  ] as const
  for (const [target, events, ofOther] of targets) {
    await t.test(`a grant of ${Object.keys(target)} gives access to it until its end, in lists and by id`, async (t) => {
      const get = await open()
      await grantAccess(database, "ann", target, { ends: now() + 1000 })
      t.equal((await get("192.0.2.1")).status, 200)
      t.equal((await get("192.0.2.1", `events/${other}/guests`)).status, ofOther)
      t.strictSame((await eventsOf(get)).toSorted(), events.toSorted())
      await grantAccess(database, "ann", target, { ends: now() })
      t.equal((await get("192.0.2.1")).status, 404)
      t.strictSame(await eventsOf(get), [])
    })
  }

  await t.test("a grant with networks gives access only to callers from them, also to one session from several at once", async (t) => {
    await grantAccess(database, "ann", { organization: "acme" }, {
      networks: ["192.0.2.0/24", "2001:db8::/32"],
    })
    const get = await open()
    // As many as run at once.
    const addresses = ["192.0.2.77", "198.51.100.1", "2001:db8::7", "unknown"]
    const responses = await Promise.all(addresses.map((address) => get(address)))
    t.strictSame(responses.map(({ status }) => status), [200, 404, 200, 404])
    t.match(await responses[3]?.json(), { code: "event_not_found" })
  })

  await t.test("a session is refused when its account is disabled or has another epoch, and is for that account alone", async (t) => {
    // Also if a log-in at that moment has opened the session, or left it.
    for (const column of ["disabled", "epoch"] as const) {
      const get = await open()
      t.equal((await get("192.0.2.77")).status, 200)
      const set = (value: number) =>
        writer.updateTable("account").set({ [column]: value }).where("id", "=", id).execute()
      await set(1)
      t.equal((await get("192.0.2.77")).status, 401)
      await set(0)
    }
    const [bob, session] = [await build.account("bob"), await insertSession(database, id, 60)]
    t.equal(await isLive(database, { session, epoch: 0, account: id }), true)
    t.equal(await isLive(database, { session, epoch: 0, account: bob }), false)
  })

  await t.test("a session ends if it is not used, and lasts if it is used", async (t) => {
    const [used, unused] = [await open(), await open()]
    await writer.updateTable("session").set({ created: now() - 604_900 }).execute()
    t.equal((await unused("192.0.2.1")).status, 401)
    await writer.updateTable("session").set({ used: now() - 604_000 }).execute()
    t.equal((await used("192.0.2.1")).status, 200)
  })

  await t.test("the service stores the time of the last poll in the background, and none of a refused one", async (t) => {
    const accountOf = async (name: string) =>
      (await listAccounts(database)).find(({ username }) => username === name)
    const [refused, admitted] = [await build.account("cleo"), await build.account("dora")]
    await grantAccess(database, "dora", { event })
    const begin = now()
    t.equal((await (await open(refused))("192.0.2.1")).status, 404)
    t.strictSame(await eventsOf(await open(await build.account("bare"))), [])
    t.equal((await (await open(admitted))("192.0.2.1")).status, 200)
    while ((await accountOf("dora"))?.lastPoll === null) await setTimeout(5)
    const lastPoll = Number((await accountOf("dora"))?.lastPoll)
    t.ok(lastPoll >= begin && lastPoll <= now())
    t.equal((await accountOf("cleo"))?.lastPoll, null)
  })
})
