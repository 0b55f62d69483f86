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

const names = [
  "Zoë",
  "ZOE",
  "Straße",
  "strasse",
  "Łukasz",
  "Ольга",
  "カタカナ",
  "an",
  "a\u0301da",
  "x",
]
const terms = [
  ...["zoe", "ZOË", "STRASSE", "ß", "lukasz", "оль", "かた", "a", "n", "ADA", "x", "nobody"],
  ...["1", "guest1", "example", "a 1", "lovelace guest", "\u0301", "%", "5 example.org"],
]

await onEveryEngine(t, async (t, engine) => {
  const url = await freshUrl(t, engine)
  const world = await openClocked(engine, url)
  // The second one has memory for keys only, the third one not even for these.
  const caches = [10_000_000, 600_000, 100_000].map((records) => ({ pages: 0, records }))
  const { app, changes, cookies, build, organization, close } = await startClocked(world, url, {
    caches,
    many: 100,
  })
  t.teardown(async () => {
    await close()
    await world.close()
  })
  const db = world.database.writer
  const event = await build.event(organization)
  const ids = { guests: await build.guests(event, 300) } as Record<Category, string[]>
  for (const category of itemCategories) ids[category] = await build.items(category, event, 20)
  const random = new Random(seed)

  /** Changes, deletes or inserts a few records. */
  const change = async () => {
    const category = random.below(2) === 0 ? "guests" : random.pick(itemCategories)
    const table = categories[category] as "guest"
    const number = random.pick([1, 1, 2, 20])
    const some = Array.from({ length: number }, () => random.pick(ids[category]))
    const name = random.pick(names)
    const which = random.below(5)
    if (which < 2) {
      const values = category === "guests" ? { first_name: name } : { name }
      await db.updateTable(table).set(values as { first_name: string })
        .where("event_id", "=", event).where("id", "in", some).execute()
    } else if (which === 2) {
      await db.deleteFrom(table).where("event_id", "=", event).where("id", "in", some).execute()
      ids[category] = ids[category].filter((id) => !some.includes(id))
      if (random.below(2) === 0) await insert(category, { id: some[0] ?? "" })
    } else if (which === 3) {
      await insert(category, {})
    } else {
      const guest = random.pick(ids.guests)
      await db.deleteFrom("consent").where("guest_id", "=", guest).execute()
      await build.consent(event, guest, { channels: String(random.below(100)) })
    }
    world.clock.now += random.below(2)
  }
  const insert = async (category: Category, values: { readonly id?: string }) => {
    const id = category === "guests"
      ? await build.guest(event, { ...values, company_name: random.pick(names) })
      : await build.item(category, event, { ...values, description: random.pick(names) })
    ids[category].push(id)
  }

  await t.test(`q finds in memory what it finds without caches, SEED=${seed}`, async (t) => {
    const links = new Map<WalkedList, string>()
    let found = 0
    for (let step = 0; step < 400; step++) {
      for (let left = random.below(3); left > 0; left--) await change()
      // An event with too many changes that are not settled would have no version.
      if (step % 10 === 0) {
        await changes.look()
        await foldEvent(world.database, event)
      }
      const list = random.pick(lists)
      const query = new URLSearchParams({
        since: String(random.pick([-1, -1, world.clock.now - 10])),
        offset: String(random.pick([0, 0, random.below(10), random.below(300)])),
        limit: String(random.pick([1, random.between(1, 20), 1000])),
        ...random.below(6) > 0 && { q: random.pick(terms) },
        ...list.list === "items" && random.below(4) === 0 && { category: "tickets" },
      })
      const link = links.get(list)
      const url = link !== undefined && random.below(2) === 0
        ? link
        : `${list.path}/events/${event}/${list.list}?${query}`
      const headers = { cookie: cookies[list.account] ?? "" }
      const response = await app(new Request(`http://localhost${url}`, { headers }))
      if (response.status !== 200) throw new Error(`step ${step}: ${await response.text()}`)
      const next = linkOf(response)
      if (next === undefined) links.delete(list)
      else links.set(list, next)
      if ((await response.text()).length > 1000) found++
    }
    t.ok(found > 50)
  })
})
