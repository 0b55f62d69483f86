import t from "tap"
import { pruneChangeLog } from "../../../../core/change-log/prune.ts"
import { requireResync } from "../../../../plugins/capabilities/resync/require-resync.ts"
import { withdrawAccess } from "../../../../plugins/capabilities/accounts/grants.ts"
import { FeedKey } from "../../../../plugins/capabilities/feed/feed-key.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"
import { feedStage } from "../../../support/feed/feed-stage.ts"

await onEveryEngine(t, async (t, engine) => {
  const stage = await feedStage(t, engine)
  const { get, path, event, other, database, build, client, isRight, past } = stage
  const { guestIds, update, remove, add, addTicket } = stage
  const [partner, second] = [await stage.logIn("partner"), await stage.logIn("second")]
  const leanPath = `/connector-b/v1/events/${event}`
  const guestsPath = `/connector-a/v1/events/${event}`

  await t.test("a first walk brings all records, oldest first, as the lists send them", async (t) => {
    const copy = client()
    const changes = await copy.poll(3)
    t.equal(changes.length, 17)
    const times = changes.map(({ record }) => record?.updated ?? 0)
    t.strictSame(times, times.toSorted((a, b) => a - b))
    t.match(changes.find(({ category }) => category === "tickets"), { list: "items" })
    await isRight(t, copy)
  })

  await t.test("a change and a deletion come with the next poll; then the cursor stays as it is", async (t) => {
    const copy = client()
    await copy.poll()
    const [first = "", second = ""] = await guestIds()
    await remove(first)
    await update(second)
    const changes = await copy.poll()
    const fieldsOf = (id: string) =>
      Object.keys(changes.find((each) => each.id === id && each.category === "guests") ?? {})
    t.strictSame(fieldsOf(first), ["list", "category", "id", "deleted"])
    t.strictSame(fieldsOf(second), ["list", "category", "id", "record"])
    await isRight(t, copy)
    await past()
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
    t.equal(copy.copy.get(`guests ${id}`)?.fields["firstName"], "Again")
  })

  await t.test("a record that moves to another event leaves one copy, and comes to the other", async (t) => {
    const elsewhere = `/acme/v1/events/${other}`
    const [here, there] = [client(), client(get, elsewhere)]
    await there.poll()
    const id = await add()
    await here.poll()
    t.ok(here.copy.has(`guests ${id}`))
    await remove(id)
    await add(id, other)
    for (const each of [here, there]) await each.poll()
    t.strictSame([here, there].map(({ copy }) => copy.has(`guests ${id}`)), [false, true])
    await isRight(t, here)
    await isRight(t, there, get, elsewhere)
  })

  await t.test("connector A has guests only, with its own fields", async (t) => {
    const copy = client(partner, guestsPath)
    const changes = await copy.poll()
    t.ok(changes.every(({ list, category }) => list === "guests" && category === "guests"))
    await isRight(t, copy, partner, guestsPath)
    const { id } = await database.writer.selectFrom("ticket").select("id")
      .where("event_id", "=", event).executeTakeFirstOrThrow()
    await remove(id, event, "ticket")
    t.strictSame((await copy.poll()).filter(({ list }) => list !== "guests"), [])
    await addTicket()
    t.equal((await partner(`${guestsPath}/items/${crypto.randomUUID()}`)).status, 404)
  })

  await t.test("deletions that are forgotten give 410 with the URL of a fresh start, to those who lack them only", async (t) => {
    const [here, ofGuests, present] = [client(), client(partner, guestsPath), client()]
    for (const each of [here, ofGuests]) await each.poll()
    await past()
    await ofGuests.poll()
    const { state } = here
    const ticket = await addTicket()
    await remove(ticket, event, "ticket")
    // Gets the deletion, and then a cursor that is past it.
    await present.poll()
    await past()
    await present.poll()
    await database.writer.updateTable("event_change").set({ at: 0 }).execute()
    const deletions = () =>
      database.writer.selectFrom("deletion").select("at").where("record_id", "=", ticket).execute()
    const [{ at } = { at: 0 }] = await deletions()
    await pruneChangeLog(database, stage.now() - at - 1)
    t.strictSame(await deletions(), [])
    const gone = await get(`${path}/changes?after=${state}`)
    t.match(await gone.json(), {
      status: 410,
      code: "resync_required",
      detail: `http://localhost${path}/changes`,
    })
    t.equal(gone.headers.get("link"), `<http://localhost${path}/changes>; rel="first"`)
    await here.poll()
    await isRight(t, here)
    const [id = ""] = await guestIds()
    await update(id)
    for (const [each, by, of] of [[present, get, path], [ofGuests, partner, guestsPath]] as const) {
      t.equal((await by(`${of}/changes?after=${each.state}`)).status, 200)
      await each.poll()
      await isRight(t, each, by, of)
    }
  })

  await t.test("after resync, everybody begins again, and nobody twice", async (t) => {
    const copy = client()
    await copy.poll()
    await past()
    await copy.poll()
    const { state } = copy
    await database.migrator.transaction().execute((db) =>
      requireResync({ db, dialect: database.dialect })
    )
    const response = await get(`${path}/changes?after=${state}`)
    t.match(await response.json(), { status: 410, code: "resync_required" })
    for (const limit of [1000, 2]) {
      await past()
      await copy.poll(limit)
    }
    const before = copy.state
    t.strictSame(await copy.read(), { changes: [], next: before, more: false })
    await isRight(t, copy)
  })

  await t.test("access that was withdrawn and is given back lets the cursor go on", async (t) => {
    const author = { actor: "root", address: "", record: async () => {} }
    const copy = client(second, leanPath)
    await copy.poll()
    await withdrawAccess(database, "second", { organization: "acme" }, author)
    t.equal((await second(`${leanPath}/changes?after=${copy.state}`)).status, 404)
    const [id = "", next = ""] = await guestIds()
    await remove(id)
    await update(next)
    await build.grant("second", { organization: "acme" })
    const changes = await copy.poll()
    t.ok(changes.some(({ id: gone, deleted }) => gone === id && deleted))
    await isRight(t, copy, second, leanPath)
    await add(id)
  })

  await t.test("after=now brings no changes, and what changes from then on", async (t) => {
    const copy = client()
    copy.state = "now"
    t.match(await copy.read(), { changes: { length: 0 }, more: false })
    const [id = ""] = await guestIds()
    await update(id)
    const changes = await copy.poll()
    t.ok(changes.some(({ record }) => record?.id === id))
    t.ok(changes.length < 15)
  })

  await t.test("a key that another process has made is found at the primary, until a replica has it", async (t) => {
    const replica = await freshDatabase(t, "sqlite")
    const key = await new FeedKey(database).find(database)
    t.strictSame(await new FeedKey(database).find(replica), key)
  })

  // Last, because the stage's own service has the former key.
  await t.test("several processes accept each other's cursors, whatever the secrets of sessions are", async (t) => {
    await database.writer.deleteFrom("feed_key").execute()
    const services = await Promise.all(
      ["a", "b"].map((letter) =>
        stage.start(({ session }) => ({ session: { ...session, secrets: [letter.repeat(40)] } }))
      ),
    )
    const gets = await Promise.all(services.map(({ logIn }) => logIn("acme-export")))
    const first = await Promise.all(gets.map((get) => client(get).read(2)))
    t.equal((await database.writer.selectFrom("feed_key").selectAll().execute()).length, 1)
    const { size: listed } = await stage.listed()
    for (const [index, { next }] of first.entries()) {
      const response = await gets[1 - index]?.(`${path}/changes?after=${next}`)
      t.equal(response?.status, 200)
      const { changes } = await response?.json() as { changes: { record?: unknown }[] }
      // Beside deletions of the last second or two.
      t.equal(changes.filter(({ record }) => record).length, listed - 2)
    }
  })
})
