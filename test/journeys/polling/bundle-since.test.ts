import t from "tap"
import { past, withHistory } from "../../support/builder.ts"
import { onEmbedded } from "../../support/database.ts"
import { openJourney } from "../../support/polling/journey.ts"

await onEmbedded(t, async (t, engine) => {
  await t.test("GET …/items by offset: only the first page's largest updated is safe as the next since", async (t) => {
    const { build, database, newEvent, of, read } = await openJourney(t, engine)
    const event = await newEvent()
    const page = async (since: number, offset: number) => {
      const path = `${of(event)}/items?since=${since}&offset=${offset}&limit=1`
      return Object.values(await read(path)).flat() as { id: string; updated: number }[]
    }

    const lot = await build.item("auctionItems", event, {
      id: crypto.randomUUID(),
      updated: past + 2,
    })
    await build.item("auctionItems", event, { updated: past + 1 })
    const first = await page(-1, 0)
    await withHistory(database, (db) =>
      db.updateTable("auction_item").set({ updated: past + 3 })
        .where("event_id", "=", event).where("id", "=", lot).execute())
    for (const updated of [past + 5, past + 6]) await build.item("pledges", event, { updated })
    const second = await page(-1, 1)

    const largest = (records: { updated: number }[]) =>
      Math.max(...records.map((each) => each.updated))
    const changes = async (since: number) =>
      [...await page(since, 0), ...await page(since, 1)].map(({ id, updated }) => [id, updated])
    t.equal(largest([...first, ...second]), past + 5, "the second page has newer records")
    t.ok(
      (await changes(largest(first))).some(([id, updated]) => id === lot && updated === past + 3),
    )
    t.notOk((await changes(past + 5)).some(([id]) => id === lot), "the changed lot would be missed")
  })
})
