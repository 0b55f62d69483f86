import process from "node:process"
import t from "tap"
import { foldEvent } from "../../../core/change-log/versions.ts"
import { categories, type Category } from "../../../core/records/categories.ts"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { freshUrl, onEveryEngine } from "../../support/database.ts"
import { openClocked } from "../../support/polling/clocked.ts"
import { linkOf } from "../../support/polling/link.ts"
import { lists, type WalkedList } from "../../support/polling/play.ts"
import { startClocked } from "../../support/polling/service.ts"
import { Random } from "../../support/random.ts"

/** Replays a run. */
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1e6))
const records = 1_000_000

await onEveryEngine(t, async (t, engine) => {
  const url = await freshUrl(t, engine)
  const world = await openClocked(engine, url)
  const caches = [{ pages: 0, records }, { pages: 10_000_000, records }]
  const service = await startClocked(world, url, { caches, many: 100 })
  const { app, instances, changes, cookies, build, organization, close } = service
  t.teardown(async () => {
    await close()
    await world.close()
  })
  const db = world.database.writer
  const event = await build.event(organization)
  const guests = await build.guests(event, 2000)
  const ids: Record<Category, string[]> = { guests } as Record<Category, string[]>
  for (const category of itemCategories) ids[category] = await build.items(category, event, 150)
  await changes.look()
  await foldEvent(world.database, event)
  const random = new Random(seed)

  const requestOf = ({ account }: WalkedList, url: string) =>
    new Request(url, { headers: { cookie: cookies[account] ?? "" } })
  const urlOf = ({ path, list }: WalkedList, query: string) =>
    `http://localhost${path}/events/${event}/${list}?${query}`

  /** Changes a few records: by several statements, or by one. */
  const change = async () => {
    const category = random.below(2) === 0 ? "guests" : random.pick(itemCategories)
    const table = categories[category] as "guest"
    const some = Array.from(
      { length: random.pick([1, 1, 2, 20]) },
      () => random.pick(ids[category]),
    )
    const external_id = String(random.below(1000))
    const which = random.below(5)
    if (which < 2) {
      await db.updateTable(table).set({ external_id }).where("event_id", "=", event)
        .where("id", "in", some).execute()
    } else if (which === 2) {
      const [id = ""] = some
      await db.deleteFrom(table).where("event_id", "=", event).where("id", "=", id).execute()
      // In the same second, and only sometimes as it was.
      if (category === "guests") await build.guest(event, { id, external_id })
      else await build.item(category, event, { id })
    } else if (which === 3) {
      const id = category === "guests"
        ? await build.guest(event)
        : await build.item(category, event)
      ids[category].push(id)
    } else {
      const guest = random.pick(guests)
      await db.deleteFrom("consent").where("guest_id", "=", guest).execute()
      await build.consent(event, guest, { channels: external_id })
    }
    world.clock.now += random.below(2)
  }

  await t.test(`pages are those that are read without caches while 1 MB is too little, SEED=${seed}`, async (t) => {
    const links = new Map<WalkedList, string>()
    for (let step = 0; step < 150; step++) {
      for (let left = random.below(3); left > 0; left--) await change()
      // An event with too many changes that are not settled would have no version.
      if (step % 10 === 0) {
        await changes.look()
        await foldEvent(world.database, event)
      }
      const list = random.pick(lists)
      const since = random.pick([-1, -1, world.clock.now - 10])
      const offset = random.pick([0, random.below(200), random.below(2200)])
      const limit = random.pick([1, random.between(1, 100), random.between(1, 1000), 1000])
      const search = random.below(20) === 0 ? "&q=ada" : ""
      const usual = urlOf(list, `since=${since}&offset=${offset}&limit=${limit}${search}`)
      const link = links.get(list)
      const url = link !== undefined && random.below(2) === 0 ? `http://localhost${link}` : usual
      const response = await app(requestOf(list, url))
      if (response.status !== 200) throw new Error(`step ${step}: ${await response.text()}`)
      const next = linkOf(response)
      if (next === undefined) links.delete(list)
      else links.set(list, next)
    }
    t.ok(
      instances.every(({ records }) => records && records.numbers.known > 100),
      "many were known",
    )
  })

  for (const [index, { app, records }] of instances.entries()) {
    await t.test(`instance ${index} knows the records that it has just read, and forgets those of long before`, async (t) => {
      if (!records) throw new TypeError("it keeps records")
      const [full, , lean] = lists as [WalkedList, WalkedList, WalkedList]
      const sizes: number[] = []
      /** Reads a page. Returns how many of its records were known. */
      const knownOf = async (list: WalkedList, offset: number) => {
        await change()
        const { known } = records.numbers
        const page = await app.fetch(
          requestOf(list, urlOf(list, `since=-1&limit=500&offset=${offset}`)),
        )
        sizes.push((await page.arrayBuffer()).byteLength)
        return records.numbers.known - known
      }
      for (const list of [full, lean]) {
        for (let offset = 0; offset < 2000; offset += 500) await knownOf(list, offset)
      }
      t.ok(
        sizes.reduce((sum, size) => sum + size) > 1_000_000,
        "the pages are larger than the cache",
      )
      t.ok(await knownOf(lean, 1500) > 450, "what was read last is known")
      t.ok(await knownOf(full, 0) < 400, "of what was read first, much is not")
      t.ok(records.numbers.bytes <= 1_000_000)
    })
  }
})
