import { Buffer } from "node:buffer"
import process from "node:process"
import t from "tap"
import { Database } from "../../../core/data/database.ts"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { Builder } from "../../support/builder.ts"
import { freshUrl, onEveryEngine } from "../../support/database.ts"
import { openClocked } from "../../support/polling/clocked.ts"
import { startClocked } from "../../support/polling/service.ts"
import { Random } from "../../support/random.ts"

/** Replays a run. */
const seed = Number(process.env["SEED"] ?? 1)
/** The number of races. */
const wanted = Number(process.env["LIVE_RACES"] ?? 150)

await onEveryEngine(t, async (t, engine) => {
  const url = await freshUrl(t, engine)
  const world = await openClocked(engine, url)
  const caches = [{ pages: 0, records: 4_000_000 }, { pages: 0, records: 0 }]
  const { instances, build, organization, cookies, close } = await startClocked(world, url, {
    caches,
  })
  t.teardown(async () => {
    await close()
    await world.close()
  })
  const [live, plain] = instances
  if (!live || !plain) throw new TypeError("two instances are started")
  const { database } = world
  const { writer: db } = database
  const random = new Random(seed)

  /** Called before each read of the database, and after it. */
  let interfere: (() => Promise<void>) | undefined
  for (const name of ["snapshot", "readOnce"] as const) {
    Object.defineProperty(database, name, {
      async value(...args: unknown[]) {
        await interfere?.()
        const result = await Reflect.apply(Database.prototype[name], this, args)
        await interfere?.()
        return result
      },
    })
  }

  const fetch = async ({ app }: typeof live, event: string, query: string) => {
    const response = await app.fetch(
      new Request(query.replace("EVENT", event), {
        headers: { cookie: cookies["partner"] ?? "" },
      }),
    )
    const text = Buffer.from(await response.arrayBuffer()).toString()
    const link = /<([^>]*)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1]
    // All errors of the same kind are the same.
    const tag = response.headers.get("etag")
    return { link, page: response.status === 200 ? `${tag} ${text}` : `${response.status}` }
  }

  const change = async (event: string) => {
    world.clock.now += random.below(2)
    const ofEvent = (table: "guest" | "ticket") =>
      db.selectFrom(table).select("id").where("event_id", "=", event)
    const table = random.pick(["guest", "guest", "ticket"] as const)
    const found = await ofEvent(table).execute()
    const id = found.length > 0 ? random.pick(found).id : ""
    const what = random.below(12)
    const name = String(random.below(1000))
    if (what < 4) {
      await db.updateTable(table).set({ external_id: name }).where("event_id", "=", event)
        .where("id", "=", id).execute()
    } else if (what < 6) {
      await db.deleteFrom(table).where("event_id", "=", event).where("id", "=", id).execute()
    } else if (what < 8) {
      await (table === "guest" ? build.guest(event) : build.item("tickets", event))
    } else if (what === 8) {
      // More rows of the log than an admission tells.
      await db.transaction().execute(async (db) => {
        for (let left = 40; left > 0; left--) {
          await db.updateTable("guest").set({ external_id: `${left} ${name}` })
            .where("event_id", "=", event).execute()
        }
      })
    } else if (what === 9) {
      const guest = await ofEvent("guest").executeTakeFirst()
      await db.transaction().execute(async (db) => {
        await db.deleteFrom("consent").where("event_id", "=", event).execute()
        const build = new Builder({ writer: db } as unknown as Database)
        if (guest) await build.consent(event, guest.id, { channels: name })
      })
    } else if (what === 10) {
      await db.updateTable("change_state").set({ epoch: random.below(1e9) }).execute()
    } else {
      const grants = await db.selectFrom("access_grant").selectAll().execute()
      if (grants.some(({ ends }) => ends === null)) {
        await db.updateTable("access_grant").set({ ends: 1 }).execute()
      } else await db.updateTable("access_grant").set({ ends: null }).execute()
    }
  }

  /** Returns how many pages could be of several moments. @throws if one is of no moment between its request and its response. */
  const playOne = async (race: number) => {
    let differed = 0
    await db.updateTable("access_grant").set({ ends: null }).execute()
    const event = await build.event(organization)
    await build.guests(event, random.between(3, 12))
    for (const category of itemCategories) await build.items(category, event, random.below(4))
    const list = random.pick(["guests", "items"])
    const path = `http://localhost/connector-b/v1/events/EVENT/${list}?since=-1`
    const queries = [
      path,
      `${path}&limit=2`,
      `${path}&limit=3&offset=${random.between(1, 8)}`,
      `${path}&q=ada`,
    ]
    // What is known of the lists: nothing, their beginning, all of them, all but which places are vacant.
    for (let left = random.below(5); left > 0; left--) {
      await fetch(live, event, random.pick(queries))
      if (random.below(3) === 0) await change(event)
    }
    await db.updateTable("access_grant").set({ ends: null }).execute()
    const { link } = await fetch(plain, event, queries[1] as string)
    if (link !== undefined) queries.push(link)
    const asked = Array.from({ length: random.pick([1, 1, 3]) }, () => random.pick(queries))
    const right = new Map<string, Set<string>>(asked.map((query) => [query, new Set()]))
    const note = async () => {
      for (const [query, pages] of right) pages.add((await fetch(plain, event, query)).page)
    }
    await note()
    let left = random.between(1, 4)
    let changing = Promise.resolve()
    const act = async () => {
      if (left === 0 || random.below(2) === 0) return
      left--
      // One change at a time, and no request goes on before it has been noted.
      const former = changing
      changing = (async () => {
        await former
        const own = interfere
        interfere = undefined
        await change(event)
        await note()
        interfere = own
      })()
      await changing
    }
    interfere = act
    const got = await Promise.all(asked.map(async (query) => {
      const { page } = await fetch(live, event, query)
      return { query, page }
    }))
    interfere = undefined
    await changing
    for (const { query, page } of got) {
      const pages = right.get(query) ?? new Set()
      if (pages.size > 1) differed++
      if (!pages.has(page)) {
        throw new Error(
          `race ${race}: ${query} is\n${page}\ninstead of one of\n${[...pages].join("\n")}`,
        )
      }
    }
    return differed
  }

  await t.test(`a page that records change behind is one of a moment while it was read, SEED=${seed}`, async (t) => {
    t.setTimeout(20 * 60_000)
    let differed = 0
    for (let race = 0; race < wanted; race++) differed += await playOne(race)
    t.ok(differed > wanted / 2, `${differed} pages of ${wanted} races could be several`)
    t.ok(live.live.found > wanted / 2, `${live.live.found} of ${live.live.asked} were cut`)
  })
})
