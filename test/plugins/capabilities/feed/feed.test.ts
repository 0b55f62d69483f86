import { setTimeout } from "node:timers/promises"
import t from "tap"
import { pruneChangeLog } from "../../../../core/change-log/prune.ts"
import { requireResync } from "../../../../plugins/capabilities/resync/require-resync.ts"
import { withdrawAccess } from "../../../../core/access/grants.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { listedCopy } from "../../../support/feed/feed-client.ts"
import { feedStage } from "../../../support/feed/feed-stage.ts"

await onEveryEngine(t, async (t, engine) => {
  const stage = await feedStage(t, engine)
  const {
    get,
    path,
    event,
    other,
    database,
    build,
    client,
    isRight,
    guestIds,
    update,
    remove,
    add,
    addTicket,
  } = stage
  const author = { actor: "root", address: "", record: async () => {} }

  await t.test("a first walk brings all records, oldest first, as the lists send them", async (t) => {
    const copy = client()
    const changes = await copy.poll(3)
    t.equal(changes.length, 17)
    const times = changes.map(({ record }) => record?.updated ?? 0)
    t.strictSame(times, times.toSorted((a, b) => a - b))
    t.match(changes.find(({ category }) => category === "tickets"), { list: "items" })
    await isRight(t, copy)
  })

  await t.test("records of the same second come once each, one a page", async (t) => {
    const event = await build.event(stage.organization)
    for (let count = 0; count < 7; count++) await build.guest(event, { updated: 1_700_000_000 })
    for (const category of ["tickets", "pledges"] as const) {
      for (let count = 0; count < 3; count++) {
        await build.item(category, event, { updated: 1_700_000_000 })
      }
    }
    const path = `/acme/v1/events/${event}`
    const copy = client(get, path)
    const changes = await copy.poll(1)
    const keys = changes.map(({ category, id }) => `${category} ${id}`)
    t.equal(new Set(keys).size, 13)
    t.equal(keys.length, 13)
    await isRight(t, copy, get, path)
  })

  await t.test("a change and a deletion come with the next poll; then the cursor stays as it is", async (t) => {
    const copy = client()
    await copy.poll()
    const [first = "", second = ""] = await guestIds()
    await remove(first)
    await update(second)
    const changes = await copy.poll()
    const deletion = changes.find(({ id, category }) => id === first && category === "guests")
    t.strictSame(Object.keys(deletion ?? {}), ["list", "category", "id", "deleted"])
    const change = changes.find(({ id, category }) => id === second && category === "guests")
    t.strictSame(Object.keys(change ?? {}), ["list", "category", "id", "record"])
    await isRight(t, copy)
    await stage.past()
    await copy.poll()
    const { state = "" } = copy
    for (let poll = 0; poll < 2; poll++) {
      t.strictSame(await copy.read(), { changes: [], next: state, more: false })
    }
  })

  await t.test("a record that is deleted and inserted again within a second is there", async (t) => {
    const copy = client()
    await copy.poll()
    const [id = ""] = await guestIds()
    await remove(id)
    await add(id, event, { first_name: "Again" })
    await copy.poll()
    await isRight(t, copy)
    t.match(copy.copy.get(`guests ${id}`), /Again/)
    await remove(id)
    await copy.poll()
    await isRight(t, copy)
    await add(id)
  })

  await t.test("a record that moves to another event leaves one copy, and comes to the other", async (t) => {
    const elsewhere = `/acme/v1/events/${other}`
    const [here, there] = [client(), client(get, elsewhere)]
    await here.poll()
    await there.poll()
    const id = await add()
    await here.poll()
    t.ok(here.copy.has(`guests ${id}`))
    await remove(id)
    await add(id, other)
    await here.poll()
    await there.poll()
    t.notOk(here.copy.has(`guests ${id}`))
    t.ok(there.copy.has(`guests ${id}`))
    await isRight(t, here)
    await isRight(t, there, get, elsewhere)
  })

  await t.test("each cursor of a walk can be used twice, while records change", async (t) => {
    const copy = client()
    const [, , third = "", fourth = ""] = await guestIds()
    for (let page = 0, more = true; more; page++) {
      const { state } = copy
      await copy.read(4)
      if (page === 1) await update(third)
      if (page === 2) await remove(fourth)
      if (state === undefined) continue
      copy.state = state
      more = (await copy.read(4)).more
    }
    await copy.poll()
    await isRight(t, copy)
    await add(fourth)
  })

  await t.test("several processes accept each other's cursors, whatever the secrets of sessions are", async (t) => {
    await database.writer.deleteFrom("feed_key").execute()
    const rotated = (secret: string) =>
      stage.start(({ session }) => ({ session: { ...session, secrets: [secret] } }))
    const services = [await rotated("a".repeat(40)), await rotated("b".repeat(40))]
    const gets = await Promise.all(services.map(({ logIn }) => logIn("acme-export")))
    const first = await Promise.all(gets.map((get) => client(get).read(2)))
    t.equal((await database.writer.selectFrom("feed_key").selectAll().execute()).length, 1)
    const { size: listed } = await listedCopy(get, path)
    for (const [index, { next }] of first.entries()) {
      const response = await gets[1 - index]?.(`${path}/changes?after=${next}`)
      t.equal(response?.status, 200)
      const { changes } = await response?.json() as { changes: { record?: unknown }[] }
      // Beside deletions of the last second or two.
      t.equal(changes.filter(({ record }) => record).length, listed - 2)
    }
    for (const each of services) await each.close()
  })

  await t.test("a cursor of another account, event, family or list, or an altered one, is refused", async (t) => {
    // The stage's own service has the former key.
    const service = await stage.start()
    const [partner, second] = [await service.logIn("partner"), await service.logIn("second")]
    const of = (family: string, id = event) => `/${family}/v1/events/${id}/changes`
    const { next } = await (await partner(of("connector-b"))).json()
    const page = await partner(`/connector-b/v1/events/${event}/guests?limit=1`)
    const [, cursor = ""] = /cursor=([^>]+)>/.exec(page.headers.get("link") ?? "") ?? []
    const altered = next[10] === "A" ? "B" : "A"
    const refused = {
      "of another account": await second(`${of("connector-b")}?after=${next}`),
      "of another event": await partner(`${of("connector-b", other)}?after=${next}`),
      "of another family": await partner(`${of("connector-a")}?after=${next}`),
      "of a list": await partner(`${of("connector-b")}?after=${cursor}`),
      "altered": await partner(
        `${of("connector-b")}?after=${next.slice(0, 10)}${altered}${next.slice(11)}`,
      ),
      "cut": await partner(`${of("connector-b")}?after=${next.slice(0, -1)}`),
      "of no feed": await partner(`${of("connector-b")}?after=x.y`),
      "no text for a cursor": await partner(`${of("connector-b")}?after=%00`),
    }
    for (const [name, response] of Object.entries(refused)) {
      const problem = await response.json()
      t.match(
        problem,
        { status: 400, code: "invalid_parameter", errors: [{ parameter: "after" }] },
        name,
      )
      t.match(problem.detail, /begin again without it, with an empty copy/, name)
    }
    t.equal((await partner(`${of("connector-b")}?after=${next}`)).status, 200)
    t.equal((await partner(`${of("connector-b")}?after=`)).status, 200, "an empty one is none")
    for (const query of ["limit=0", "limit=1001", "since=5", "q=Ada", "offset=3"]) {
      t.equal((await partner(`${of("connector-b")}?${query}`)).status, 400, query)
    }
    await service.close()
  })

  await t.test("connector A has guests only, with its own fields", async (t) => {
    const service = await stage.start()
    const get = await service.logIn("partner")
    const path = `/connector-a/v1/events/${event}`
    const copy = client(get, path)
    const changes = await copy.poll()
    t.ok(changes.every(({ list, category }) => list === "guests" && category === "guests"))
    await isRight(t, copy, get, path)
    await remove(
      (await database.writer.selectFrom("ticket").select("id").where("event_id", "=", event)
        .executeTakeFirstOrThrow()).id,
      event,
      "ticket",
    )
    t.strictSame((await copy.poll()).filter(({ list }) => list !== "guests"), [])
    await addTicket()
    const response = await get(`${path}/items/${crypto.randomUUID()}`)
    t.equal(response.status, 404)
    await service.close()
  })

  await t.test("deletions that are forgotten give 410 with the URL of a fresh start, to those who lack them only", async (t) => {
    const service = await stage.start()
    const get = await service.logIn("acme-export")
    const partner = await service.logIn("partner")
    const here = client(get)
    const a = client(partner, `/connector-a/v1/events/${event}`)
    for (const each of [here, a]) await each.poll()
    const { state } = here
    const ticket = await addTicket()
    await remove(ticket, event, "ticket")
    // Has the deletion, and its cursor has moved past it.
    const present = client(get)
    await present.poll()
    await service.past()
    await present.poll()
    await database.writer.updateTable("event_change").set({ at: 0 }).execute()
    const { at } = await database.writer.selectFrom("deletion").select("at").where(
      "record_id",
      "=",
      ticket,
    ).executeTakeFirstOrThrow()
    await pruneChangeLog(database, Math.floor(Date.now() / 1000) - at - 1)
    t.strictSame(
      await database.writer.selectFrom("deletion").select("at").where("record_id", "=", ticket)
        .execute(),
      [],
    )
    const gone = await get(`${path}/changes?after=${state}`)
    const problem = await gone.json()
    t.match(problem, { status: 410, code: "resync_required" })
    t.equal(gone.headers.get("link"), `<http://localhost${path}/changes>; rel="first"`)
    t.match(problem.detail, `http://localhost${path}/changes`)
    await here.poll()
    await isRight(t, here, get)
    const [id = ""] = await guestIds()
    await update(id)
    for (const each of [present, a]) {
      const { state: before } = each
      await each.poll()
      t.ok(before && each.copy.size > 0)
    }
    t.equal((await get(`${path}/changes?after=${present.state}`)).status, 200)
    await isRight(t, present, get)
    await isRight(t, a, partner, `/connector-a/v1/events/${event}`)
    await service.close()
  })

  await t.test("after resync, everybody begins again, and nobody twice", async (t) => {
    const service = await stage.start()
    const get = await service.logIn("acme-export")
    const copy = client(get)
    await copy.poll()
    await service.past()
    await copy.poll()
    const { state } = copy
    await database.migrator.transaction().execute((db) =>
      requireResync({ db, dialect: database.dialect }, engine === "sqlite" ? 1 : undefined)
    )
    const response = await get(`${path}/changes?after=${state}`)
    t.match(await response.json(), { status: 410, code: "resync_required" })
    await service.past()
    await copy.poll()
    await service.past()
    await copy.poll(2)
    const before = copy.state
    t.strictSame(await copy.read(), { changes: [], next: before, more: false })
    await isRight(t, copy, get)
    await service.close()
  })

  await t.test("access that was withdrawn and is given back lets the cursor go on", async (t) => {
    const service = await stage.start()
    const get = await service.logIn("second")
    const path = `/connector-b/v1/events/${event}`
    const copy = client(get, path)
    await copy.poll()
    const { state } = copy
    await withdrawAccess(database, "second", { organization: "acme" }, author)
    t.equal((await get(`${path}/changes?after=${state}`)).status, 404)
    const [id = "", next = ""] = await guestIds()
    await remove(id)
    await update(next)
    await build.grant("second", { organization: "acme" })
    const changes = await copy.poll()
    t.ok(changes.some(({ id: gone, deleted }) => gone === id && deleted))
    await isRight(t, copy, get, path)
    await add(id)
    await service.close()
  })

  await t.test("after=now brings no changes, and what changes from then on", async (t) => {
    const service = await stage.start()
    const get = await service.logIn("acme-export")
    const copy = client(get)
    copy.state = "now"
    const begun = await copy.read()
    t.strictSame([begun.changes, begun.more], [[], false])
    const [id = ""] = await guestIds()
    await update(id)
    const changes = await copy.poll()
    t.ok(changes.some(({ record }) => record?.id === id))
    t.ok(changes.length < 15)
    await service.close()
  })

  await t.test("NDJSON has a line per change, and a last one; HEAD has no body", async (t) => {
    const service = await stage.start()
    const get = await service.logIn("acme-export")
    const json = await (await get(`${path}/changes?limit=4`)).json()
    for (
      const type of [
        "application/x-ndjson",
        "application/ndjson",
        "application/jsonl",
        "application/x-jsonlines",
      ]
    ) {
      const response = await get(`${path}/changes?limit=4`, {
        headers: { accept: `${type}, */*;q=0.1` },
      })
      t.equal(response.headers.get("content-type"), type)
      const text = await response.text()
      t.ok(text.endsWith("\n"))
      const lines = text.trimEnd().split("\n").map((line) => JSON.parse(line))
      t.strictSame(lines.slice(0, -1), json.changes)
      t.strictSame(Object.keys(lines.at(-1)), ["next", "more"])
      t.equal(lines.at(-1).more, true)
    }
    for (const accept of ["*/*", "text/csv", "application/json, application/x-ndjson;q=0.5"]) {
      const response = await get(`${path}/changes?limit=4`, { headers: { accept } })
      t.match(response.headers.get("content-type"), /^application\/json/)
      await response.text()
    }
    const head = await get(`${path}/changes`, { method: "HEAD" })
    t.equal(await head.text(), "")
    t.match(Object.fromEntries(head.headers), {
      "poll-interval": /^\d+$/,
      "fields": /^[0-9a-f]{8}$/,
    })
    t.notOk(head.headers.has("next-since") || head.headers.has("link") || head.headers.has("etag"))
    await service.close()
  })

  await t.test("only an answer without changes has an ETag, which gives 304", async (t) => {
    const service = await stage.start()
    const get = await service.logIn("acme-export")
    const copy = client(get)
    await copy.poll()
    await service.past()
    await copy.poll()
    await copy.poll()
    const url = `${path}/changes?after=${copy.state}`
    const idle = await get(url)
    const etag = idle.headers.get("etag") ?? ""
    t.match(etag, /^".+"$/)
    await idle.text()
    const again = await get(url, { headers: { "if-none-match": etag } })
    t.equal(again.status, 304)
    t.equal(again.headers.get("fields"), idle.headers.get("fields"))
    const [id = ""] = await guestIds()
    await update(id)
    const changed = await get(url, { headers: { "if-none-match": etag } })
    t.equal(changed.status, 200)
    t.notOk(changed.headers.has("etag"))
    t.equal((await changed.json()).changes.length, 1)
    await service.close()
  })

  await t.test("Prefer: wait holds a request until something changes, and not one that has news", async (t) => {
    const service = await stage.start()
    const get = await service.logIn("acme-export")
    const copy = client(get)
    await copy.poll()
    await copy.poll()
    const waiting = { headers: { prefer: "wait=30" } }
    let isAnswered = false
    const held = get(`${path}/changes?after=${copy.state}`, waiting).finally(() =>
      isAnswered = true
    )
    await setTimeout(600)
    t.notOk(isAnswered)
    const [id = ""] = await guestIds()
    await remove(id)
    const response = await held
    t.equal(response.headers.get("preference-applied"), "wait=30")
    t.match(
      (await response.json()).changes.filter(({ deleted }: { deleted?: number }) => deleted),
      [{ id }],
    )
    const { state } = copy
    const news = await get(`${path}/changes?after=${state}`, waiting)
    t.ok((await news.json()).changes.length > 0)
    const first = await get(`${path}/changes`, waiting)
    t.ok((await first.json()).changes.length > 0)
    const short = await get(`${path}/changes?after=now`, waiting)
    t.strictSame((await short.json()).changes, [])
    await add(id)
    await service.close()
  })

  await t.test("a single record is as the list has it, with a tag", async (t) => {
    const service = await stage.start()
    const get = await service.logIn("acme-export")
    const [guest] = await (await get(`${path}/guests?since=-1`)).json()
    const response = await get(`${path}/guests/${guest.id}`)
    t.equal(response.status, 200)
    t.equal(response.headers.get("fields"), (await get(`${path}/guests`)).headers.get("fields"))
    t.equal(await response.text(), JSON.stringify(guest))
    const etag = response.headers.get("etag") ?? ""
    t.equal(
      (await get(`${path}/guests/${guest.id}`, { headers: { "if-none-match": etag } })).status,
      304,
    )
    await update(guest.id)
    t.equal(
      (await get(`${path}/guests/${guest.id}`, { headers: { "if-none-match": etag } })).status,
      200,
    )
    const { tickets: [ticket] } = await (await get(`${path}/items?since=-1`)).json()
    const item = await get(`${path}/items/${ticket.id.toUpperCase()}?category=tickets`)
    t.equal(await item.text(), JSON.stringify({ category: "tickets", ...ticket }))
    const none = await get(`${path}/guests/00000000-0000-4000-8000-000000000000`)
    t.match(await none.json(), { status: 404, code: "record_not_found" })
    t.match(await (await get(`${path}/guests/ada`)).json(), { status: 404, code: "not_found" })
    const off = await get(`${path}/guests/former?limit=5&since=-1`)
    t.match(await off.json(), { status: 404, code: "not_found" }, "a list that is turned off")
    await remove(guest.id)
    t.equal((await get(`${path}/guests/${guest.id}`)).status, 404)
    t.equal(
      (await get(`/acme/v1/events/${other}/guests/${guest.id}`)).status,
      200,
      "of another event",
    )
    for (const list of ["deletions", "digest", "export"]) {
      t.equal((await get(`${path}/guests/${list}`)).status, 200, list)
    }
    await add(guest.id)
    await service.close()
  })

  await t.test("/readyz and /livez are as before", async (t) => {
    const service = await stage.start()
    t.equal((await service.send("/livez")).status, 200)
    t.equal((await service.send("/readyz")).status, 200)
    await service.close()
  })
})
