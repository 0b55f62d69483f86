import t from "tap"
import { grantAccess } from "../../../core/access/grants.ts"
import { freshApp, testConfig } from "../../support/app.ts"
import { onEveryEngine } from "../../support/database.ts"
import { insertSession, Sessions } from "../../../core/access/sessions.ts"
import { startInstance } from "../../../core/kernel/instance.ts"
import { copiedUrl, openFor } from "../../support/database.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { Builder } from "../../support/builder.ts"
import { listAccounts } from "../../../core/access/accounts.ts"
import { isLive } from "../../support/live-session.ts"
import { setTimeout } from "node:timers/promises"

const now = () => Math.floor(Date.now() / 1000)

await onEveryEngine(t, async (t, engine) => {
  const { database, build, logIn } = await freshApp(t, engine)
  const acme = await build.organization("acme")
  const event = await build.event(acme)
  await build.account("ann")
  const get = await logIn("ann")
  const path = `/connector-b/v1/events/${event}/guests`
  const statuses = async () => [
    (await get(path)).status,
    (await (await get("/connector-b/v1/events")).json()).length,
  ]

  await t.test("a grant gives access until its end, to an event and in the list", async (t) => {
    for (const target of [{ organization: "acme" }, { event }]) {
      await grantAccess(database, "ann", target, { ends: now() + 1000 })
      t.strictSame(await statuses(), [200, 1])
      await grantAccess(database, "ann", target, { ends: now() })
      t.strictSame(await statuses(), [404, 0])
    }
  })

  await t.test("an account without any grant reads nothing", async (t) => {
    await build.account("bare")
    const get = await logIn("bare")
    t.equal((await get(path)).status, 404)
    t.strictSame(await (await get("/connector-b/v1/events")).json(), [])
  })
})

await onEveryEngine(t, async (t, engine) => {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  const id = await build.account("ann")
  const config = await testConfig(url)
  const instance = await startInstance(config, {
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  })
  t.teardown(() => instance.close())
  const open = async (account = id) => {
    const sessions = new Sessions(database, { ...config.session, secure: false })
    const [cookie = ""] = (await sessions.open({ id: account, epoch: 0 })).cookie.split(";")
    return (address: string) =>
      instance.fetch(
        new Request(`http://localhost/connector-b/v1/events/${event}/guests`, {
          headers: { cookie },
        }),
        { address },
      )
  }

  await t.test("a grant with networks gives access only to callers from them", async (t) => {
    await grantAccess(database, "ann", { organization: "acme" }, {
      networks: ["192.0.2.0/24", "2001:db8::/32"],
    })
    const get = await open()
    t.equal((await get("192.0.2.77")).status, 200)
    t.equal((await get("2001:db8::7")).status, 200)
    t.equal((await get("198.51.100.1")).status, 404)
    t.match(await (await get("unknown")).json(), { code: "event_not_found" })
  })

  await t.test("requests of one session from several addresses at once get the grants of their own address", async (t) => {
    await grantAccess(database, "ann", { organization: "acme" }, { networks: ["192.0.2.0/24"] })
    const get = await open()
    const addresses = ["192.0.2.77", "198.51.100.1", "192.0.2.77", "198.51.100.1"]
    const responses = await Promise.all(addresses.map(get))
    t.strictSame(responses.map(({ status }) => status), [200, 404, 200, 404])
  })

  await t.test("an account that was disabled is refused, even if its session is left", async (t) => {
    const get = await open()
    const set = (disabled: number) =>
      database.writer.updateTable("account").set({ disabled }).where("id", "=", id).execute()
    t.equal((await get("192.0.2.77")).status, 200)
    await set(1)
    t.equal((await get("192.0.2.77")).status, 401)
    await set(0)
  })

  await t.test("a session from before a revocation is refused, even if a log-in at that moment opened it", async (t) => {
    const get = await open()
    const set = (epoch: number) =>
      database.writer.updateTable("account").set({ epoch }).where("id", "=", id).execute()
    t.equal((await get("192.0.2.77")).status, 200)
    await set(1)
    t.equal((await get("192.0.2.77")).status, 401)
    await set(0)
  })

  await t.test("a session is valid only for the account that its cookie names", async (t) => {
    const other = await build.account("bob")
    const session = await insertSession(database, id, 60)
    t.equal(await isLive(database, { session, epoch: 0, account: id }), true)
    t.equal(await isLive(database, { session, epoch: 0, account: other }), false)
  })

  await t.test("a session ends if it is not used, and lasts if it is used", async (t) => {
    const [used, unused] = [await open(), await open()]
    await database.writer.updateTable("session").set({ created: now() - 604_900 }).execute()
    t.equal((await unused("192.0.2.1")).status, 401)
    await database.writer.updateTable("session").set({ used: now() - 604_000 }).execute()
    t.equal((await used("192.0.2.1")).status, 200)
  })

  await t.test("the service stores the time of the last poll, once per minute and in the background", async (t) => {
    const begin = now()
    const refused = await open(await build.account("bare"))
    t.equal((await refused("192.0.2.1")).status, 404)
    const get = await open()
    for (let n = 0; n < 5; n++) t.equal((await get("192.0.2.1")).status, 200)
    const isStored = async () => {
      const rows = await database.writer.selectFrom("session").select("used").execute()
      return rows.some(({ used }) => used !== null && used >= begin)
    }
    while (!await isStored()) await setTimeout(20)
    const accountOf = async (name: string) =>
      (await listAccounts(database)).find(({ username }) => username === name)
    const lastPoll = async () => (await accountOf("ann"))?.lastPoll ?? 0
    while (await lastPoll() < begin) await setTimeout(20)
    t.ok(await lastPoll() <= now())
    t.equal((await accountOf("bare"))?.lastPoll, null, "a refused request is no poll")
  })
})
