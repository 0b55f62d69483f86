import type { ServerResponse } from "node:http"
import t, { type Test } from "tap"
import { Builder } from "../../../support/builder.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { MemoryStore } from "../../../support/pull/memory.ts"
import { faults, type Passed, Proxy } from "../../../support/pull/proxy.ts"
import { openStage } from "../../../support/pull/stage.ts"
import { readTables } from "../../../support/pull/tables.ts"
import { itemCategories } from "../../../../core/records/kinds/items.ts"

t.setTimeout(120_000)

await onEveryEngine(t, async (t, engine) => {
  const { database, base } = await openStage(t, engine)
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const event = await build.event(organization)
  const guests = await build.guests(event, 50)
  for (const category of itemCategories) await build.items(category, event, 8)
  await build.account("acme-export", "service")
  await build.grant("acme-export", { organization: "acme" })
  const tables = () => readTables(database, event)

  const open = async (t: Test) => {
    const proxy = await Proxy.open(base)
    t.teardown(() => proxy.close())
    const store = new MemoryStore()
    const run = (options = {}, commits?: number) =>
      store.run({ base: proxy.url, limit: 10, timeout: 1, ...options }, commits)
    return { proxy, store, run }
  }
  const add = async () => {
    await build.guest(event, { updated: Math.floor(Date.now() / 1000) })
  }
  const remove = async (id: string | undefined) => {
    await database.writer.deleteFrom("guest").where("event_id", "=", event)
      .where("id", "=", id ?? "").execute()
  }

  await t.test("sync yields all records, then only what has changed", async (t) => {
    const { store, run } = await open(t)
    t.equal(await run(), 0)
    t.equal(store.of(event, "guests").length, 50)
    t.strictSame(store.wrong(event, await tables()), [])
    await remove(guests.shift())
    await add()
    t.equal(await run(), 0)
    t.strictSame(store.wrong(event, await tables()), [])
    t.equal(await run(), 0)
    t.ok(store.requests <= 6, "a quiet run needs one request per list")
  })

  await t.test("sync ends with an equal copy whatever breaks its responses", {
    skip: engine === "mysql" && "the database makes no difference",
  }, async (t) => {
    // All at once, because clients wait before they repeat a request.
    await Promise.all(
      Object.keys(faults).map(async (name) => {
        const { proxy, store, run } = await open(t)
        let count = 0
        // One takes as long as the time limit, the other begins a walk again.
        const often = ["a response that never ends", "410 cursor"].includes(name) ? 12 : 3
        proxy.choose = () => ++count % often === 2 ? name : undefined
        let code = 1
        for (let runs = 0; code === 1 && runs < 5; runs++) code = await run()
        t.equal(code, 0, name)
        t.ok(proxy.counts.get(name), `${name} happened`)
        t.strictSame(store.wrong(event, await tables()), [], name)
        t.equal(proxy.leaks, 0, "credentials stay with the service")
      }),
    )
  })

  await t.test("sync continues a walk where the last run was interrupted", async (t) => {
    const { proxy, store, run } = await open(t)
    t.equal(await run({}, 4), -1)
    t.equal(store.of(event, "guests").length, 30)
    const before = proxy.seen.length
    await add()
    t.equal(await run(), 0)
    t.match(proxy.seen[before + 1]?.path, /cursor=/)
    t.strictSame(store.wrong(event, await tables()), [], "what has changed since is there, too")
  })

  await t.test("sync keeps since and tag until a walk is complete", async (t) => {
    const { store, run } = await open(t)
    await run()
    const before = structuredClone(store.state?.lists[`${event}/guests`])
    for (let count = 0; count < 15; count++) await add()
    t.equal(await run({}, 2), -1)
    const between = store.state?.lists[`${event}/guests`]
    t.ok(between?.walk, "a walk is under way")
    t.strictSame([between?.since, between?.tags], [before?.since, before?.tags])
    await run()
    t.not(store.state?.lists[`${event}/guests`]?.tags.records, before?.tags.records)
    t.strictSame(store.wrong(event, await tables()), [])
  })

  await t.test("sync reads everything again after a 410, and removes what is gone", async (t) => {
    const { proxy, store, run } = await open(t)
    await run()
    await remove(guests.shift())
    let count = 0
    proxy.choose = (path) =>
      path.includes("/guests/deletions") && count++ === 0 ? "410 resync" : undefined
    t.equal(await run(), 0)
    t.equal(store.state?.lists[`${event}/guests`]?.generation, 2)
    t.strictSame(store.wrong(event, await tables()), [])
  })

  await t.test("sync repairs what differs from the digest, once a day, and says that the copy is right", async (t) => {
    const { proxy, store, run } = await open(t)
    await run()
    const [lost = "", changed = "", ...others] = store.of(event, "guests")
    const key = (record: unknown) => `${event} guests ${(record as { id: string }).id}`
    store.records.delete(key(lost))
    store.records.set(key({ id: "phantom" }), store.records.get(key(others[0])) as never)
    const old = store.records.get(key(changed))
    if (old) store.records.set(key(changed), { ...old, record: { ...old.record, updated: 1 } })
    t.equal(await run(), 0)
    t.not(store.wrong(event, await tables()).length, 0, "it was compared less than a day ago")
    const list = store.state?.lists[`${event}/guests`]
    if (list) list.checked = (list.since ?? 0) - 86_400
    t.equal(await run(), 0)
    t.strictSame(store.wrong(event, await tables()), [])
    if (list) Object.assign(store.state?.lists[`${event}/guests`] ?? {}, { checked: null })
    t.equal(await run(), 0)
    const saysSo = proxy.seen.filter(({ path }) =>
      /digest\?hash=&mine=[0-9a-f]{64}&fields=[0-9a-f]{8}$/.test(path)
    )
    t.ok(saysSo.length > 0)
  })

  await t.test("sync asks nothing of events that have not changed, if the list of events says so", async (t) => {
    const { proxy, store, run } = await open(t)
    let changed: number | null = null
    proxy.own = {
      changed: (response, { status, headers, body }) => {
        if (status !== 200) return response.writeHead(status, headers).end(body)
        const { etag: _, "content-length": _l, ...kept } = headers
        const events = JSON.parse(new TextDecoder().decode(body)) as object[]
        const text = JSON.stringify(events.map((each) => ({ ...each, changed })))
        response.writeHead(status, kept).end(text)
      },
    }
    proxy.choose = (path) => /\/events\?/.test(path) ? "changed" : undefined
    proxy.plain = true
    await run()
    t.equal(await run(), 0)
    t.equal(store.requests, 1)
    await add()
    changed = store.state?.lists[`${event}/guests`]?.since ?? 0
    t.equal(await run(), 0)
    t.ok(store.requests > 1)
    t.strictSame(store.wrong(event, await tables()), [])
  })

  await t.test("sync lets the service hold its first request", async (t) => {
    const { proxy, store, run } = await open(t)
    await run({ wait: 1 })
    t.equal(store.state?.waits, false)
    t.notOk(proxy.seen.some(({ headers }) => headers["prefer"]), "there is nothing to compare with")
    const before = proxy.seen.length
    t.equal(await run({ wait: 1 }), 0)
    t.equal(proxy.seen[before]?.headers["prefer"], "wait=1")
    t.equal(store.state?.waits, true)
    const next = proxy.seen.length
    let count = 0
    proxy.choose = () => count++ === 0 ? "502 with HTML" : undefined
    t.equal(await run({ wait: 1 }), 0)
    const preferences = proxy.seen.slice(next).map(({ headers }) => headers["prefer"])
    t.strictSame(preferences.slice(0, 2), ["wait=1", undefined], "a proxy may not let it wait")
  })

  await t.test("sync logs in again, once, if its session has ended", async (t) => {
    const { proxy, store, run } = await open(t)
    await run()
    if (store.state) store.state.session = { user: "acme-export", cookie: "event_export_session=x" }
    const before = proxy.seen.length
    t.equal(await run(), 0)
    const paths = proxy.seen.slice(before).map(({ path }) => path)
    t.equal(paths.filter((path) => path === "/session").length, 1)
  })

  await t.test("sync tries a wrong password once", async (t) => {
    const { proxy, run } = await open(t)
    t.equal(await run({ password: "wrong" }), 2)
    t.equal(proxy.seen.filter(({ path }) => path === "/session").length, 1)
  })

  await t.test("sync sends a token, and does not log in if it is not valid", async (t) => {
    const { proxy, run } = await open(t)
    t.equal(await run({ token: "no token", password: undefined }), 2)
    t.equal(proxy.seen[0]?.headers["authorization"], "Bearer no token")
    t.notOk(proxy.seen.some(({ path }) => path === "/session"))
  })

  await t.test("sync of a family whose items are only announced has the guests", async (t) => {
    const { store, run } = await open(t)
    t.equal(await run({ family: "/connector-a/v1" }), 0)
    t.equal(store.of(event, "guests").length, store.keys(event, "guests").length)
    t.ok(store.of(event, "guests").length >= 50)
  })

  await t.test("sync refuses the state of another family", async (t) => {
    const { run } = await open(t)
    await run()
    t.equal(await run({ family: "/connector-a/v1" }), 2)
  })

  await t.test("sync reads a list of events of several pages", async (t) => {
    const { store, run } = await open(t)
    const empty = [await build.event(organization), await build.event(organization)]
    t.equal(await run({ limit: 1, events: empty.slice(0, 1) }), 0)
    t.equal([...store.records.keys()].filter((key) => / events /.test(key)).length, 3)
    t.equal(await run({ limit: 1, events: empty }), 0)
    t.equal(store.gone.size, 0)
  })

  await t.test("sync finds an event that moves to the front of the list while it is read", async (t) => {
    const { store, proxy, run } = await open(t)
    const own = [await build.event(organization), await build.event(organization)].toSorted()
    t.equal(await run({ limit: 1, events: own }), 0)
    await database.writer.updateTable("event").set({ name: "Winter Gala" })
      .where("id", "=", own[0] ?? "").execute()
    const moved = (response: ServerResponse, { status, headers, body }: Passed) =>
      database.writer.updateTable("event").set({ name: "Spring Gala" })
        .where("id", "=", own[1] ?? "").execute()
        .then(() => response.writeHead(status, headers).end(body))
    proxy.own = { moved }
    const fronts = ["moved"]
    proxy.choose = (path) => path.includes("/events?since=-1") ? fronts.pop() : undefined
    t.equal(await run({ limit: 1, events: own }), 0)
    t.strictSame(fronts, [])
    t.equal(store.gone.size, 0)
  })

  await t.test("sync reports an event that can no longer be read once, and keeps its records", async (t) => {
    const { store, run } = await open(t)
    const other = await build.event(organization)
    await build.guests(other, 3)
    t.equal(await run(), 0)
    await database.writer.updateTable("event").set({
      organization_id: await build.organization("else"),
    })
      .where("id", "=", other).execute()
    t.equal(await run(), 4)
    t.strictSame([...store.gone], [other])
    t.equal(store.of(other, "guests").length, 3)
    t.equal(await run(), 0)
    t.equal(await run({ events: [other] }), 4, "but always if it was asked for")
  })
})
