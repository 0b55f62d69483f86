import { setTimeout } from "node:timers/promises"
import t from "tap"
import { PrivateMysql } from "../chaos/private-mysql.ts"
import { withoutMysql } from "../../support/database.ts"
import { ownMysql } from "../../support/mysql/own-server.ts"
import { openClocked } from "../../support/polling/clocked.ts"
import { startClocked } from "../../support/polling/service.ts"

const program = withoutMysql || await ownMysql()
const skip = typeof program === "string" ? program : false

t.test("pages are those that are read without caches after MySQL was killed and started again", {
  skip,
  timeout: 120_000,
}, async (t) => {
  if (typeof program === "string") return
  const { signal } = new AbortController()
  const server = await PrivateMysql.start(program, { megabytes: 200, signal })
  t.teardown(() => server.remove())
  await server.run("create database export")
  const url = `${server.url}/export`
  const world = await openClocked("mysql", url)
  const caches = [0, 10_000_000].map((pages) => ({ pages, records: 1_000_000 }))
  const { app, instances, build, organization, cookies, close } = await startClocked(world, url, {
    caches,
  })
  t.teardown(async () => {
    await close()
    await world.close()
  })
  const event = await build.event(organization)
  const guests = await build.guests(event, 40)
  const items = await build.items("tickets", event, 10)
  const { database: { writer: db }, clock } = world
  const open = world.connect()

  const request = (list: string, query: string) =>
    new Request(`http://localhost/acme/v1/events/${event}/${list}?since=-1&${query}`, {
      headers: { cookie: cookies["acme-export"] ?? "" },
    })
  const statusOf = async (instance: (typeof instances)[number]) => {
    const { app: { fetch }, app } = instance
    const { status, body } = await fetch.call(app, request("guests", "limit=1"))
    await body?.cancel()
    return status
  }
  /** Reads all pages twice, from each instance. Returns the names of the guests. */
  const compare = async (): Promise<string[]> => {
    const names: string[] = []
    for (let offset = 0; offset < 50; offset += 15) {
      for (const list of ["guests", "items", "guests", "items"]) {
        const page = await (await app(request(list, `limit=15&offset=${offset}`))).json()
        if (list === "guests") {
          names.push(...page.map(({ firstName }: { firstName: string }) => firstName))
        }
      }
    }
    return names
  }
  /** Changes a guest and an item, and makes another guest again, all within a second. */
  const change = async (first_name: string) => {
    const [changed = "", replaced = ""] = guests
    await db.updateTable("guest").set({ first_name }).where("id", "=", changed).execute()
    await db.updateTable("ticket").set({ name: first_name }).where("id", "=", items[0] ?? "")
      .execute()
    await db.deleteFrom("guest").where("id", "=", replaced).execute()
    await build.guest(event, { id: replaced, first_name, updated: clock.now })
  }

  await change("Before")
  t.equal((await compare()).filter((name) => name === "Before").length, 4)
  const trx = await open.db.startTransaction().execute()
  await trx.updateTable("guest").set({ first_name: "Lost" }).where("event_id", "=", event).execute()
  await compare()

  await server.kill()
  await trx.rollback().execute().catch(() => {})
  for (const instance of instances) t.equal(await statusOf(instance), 503)
  await server.start()
  for (const instance of instances) {
    while (await statusOf(instance) !== 200) await setTimeout(100)
  }
  while (await (await app(request("guests", "limit=1"))).status !== 200) await setTimeout(100)

  const numbers = () => instances[0]?.records?.numbers ?? { known: 0, read: 0 }
  const before = numbers()
  const names = await compare()
  t.notOk(names.includes("Lost"), "what was not committed is not sent")
  t.ok(numbers().known > before.known)
  t.equal(numbers().read, before.read, "what was known still is")
  for (const name of ["After", "And again"]) {
    await change(name)
    t.equal((await compare()).filter((found) => found === name).length, 4)
  }
})
