import t from "tap"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { pruneChangeLog } from "../../../core/change-log/prune.ts"
import { categories } from "../../../core/records/kinds/categories.ts"
import { past } from "../../support/builder.ts"
import { onEveryEngine } from "../../support/database.ts"
import { openJourney } from "../../support/polling/journey.ts"
import { linkOf } from "../../support/polling/link.ts"
import { settleAll } from "../../support/settle.ts"

const aDay = 86_400

await onEveryEngine(t, async (t, engine) => {
  const { build, database, db, organization, get, now, of, remove, walk, ...journey } =
    await openJourney(
      t,
      engine,
    )
  const read = async (path: string): Promise<Record<string, unknown>[]> => await journey.read(path)
  /** Deletes one record after the other, a second apart, in the past. */
  const removeInTurn = async (table: string, ids: readonly string[], event: string) => {
    await remove(table, ids, event)
    for (const [n, id] of ids.entries()) {
      await db.updateTable("deletion").set({ at: await now() - 100 + n })
        .where("event_id", "=", event).where("record_id", "=", id).execute()
    }
  }
  await t.test("GET …/guests/deletions returns only deleted guests, with the time", async (t) => {
    const event = await build.event(organization)
    const [gone = "", stays = ""] = await build.guests(event, 2)
    const other = await build.event(organization)
    const elsewhere = await build.guests(other, 3)
    const before = await now()
    await remove("guest", [gone], event)
    await remove("guest", elsewhere.slice(1), other)
    const after = await now()
    const [deletion, ...others] = await read(`${of(event)}/guests/deletions`)
    t.strictSame(Object.keys(deletion ?? {}), ["id", "deleted"])
    t.equal(deletion?.["id"], gone)
    const deleted = Number(deletion?.["deleted"])
    t.ok(before <= deleted && deleted <= after, `${before} <= ${deleted} <= ${after}`)
    t.strictSame(others, [])
    t.match(await read(`${of(event)}/guests`), [{ id: stays }])
    t.strictSame(await read(`${of(event)}/items/deletions`), [])
    t.match(await read(`${of(event)}/guests/deletions?bucket=${gone.slice(0, 2)}`), [{ id: gone }])
    const otherBucket = gone.startsWith("0") ? "1" : "0"
    t.strictSame(await read(`${of(event)}/guests/deletions?bucket=${otherBucket}`), [])
    t.strictSame(await read(`${of(event)}/guests/deletions?since=${await now() + 1}`), [])
  })

  await t.test("GET …/items/deletions returns one list with categories, latest first", async (t) => {
    const event = await build.event(organization)
    const gone: { id: string; category: string }[] = []
    for (const [n, category] of itemCategories.entries()) {
      const id = await build.item(category, event)
      await remove(categories[category], [id], event)
      await db.updateTable("deletion").set({ at: await now() - 100 + n })
        .where("event_id", "=", event).where("category", "=", category).execute()
      gone.unshift({ id, category })
    }
    const deletions = await read(`${of(event)}/items/deletions`)
    t.strictSame(Object.keys(deletions[0] ?? {}), ["id", "category", "deleted"])
    t.strictSame(deletions.map(({ id, category }) => ({ id, category })), gone)
    t.strictSame(await walk(`${of(event)}/items/deletions?limit=2`), deletions)
    t.strictSame(await read(`${of(event)}/items/deletions?offset=4&limit=1`), deletions.slice(4, 5))
    t.strictSame(await read(`${of(event)}/items/deletions?offset=6`), [])
  })

  await t.test("GET …/guests/deletions has a Link exactly if more deletions follow", async (t) => {
    const event = await build.event(organization)
    const ids = await build.guests(event, 4)
    for (const id of ids) await remove("guest", [id], event)
    const linkAfter = async (limit: number) =>
      linkOf(await get(`${of(event)}/guests/deletions?limit=${limit}`))
    t.ok(await linkAfter(3))
    t.equal(await linkAfter(4), undefined, "the page is just full")
    await build.guest(event, { id: ids[0] as string })
    t.equal(await linkAfter(3), undefined, "the guest that exists again is no reason for a page")
  })

  await t.test("GET …/guests/deletions leaves out a guest that exists again, and keeps its position", async (t) => {
    const event = await build.event(organization)
    const ids = await build.guests(event, 4)
    await removeInTurn("guest", ids, event)
    const [first = "", , third = "", last = ""] = ids
    await build.guest(event, { id: third })
    await build.guest(event, { id: last })
    const idsOf = (query: string) =>
      read(`${of(event)}/guests/deletions?${query}`).then((rows) => rows.map(({ id }) => id))
    t.strictSame(await idsOf(""), [ids[1], first])
    t.strictSame(await idsOf("limit=1"), [ids[1]], "no page is empty before the end")
    t.strictSame(await idsOf("offset=1&limit=1"), [ids[1]], "returned twice rather than never")
    t.strictSame(await idsOf("offset=2&limit=1"), [ids[1]])
    t.strictSame(await idsOf("offset=3&limit=1"), [first])
    t.strictSame(await idsOf("offset=4&limit=1"), [])
    await remove("guest", [last], event)
    t.strictSame(await idsOf("limit=1"), [last], "deleted again")
    t.strictSame(await idsOf(""), [last, ids[1], first], "once")
  })

  await t.test("GET …/deletions lists records that were deleted in the same second once each, by cursor and by offset", async (t) => {
    const event = await build.event(organization)
    const id = crypto.randomUUID()
    for (const category of itemCategories) {
      await build.items(category, event, 3)
      await build.item(category, event, { id })
      await db.deleteFrom(categories[category] as "pledge").where("event_id", "=", event).execute()
    }
    await db.updateTable("deletion").set({ at: await now() - 100 }).where("event_id", "=", event)
      .execute()
    const all = await read(`${of(event)}/items/deletions`)
    t.equal(all.length, 4 * itemCategories.length)
    t.strictSame(await walk(`${of(event)}/items/deletions?limit=5`), all)
    const byOffset: unknown[] = []
    for (let offset = 0; offset < all.length; offset += 5) {
      byOffset.push(...await read(`${of(event)}/items/deletions?limit=5&offset=${offset}`))
    }
    t.strictSame(byOffset, all)
  })

  await t.test("GET …/guests?bucket= by offset counts the deleted records of the bucket", async (t) => {
    const event = await build.event(organization)
    const inBucket = async (bucket: string, count: number, newest: number) => {
      const ids = Array.from({ length: count }, () => bucket + crypto.randomUUID().slice(1))
      for (const [n, id] of ids.entries()) await build.guest(event, { id, updated: newest - n })
      return ids
    }
    const others = await inBucket("b", 4, past + 20)
    const own = await inBucket("a", 5, past + 10)
    await remove("guest", [...others, own[0] ?? ""], event)
    const page = await read(`${of(event)}/guests?bucket=a&offset=2&limit=2`)
    t.strictSame(page.map(({ id }) => id), own.slice(2, 4))
  })

  await t.test("GET …/guests?q= by offset counts all deleted records, whose names it does not know", async (t) => {
    const event = await build.event(organization)
    const named = async (first_name: string, updated: number) =>
      await build.guest(event, { first_name, updated })
    const [one, other, two, three] = [
      await named("Grace", past + 4),
      await named("Alan", past + 3),
      await named("Grace", past + 2),
      await named("Grace", past + 1),
    ]
    await remove("guest", [one], event)
    const page = (offset: number) => read(`${of(event)}/guests?q=grace&limit=1&offset=${offset}`)
    t.match(await page(1), [{ id: two }])
    t.match(await page(2), [{ id: three }])
    await remove("guest", [other], event)
    t.match(await page(2), [{ id: two }], "returned twice rather than never")
    t.match(await page(3), [{ id: three }])
    t.strictSame(await page(4), [])
  })

  await t.test("GET …/guests/deletions returns 410 for a since before the pruned log, and lists the rest by default", async (t) => {
    const event = await build.event(organization)
    const [early = "", recent = ""] = await build.guests(event, 2)
    await remove("guest", [early], event)
    await remove("guest", [recent], event)
    const deletions = `${of(event)}/guests/deletions`
    t.equal((await read(`${deletions}?since=-1`)).length, 2, "the log is complete")
    await settleAll(database)
    const at = await now() - 20 * aDay
    await db.updateTable("deletion").set({ at }).where("record_id", "=", early).execute()
    await db.updateTable("deletion").set({ at: await now() + 2 * aDay })
      .where("record_id", "=", recent).execute()

    // A day ahead: were the log's times a day ago, the service would notice a clock that was set back.
    t.ok(await pruneChangeLog(database, -aDay) >= 1)
    // Another limit than above: a page that is cached from before may be from a second ago.
    const response = await get(`${deletions}?limit=99`)
    const completeSince = Number(response.headers.get("complete-since"))
    t.equal(completeSince, at + 1)
    t.match(await response.json(), [{ id: recent }])
    t.equal((await read(`${deletions}?since=${completeSince}`)).length, 1)
    for (const since of [1606062358, -1, "-9223372036854775809"]) {
      // Another limit than above: a page that is cached from before is as true, and longer.
      const rows = await read(`${deletions}?since=${since}&limit=100`)
      t.match(rows, [{ id: recent }], "all that is known")
    }
    for (const since of [completeSince - 1, 1606062359, 0]) {
      const response = await get(`${deletions}?since=${since}`)
      t.equal(response.status, 410, String(since))
      t.equal(response.headers.get("complete-since"), String(completeSince))
      t.match(await response.json(), { code: "resync_required", detail: /since=-1/ })
    }
    t.equal(await pruneChangeLog(database, 20 * aDay), 0, "the horizon does not move back")
    t.equal((await get(`${deletions}?since=${completeSince - 1}`)).status, 410)
  })

  if (engine === "mysql") {
    await t.test("pruneChangeLog and writers do not wait for each other", async (t) => {
      const event = await build.event(organization)
      await build.guests(event, 20)
      await settleAll(database)
      await db.updateTable("event_change").set({ at: past }).execute()
      await db.transaction().execute(async (writer) => {
        await writer.updateTable("guest").set({ mobile: "2" }).where("event_id", "=", event)
          .execute()
        t.ok(await pruneChangeLog(database, 15 * aDay) >= 20, "while a writer has not committed")
        const left = await db.selectFrom("event_change").select("seq").execute()
        t.strictSame(left, [], "only the writer's new rows are left")
      })
      const rows = await db.selectFrom("event_change").select("seq").execute()
      t.equal(rows.length, 20)
      await db.transaction().execute(async (pruner) => {
        for (const { seq } of rows) {
          await pruner.deleteFrom("event_change").where("seq", "=", seq).execute()
        }
        await build.guest(event)
        t.pass("a writer adds to the log while it is pruned")
      })
    })
  }
})
