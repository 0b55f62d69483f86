import { randomUUID } from "node:crypto"
import type { ServerResponse } from "node:http"
import { sql } from "kysely"
import t from "tap"
import { categories } from "../../../../core/records/kinds/categories.ts"
import { onEmbedded } from "../../../support/database.ts"
import type { Fault, Passed } from "../../../support/pull/proxy.ts"
import { openFilledStage } from "../../../support/pull/filled-stage.ts"

await onEmbedded(t, async (t, engine) => {
  const { database, build, organization, event, guests, tables, open } = await openFilledStage(
    t,
    engine,
  )
  const add = async () => {
    await build.guest(event, { updated: Math.floor(Date.now() / 1000) })
  }
  const remove = async (id: string | undefined) => {
    await database.writer.deleteFrom("guest").where("event_id", "=", event)
      .where("id", "=", id ?? "").execute()
  }

  await t.test("sync yields all records, then only what has changed", async (t) => {
    const { proxy, store, run } = await open(t)
    t.equal(await run(), 0)
    t.ok(proxy.seen.some(({ path }) => path.includes("/guests/export?")), "by exports")
    t.equal(store.of(event, "guests").length, 50)
    t.strictSame(store.wrong(event, await tables()), [])
    await remove(guests.shift())
    await add()
    t.equal(await run(), 0)
    t.strictSame(store.wrong(event, await tables()), [])
    t.equal(await run(), 0)
    t.ok(store.requests <= 2, "a quiet run needs one request, and one per event that has changed")
  })

  await t.test("sync continues exports where the last run was interrupted", async (t) => {
    const { proxy, store, run } = await open(t)
    t.equal(await run({}, 9), -1)
    t.equal(store.state?.events[event]?.exports?.length, 1, "guests are left")
    const before = proxy.seen.length
    await add()
    await remove(guests.pop())
    t.equal(await run(), 0)
    t.match(proxy.seen[before + 1]?.path, /guests\/export\?.*cursor=/)
    t.strictSame(store.wrong(event, await tables()), [], "what has changed since is there, too")
  })

  await t.test("sync reads what changes between and after the exports", async (t) => {
    const { proxy, store, run } = await open(t)
    const [first = "", second = ""] = guests
    let count = 0
    const changing = (response: ServerResponse, { status, headers, body }: Passed) => {
      const work = async () => {
        // One that was not read yet moves to the front, one that was read is deleted, one comes.
        const oldest = count === 1 ? first : second
        await database.writer.updateTable("guest").set({ mobile: String(count) })
          .where("event_id", "=", event).where("id", "=", oldest).execute()
        if (count > 1) await remove(guests.pop())
        await add()
        response.writeHead(status, headers).end(body)
      }
      void work()
    }
    proxy.own = { changing }
    proxy.choose = (path) =>
      path.includes("/guests/export?") && ++count <= 3 ? "changing" : undefined
    t.equal(await run(), 0)
    t.equal(Math.min(count, 3), 3)
    t.strictSame(store.wrong(event, await tables()), [])
  })

  await t.test("sync reads the feed from its beginning if there are no exports, or they are cut", async (t) => {
    const { proxy, store, run } = await open(t)
    proxy.own = { altered: edited((text) => text.replace("guest", "ghost")) }
    for (const fault of ["no exports", "a response that is too short", "altered"]) {
      store.state = undefined
      store.records.clear()
      proxy.plain = fault === "altered"
      proxy.choose = (path) => path.includes("/guests/export?") ? fault : undefined
      const before = proxy.seen.length
      t.equal(await run(), 0, fault)
      t.strictSame(store.wrong(event, await tables()), [], fault)
      const paths = proxy.seen.slice(before).map(({ path }) => path)
      t.equal(paths.filter((path) => /changes\?after=&/.test(path)).length, 2, fault)
    }
  })

  await t.test("sync keeps nothing that is deleted between two ways of reading", async (t) => {
    // As if so long ago that the feed that begins then does not have the deletion any more.
    const settle = async () => {
      for (const table of ["event_change", "deletion"] as const) {
        await database.writer.updateTable(table).set({ at: sql`at - 100` }).execute()
      }
    }
    const feedThenExports = (response: ServerResponse, { status, headers, body }: Passed) => {
      const { changes: [{ category, id }] } = JSON.parse(new TextDecoder().decode(body))
      void database.writer.deleteFrom(categories[category as "tickets"]).where("id", "=", id)
        .execute().then(settle).then(() => response.writeHead(status, headers).end(body))
    }
    const [ticket = ""] = await build.items("tickets", event, 1)
    const exportsThenFeed = (response: ServerResponse) => {
      void database.writer.deleteFrom("ticket").where("id", "=", ticket).execute().then(settle)
        .then(() => response.writeHead(404, { "content-type": "application/problem+json" }))
        .then(() => response.end(JSON.stringify({ code: "not_found" })))
    }
    const places = { feedThenExports: "after=&", exportsThenFeed: "/guests/export?" }
    for (const [name, place] of Object.entries(places)) {
      const { proxy, store, run } = await open(t)
      proxy.plain = true
      // They would repair it.
      proxy.hideDigests()
      proxy.own = { ...proxy.own, feedThenExports, exportsThenFeed }
      const { choose } = proxy
      proxy.choose = (path) => path.includes(place) ? name : choose(path)
      t.equal(await run(), 0)
      t.equal(proxy.counts.get(name), 1)
      t.strictSame(store.wrong(event, await tables()), [], name)
    }
  })

  await t.test("sync reads what was committed behind a walk that an earlier run began", async (t) => {
    const { proxy, store, run } = await open(t)
    // They would repair it.
    proxy.hideDigests()
    await run()
    const updated = Math.floor(Date.now() / 1000)
    for (const digit of "23456") {
      await build.guest(event, { id: digit + randomUUID().slice(1), updated })
    }
    t.equal(await run({ limit: 2 }, 3), -1, "it is stopped behind some guests of this second")
    const late = "0" + randomUUID().slice(1)
    await build.guest(event, { id: late, updated: updated - 1 })
    t.equal(await run({ limit: 2 }), 0)
    t.strictSame(store.wrong(event, await tables()), [])
    guests.push(late)
  })

  await t.test("sync keeps the cursor of what was committed", async (t) => {
    const { store, run } = await open(t)
    await run()
    const before = store.state?.events[event]
    for (let count = 0; count < 15; count++) await add()
    t.equal(await run({}, 2), -1)
    const between = store.state?.events[event]
    t.strictSame([between?.upTo, between?.cursor === before?.cursor], [null, false])
    t.equal(await run(), 0)
    t.strictSame(store.wrong(event, await tables()), [])
  })

  await t.test("sync reads everything again after a 410, and keeps what it has until then", async (t) => {
    const { proxy, store, run } = await open(t)
    await run()
    const gone = guests.shift() ?? ""
    await remove(gone)
    const has = () => store.of(event, "guests").some(({ id }) => id === gone)
    let count = 0
    proxy.choose = (path) =>
      /changes\?after=[^&n]/.test(path) && count++ === 0 ? "410 resync" : undefined
    t.equal(await run({}, 6), -1)
    t.strictSame([has(), store.state?.events[event]?.generation], [true, 2])
    t.equal(await run(), 0)
    t.strictSame([has(), store.state?.events[event]?.generation], [false, 2])
    t.strictSame(store.wrong(event, await tables()), [])
  })

  await t.test("sync takes over the state of version 1, and removes what was deleted since", async (t) => {
    const { store, run } = await open(t)
    await run()
    const { source = "", session = null } = store.state ?? {}
    await remove(guests.shift())
    await add()
    const list = { generation: 3 }
    const lists = { [`${event}/guests`]: list, [`${event}/items`]: { generation: 1 } }
    const state = { version: 1, source, session, events: { [event]: {} }, lists } as const
    t.equal(await run({ state }), 0)
    t.equal(store.state?.events[event]?.generation, 4)
    t.strictSame(store.wrong(event, await tables()), [])
  })

  await t.test("sync reads everything again once records have other fields", async (t) => {
    const { proxy, store, run } = await open(t)
    // As a service that does not know a field: the checksums of exports would tell.
    const lacking = (text: string) => text.replaceAll(/,"companyName":[^,}]*/g, "")
    proxy.own = { old: edited(lacking, { fields: "00000000" }) }
    proxy.plain = true
    const isNamed = () => store.of(event, "guests").filter((guest) => "companyName" in guest).length
    proxy.choose = (path) =>
      path.includes("/export?") ? "no exports" : /changes|digest/.test(path) ? "old" : undefined
    t.equal(await run(), 0)
    t.equal(isNamed(), 0)
    proxy.choose = () => undefined
    if (store.state?.events[event]) store.state.events[event].checked = 0
    t.equal(await run(), 0)
    t.equal(isNamed(), store.of(event, "guests").length)
    t.equal(store.state?.events[event]?.generation, 3)
    t.equal(await run({ check: "ids" }), 0)
    t.equal(store.state?.events[event]?.generation, 3, "once")
  })

  await t.test("sync repairs what differs from the digest, once a day, and says that the copy is right", async (t) => {
    const { proxy, store, run } = await open(t)
    await run()
    const [lost = "", changed = "", ...others] = store.of(event, "guests")
    const key = (record: unknown) => `${event} guests ${(record as { id: string }).id}`
    store.records.delete(key(lost))
    const phantom = { ...others[0], id: randomUUID(), updated: 1 }
    store.records.set(key(phantom), { record: phantom, generation: 9 })
    const old = store.records.get(key(changed))
    if (old) store.records.set(key(changed), { ...old, record: { ...old.record, updated: 1 } })
    t.equal(await run(), 0)
    t.not(store.wrong(event, await tables()).length, 0, "it was compared less than a day ago")
    const saved = store.state?.events[event]
    if (saved) saved.checked = (saved.upTo ?? 0) - 86_400
    t.equal(await run(), 0)
    t.strictSame(store.wrong(event, await tables()), [])
    const before = proxy.seen.length
    t.equal(await run({ check: "ids" }), 0)
    const said = proxy.seen.slice(before)
      .filter(({ path }) => /digest\?hash=&mine=[0-9a-f]{64}&fields=[0-9a-f]{8}$/.test(path))
    t.equal(said.length, 2)
  })

  await t.test("sync finds records whose content differs only if it is asked to", async (t) => {
    const { store, run } = await open(t)
    await run()
    // A poll would repeat those that changed a moment ago.
    const [edited = { id: "" }] = store.of(event, "guests")
      .toSorted((one, other) => Number(one["updated"]) - Number(other["updated"]))
    const kept = store.records.get(`${event} guests ${edited.id}`)
    if (kept) Object.assign(kept, { record: { ...kept.record, email: "evil@example.org" } })
    t.equal(await run({ check: "ids" }), 0)
    t.strictSame(store.wrong(event, await tables()), [edited.id])
    t.equal(await run({ check: "content" }), 0)
    t.strictSame(store.wrong(event, await tables()), [])
  })

  await t.test("sync asks nothing of events that have not changed, if the list of events says so", async (t) => {
    const { proxy, store, run } = await open(t)
    let changed: number | null = null
    const dated = (text: string) =>
      JSON.stringify(JSON.parse(text).map((event: object) => ({ ...event, changed })))
    proxy.own = { changed: edited(dated) }
    proxy.choose = (path) => /\/events\?/.test(path) ? "changed" : undefined
    proxy.plain = true
    await run()
    t.equal(await run(), 0)
    t.equal(store.requests, 1)
    await add()
    changed = store.state?.events[event]?.upTo ?? 0
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

  await t.test("sync logs in again, once, if its session has ended or is another account's", async (t) => {
    const { proxy, store, run } = await open(t)
    await run()
    const { cookie = "" } = store.state?.session ?? {}
    const sessions = [
      { user: "acme-export", cookie: "event_export_session=x" },
      { user: "somebody-else", cookie },
    ]
    for (const session of sessions) {
      if (store.state) store.state.session = session
      const before = proxy.seen.length
      t.equal(await run(), 0)
      const paths = proxy.seen.slice(before).map(({ path }) => path)
      t.equal(paths.filter((path) => path === "/session").length, 1)
    }
  })

  await t.test("sync tries a wrong password once, and a token that is not valid without a log-in", async (t) => {
    const { proxy, run } = await open(t)
    const logIns = () => proxy.seen.filter(({ path }) => path === "/session").length
    t.equal(await run({ password: "wrong" }), 2)
    t.equal(logIns(), 1)
    t.equal(await run({ token: "no token", password: undefined }), 2)
    t.equal(proxy.seen.at(-1)?.headers["authorization"], "Bearer no token")
    t.equal(logIns(), 1)
  })

  await t.test("sync of a family whose items are only announced has the guests, and no state of another family", async (t) => {
    const { store, run } = await open(t)
    t.equal(await run({ family: "/connector-a/v1" }), 0)
    t.ok(store.of(event, "guests").length >= 50)
    t.equal(await run(), 2)
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
    t.equal([...store.records.keys()].filter((key) => / events /.test(key)).length, 3)
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

  await t.test("sync reads quiet events as well once another has new fields", async (t) => {
    const { proxy, store, run } = await open(t)
    const quiet = await build.event(organization)
    const events = [event, quiet]
    t.equal(await run({ events }), 0)
    const readsQuiet = async () => {
      await add()
      const before = proxy.seen.length
      t.equal(await run({ events }), 0)
      return proxy.seen.slice(before).some(({ path }) => path.includes(`/${quiet}/changes`))
    }
    t.notOk(await readsQuiet())
    if (store.state) store.state.fields = "00000000"
    t.ok(await readsQuiet() || await readsQuiet(), "now, or next time if it comes before the other")
    t.notOk(await readsQuiet())
  })
})

/** Passes on a response with another text, and without a tag. */
function edited(edit: (text: string) => string, own: Record<string, string> = {}): Fault {
  return (response, { status, headers, body }) => {
    if (status !== 200) return response.writeHead(status, headers).end(body)
    const { "content-length": _, etag: _e, ...kept } = headers
    response.writeHead(status, { ...kept, ...own }).end(edit(new TextDecoder().decode(body)))
  }
}
