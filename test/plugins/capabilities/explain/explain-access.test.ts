import t from "tap"
import { writeAddresses } from "../../../../plugins/capabilities/partners/last-request.ts"
import { explainAccess } from "../../../../plugins/capabilities/explain/explain-access.ts"
import { grantAccess, type GrantTarget } from "../../../../plugins/capabilities/accounts/grants.ts"
import { Sessions } from "../../../../core/access/sessions.ts"
import type { EndReason, Role } from "../../../../core/data/service-tables.ts"
import { startInstance } from "../../../conformance/instance.ts"
import { generous, testConfig } from "../../../support/app.ts"
import { Builder } from "../../../support/builder.ts"
import { copiedUrl, onEmbedded, openFor } from "../../../support/database.ts"
import { Random } from "../../../support/random.ts"

/** Enough for all kinds of reasons. */
const rounds = 20

await onEmbedded(t, async (t, engine) => {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  const { writer } = database
  const build = new Builder(database)
  const given = await testConfig(url)
  const config = { ...given, limits: generous, session: { ...given.session, idle: 5000 } }
  const instance = await startInstance(config, {
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  })
  t.teardown(() => instance.close())
  const sessions = new Sessions(database, { ...config.session, secure: false })
  const slugs = ["acme", "borealis", "elsewhere"]
  const events: string[] = [crypto.randomUUID()]
  for (const slug of slugs) events.push(await build.event(await build.organization(slug)))
  /** The id of a record in each event. */
  const record = crypto.randomUUID()
  for (const event of events.slice(1)) {
    await build.guest(event, { id: record })
    await build.item("tickets", event, { id: record })
  }
  const { idle } = config.session
  const now = Math.floor(Date.now() / 1000)

  await t.test("explainAccess says what requests get, whatever the account, session, grants, event and address", async (t) => {
    const random = new Random(2)
    const seen = new Set<string>()
    for (let round = 0; round < rounds; round++) {
      const username = random.pick(["acme-export", "borealis-export", "ann"])
      await writer.deleteFrom("account").where("username", "=", username).execute()
      const id = await build.account(
        username,
        random.pick<Role>(["service", "partner", "operator"]),
      )
      const [cookie = ""] = (await sessions.open({ id, epoch: 0 })).cookie.split(";")
      const change = random.pick<
        { expires?: number; reason?: EndReason; created?: number; used?: number }
      >([
        ...[{}, {}, {}, {}],
        { expires: now - 100 },
        { expires: now + 9000, reason: "revoked" },
        { expires: now + 9000, reason: "replaced" },
        { created: now - 9000 },
        { created: now - 9000, used: now - 60 },
      ])
      if (Object.keys(change).length > 0) {
        await writer.updateTable("session").set(change).where("account_id", "=", id).execute()
      }
      const disabled = random.pick([0, 0, 0, 1])
      await writer.updateTable("account").set({ disabled }).where("id", "=", id).execute()
      for (let n = random.pick([0, 1, 2]); n > 0; n--) {
        const targets: GrantTarget[] = [
          ...slugs.map((organization) => ({ organization })),
          ...events.slice(1).map((event) => ({ event })),
        ]
        await grantAccess(database, username, random.pick(targets), {
          ...random.pick([{}, {}, { ends: now - 5 }, { ends: now + 9000 }]),
          ...random.pick([{}, {}, { networks: ["192.0.2.0/24", "2001:db8::/32"] }]),
        })
      }
      const eventId = random.pick(events)
      const address = random.pick(["192.0.2.7", "198.51.100.7", "2001:db8::7"])
      const question = { username, eventId, address, idle }
      const { routes } = await explainAccess(database, config.routes, question)
      t.ok(routes.length >= 10)
      const found = []
      for (const { path } of routes) {
        const response = await instance.fetch(
          new Request(`http://localhost${path.replace(":id", record)}`, { headers: { cookie } }),
          { address },
        )
        const body = await response.text()
        found.push([path, response.status, response.ok ? null : JSON.parse(body).code])
      }
      const circumstances = JSON.stringify({ ...question, change, disabled })
      t.strictSame(
        routes.map(({ path, status, code }) => [path, status, code]),
        found,
        circumstances,
      )
      for (const { code, decider } of routes) seen.add(`${code} ${decider}`)
    }
    t.strictSame([...seen].sort(), [
      "connector_not_enabled configuration",
      "event_not_found configuration",
      "event_not_found event",
      "event_not_found grant",
      "not_available configuration",
      "not_service_user account",
      "not_service_user configuration",
      "null grant",
      "unauthenticated account",
      "unauthenticated session",
    ], "all kinds have come up")
  })

  await t.test("explainAccess names what decides, and the status with a session", async (t) => {
    const id = await build.account("eve")
    const [, event = "", ofBorealis = ""] = events
    const explain = async (eventId = event, address?: string) => {
      const question = { username: "eve", eventId, address, family: "connector-b" }
      const { routes } = await explainAccess(database, config.routes, question)
      return routes.find(({ path }) => path.endsWith("/guests"))
    }
    const session = { created: now - 90, expires: now - 60, account_id: id, id: "a-session" }
    t.match(await explain(), { status: 401, loggedIn: 404, reason: /has never logged in/ })
    await writer.insertInto("session").values({ ...session, reason: "replaced" }).execute()
    t.match(await explain(), { status: 401, reason: /ended at 20\S+Z \(replaced\)/ })
    await writer.insertInto("session")
      .values({ ...session, id: "another", expires: now + 3600 }).execute()
    t.match(await explain(), { status: 404, decider: "grant", reason: /has no grant/ })
    await grantAccess(database, "eve", { organization: "acme" }, { ends: now - 60 })
    t.match(await explain(), { status: 404, reason: /organization acme, until 20\S+Z, has ended/ })
    await grantAccess(database, "eve", { organization: "acme" }, { networks: ["192.0.2.0/24"] })
    t.match(await explain(), { status: 200, reason: /acme, from 192.0.2.0\/24 lets it read/ })
    const elsewhere = { status: 404, reason: /is not valid from 198.51.100.1/ }
    t.match(await explain(event, "198.51.100.1"), elsewhere)
    const addresses = [["198.51.100.1", 404], ["unknown", 200], ["192.0.2.7", 200]] as const
    const { signal } = new AbortController()
    for (const [address, status] of addresses) {
      await writeAddresses(database, [{ account_id: id, at: now, address }], signal)
      t.match(await explain(), { status }, address)
    }
    t.match(await explain(ofBorealis), { status: 404, reason: /no grant .* organization borealis/ })
  })

  await t.test("explainAccess refuses unknown accounts, families, events and addresses", async (t) => {
    const ask = (own: Partial<Parameters<typeof explainAccess>[2]> = {}) =>
      explainAccess(database, config.routes, { username: "eve", eventId: events[1] ?? "", ...own })
    const wrong = [
      [{ username: "nobody" }, /nobody/],
      [{ family: "nothing" }, /not a plugin or prefix/],
      ...["", "1", "$&", "é"].map((eventId) => [{ eventId }, /is not the id of an event/] as const),
      [{ address: "é" }, /^é is not an IP address\.$/],
    ] as const
    for (const [own, message] of wrong) await t.rejects(ask(own), { name: "UserError", message })
    const { routes } = await ask({ family: "/acme/v1" })
    t.strictSame(new Set(routes.map(({ route }) => route.plugin)), new Set(["custom-export"]))
  })
})
