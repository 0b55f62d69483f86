import t from "tap"
import { findDisclosures } from "../../../../plugins/capabilities/disclosures/find-disclosures.ts"
import { findReaders } from "../../../../plugins/capabilities/partners/list-health.ts"
import { onEmbedded } from "../../../support/database.ts"
import { feedStage, type Get } from "../../../support/feed/feed-stage.ts"

const retention = 30 * 86_400

await onEmbedded(t, async (t, engine) => {
  const stage = await feedStage(t, engine)
  const { database, event, client, guestIds, remove, update, add, settle, get, path } = stage
  const stateOf = async (account: string) => {
    await settle()
    const readers = await findReaders(database, event, { retention })
    return Object.fromEntries(
      readers.filter((each) => each.account === account).map(({ list, state }) => [list, state]),
    )
  }
  /** Reads the rows of the audit log about requests for lists, since the last call. */
  const audit = async () => {
    await settle()
    const rows = await database.writer.selectFrom("audit_log").selectAll()
      .where("action", "=", "list").orderBy("seq").execute()
    await database.writer.deleteFrom("audit_log").execute()
    return rows.map(({ route, sent, status, cursor_text }) => [route, sent, status, cursor_text])
  }
  const route = "/acme/v1/events/:eventId/changes"
  const recipientsOf = async (id: string) => {
    await settle()
    const { records } = await findDisclosures(database, id, { eventId: event })
    return records.flatMap(({ recipients }) => recipients)
  }

  await t.test("after=now and HEAD say nothing of what a partner has", async (t) => {
    const response = await get(`${path}/changes?after=now`)
    t.equal(response.status, 200)
    await response.text()
    await (await get(`${path}/changes`, { method: "HEAD" })).text()
    t.strictSame(await stateOf("acme-export"), {})
    const [id = ""] = await guestIds()
    t.strictSame(await recipientsOf(id), [])
    t.strictSame(await audit(), [[route, 0, 200, null], [route, 17, 200, null]])
  })

  await t.test("a client of the feed is in sync with all four lists, and each request has one entry", async (t) => {
    const copy = client()
    await copy.poll(10)
    t.strictSame(await stateOf("acme-export"), {
      "guests": "in sync",
      "guest deletions": "in sync",
      "items": "in sync",
      "item deletions": "in sync",
    })
    t.strictSame(await audit(), [[route, 10, 200, null], [route, 7, 200, null]])
    const [id = ""] = await guestIds()
    const [recipient, ...others] = await recipientsOf(id)
    t.strictSame(others, [])
    t.match(recipient, {
      account: "acme-export",
      prefix: "/acme/v1",
      list: "guests",
      certain: true,
    })
  })

  await t.test("a guest that was deleted before the first walk was sent to nobody by it", async (t) => {
    const early = await add()
    await remove(early)
    await stage.past()
    const second = client(await stage.logIn("second"), `/connector-b/v1/events/${event}`)
    await second.poll(3)
    const recipients = await recipientsOf(early)
    t.strictSame(recipients.filter(({ account }) => account === "second"), [])
  })

  await t.test("a guest that is deleted after it was sent is acknowledged as the cursor moves on", async (t) => {
    const copy = client()
    const late = await add()
    await copy.poll(3)
    await remove(late)
    await stage.past()
    // A process that does not know what the one before has told.
    const fresh = await stage.start()
    const again = client(await fresh.logIn("acme-export"))
    again.state = copy.state
    await again.poll()
    await fresh.settle()
    const [before] = await recipientsOf(late)
    t.match(before, { account: "acme-export", acknowledged: null })
    await again.poll()
    await fresh.settle()
    const [after] = await recipientsOf(late)
    t.match(after, { account: "acme-export", acknowledged: Number })
  })

  await t.test("a cursor that stays the same while nothing changes acknowledges until now", async (t) => {
    const copy = client()
    await copy.poll()
    await stage.past()
    for (let poll = 0; poll < 3; poll++) await copy.poll()
    const { state } = copy
    const from = await stage.past()
    await copy.poll()
    t.equal(copy.state, state)
    await settle()
    const readers = await findReaders(database, event, { retention })
    const own = readers.filter(({ account }) => account === "acme-export")
    t.equal(own.length, 4)
    for (const { list, acknowledged, daysUntilResync } of own) {
      t.ok(acknowledged !== null && acknowledged > from, `${list}: ${acknowledged} after ${from}`)
      if (list.endsWith("deletions")) t.ok(daysUntilResync === null || daysUntilResync > 20)
    }
  })

  await t.test("a 410 of the feed is an error of all lists, and over with the next page", async (t) => {
    const copy = client()
    await copy.poll()
    const horizon = { complete_since: stage.now() + 1 }
    await database.writer.updateTable("change_state").set(horizon).execute()
    const [id = ""] = await guestIds()
    await update(id)
    const response = await get(`${path}/changes?after=${copy.state}`)
    t.equal(response.status, 410)
    await response.text()
    await settle()
    const rows = await database.writer.selectFrom("sync_state").select(["list", "error_code"])
      .where("event_id", "=", event).where("prefix", "=", "/acme/v1").execute()
    t.ok(rows.length === 4 && rows.every(({ error_code }) => error_code === "resync_required"))
    await database.writer.updateTable("change_state").set({ complete_since: 0 }).execute()
    await copy.poll()
    t.strictSame(new Set(Object.values(await stateOf("acme-export"))), new Set(["in sync"]))
  })

  await t.test("a partner that polls after one page of a walk has skipped the rest", async (t) => {
    const { other } = stage
    const get = await stage.logIn("partner")
    await (await get(`/connector-b/v1/events/${other}/changes?limit=2`)).text()
    await settle()
    const polled = await database.writer.selectFrom("sync_state").select("list")
      .where("event_id", "=", other).where("last_poll", "is not", null).orderBy("list").execute()
    const lists = polled.map(({ list }) => list)
    t.strictSame(lists, ["guests", "items"], "a walk knows of deletions at its end only")
    const since = stage.now() - 1
    await (await get(`/connector-b/v1/events/${other}/guests?since=${since}`)).text()
    await settle()
    const readers = await findReaders(database, other, { retention })
    const [guests] = readers.filter(({ list }) => list === "guests")
    t.equal(guests?.state, "behind")
  })

  await t.test("a single record is disclosed, and no walk", async (t) => {
    const partner: Get = await stage.logIn("partner")
    const [id = ""] = await guestIds()
    await (await partner(`/connector-b/v1/events/${event}/guests/${id}`)).text()
    const recipients = await recipientsOf(id)
    t.match(recipients.find(({ account }) => account === "partner"), {
      prefix: "/connector-b/v1",
      list: "guests",
    })
    t.strictSame(await stateOf("partner"), { guests: "partial" })
    const walks = await database.writer.selectFrom("sync_state")
      .innerJoin("account", "account.id", "account_id").where("username", "=", "partner")
      .where("event_id", "=", event)
      .select(["records", "walk_started", "walk_completed", "acknowledged"]).execute()
    const nothing = { walk_started: null, walk_completed: null, acknowledged: null }
    t.strictSame(walks.map((walk) => ({ ...walk })), [{ records: 1, ...nothing }])
    const none = await partner(`/connector-b/v1/events/${event}/guests/${crypto.randomUUID()}`)
    t.equal(none.status, 404)
    t.strictSame(await stateOf("partner"), { guests: "partial" })
  })
})
