import { sql } from "kysely"
import t, { type Test } from "tap"
import { Database, type Snapshot, type WaitObserver } from "../../../core/data/database.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { onEveryEngine } from "../../support/database.ts"
import { freshClocked } from "../../support/polling/service.ts"

await onEveryEngine(t, async (t, engine) => {
  const { world: { database }, app, instances, changes, build, organization, cookies } =
    await freshClocked(t, engine)
  const { writer } = database

  /** Lets all instances look at the triggers. */
  const look = async () => {
    for (const each of [changes, ...instances.map(({ changes }) => changes)]) {
      await each.lookAtTriggers()
    }
  }

  /** Lets a guest change whom all instances have read, while a trigger is missing. */
  const changeUnseen = async (t: Test) => {
    const event = await build.event(organization)
    const guest = await build.guest(event)
    const request = (since = -1) =>
      new Request(`http://localhost/acme/v1/events/${event}/guests?since=${since}`, {
        headers: { cookie: cookies["acme-export"] ?? "" },
      })
    const nameOf = async (response: Response) => (await response.json())[0].firstName
    /** Returns the guest's name, as all instances send it, whose pages are compared. */
    const compare = async () => {
      const names: string[] = []
      for (const _ of instances) names.push(await nameOf(await app(request())))
      return names
    }
    /** Returns the guest's name, as all instances send it. */
    const read = () =>
      Promise.all(instances.map(async ({ app }) => nameOf(await app.fetch(request()))))
    // From now on, no table is empty that was not.
    await look()
    t.strictSame(await compare(), ["Ada", "Ada"])
    // Once two pages had the same records, the next one is expected to have them, too.
    for (const { app } of instances) {
      for (const since of [1, 2]) await app.fetch(request(since))
    }
    const trigger = engine === "mysql" ? "guest_update" : "guest_after_update"
    const restore = async () => t.strictSame(await migrate(database), [`trigger ${trigger}`])
    await sql`drop trigger ${sql.table(trigger)}`.execute(writer)
    await writer.updateTable("guest").set({ first_name: "Grace" }).where("id", "=", guest).execute()
    return { restore, compare, read }
  }

  await t.test("a change while a trigger was missing is sent after a look, although the page was read before it", async (t) => {
    const { restore, compare, read } = await changeUnseen(t)
    await restore()
    await read()
    await look()
    t.strictSame(await compare(), ["Grace", "Grace"])
  })

  await t.test("a change while a trigger was missing is sent after a look, although the page was read during it", async (t) => {
    const { restore, compare, read } = await changeUnseen(t)
    await restore()
    const ways = ["snapshot", "readOnce"] as const
    for (const name of ways) {
      Object.defineProperty(database, name, {
        configurable: true,
        async value(...args: unknown[]) {
          const found = await Object.getPrototypeOf(this)[name].apply(this, args)
          // Not after the admission, which is read before.
          if (found?.result) await look()
          return found
        },
      })
    }
    await read()
    for (const name of ways) Reflect.deleteProperty(database, name)
    t.strictSame(await compare(), ["Grace", "Grace"])
  })

  await t.test("a page from lists in memory has no tag if a table is found empty while a record is read", async (t) => {
    const event = await build.event(organization)
    await build.guest(event)
    await build.item("gliRaffles", await build.event(organization))
    await look()
    const [first] = instances
    const get = async () =>
      await first?.app.fetch(
        new Request(`http://localhost/acme/v1/events/${event}/guests?since=-1`, {
          headers: { cookie: cookies["acme-export"] ?? "" },
        }),
      )
    const change = (first_name: string) =>
      writer.updateTable("guest").set({ first_name }).where("event_id", "=", event).execute()
    for (const name of ["Ada", "Grace", "Joan"]) {
      await change(name)
      t.ok((await get())?.headers.get("etag"))
    }
    const found = first?.live.found ?? NaN
    let reads = 0
    const ways = ["snapshot", "readOnce"] as const
    for (const name of ways) {
      Object.defineProperty(database, name, {
        configurable: true,
        async value(...args: unknown[]) {
          // The first two are admissions.
          if (reads++ === 2) {
            await writer.deleteFrom("gli_raffle").execute()
            await first?.changes.lookAtTriggers()
          }
          return await Object.getPrototypeOf(this)[name].apply(this, args)
        },
      })
    }
    await change("Anne")
    const response = await get()
    for (const name of ways) Reflect.deleteProperty(database, name)
    t.equal(response?.status, 200)
    t.equal(response?.headers.get("etag"), null)
    t.equal(first?.live.found, found + 1)
    await look()
  })

  await t.test("nothing has a tag while a trigger is missing, not even what is empty", async (t) => {
    const event = await build.event(organization)
    const tagOf = async (path: string) => {
      const request = new Request(`http://localhost/acme/v1/events${path}`, {
        headers: { cookie: cookies["acme-export"] ?? "" },
      })
      return (await app(request)).headers.get("etag")
    }
    const lists = ["", `/${event}/guests`, `/${event}/items`, `/${event}/guests?since=-1`]
    for (const list of lists) t.type(await tagOf(list), "string", list)
    const trigger = engine === "mysql" ? "guest_delete" : "guest_after_delete"
    await sql`drop trigger ${sql.table(trigger)}`.execute(writer)
    await look()
    for (const list of lists) t.equal(await tagOf(list), null, list)
    await migrate(database)
    await look()
    for (const list of lists) t.type(await tagOf(list), "string", list)
  })

  await t.test("an export that began while a trigger was missing leaves nothing for later pages", async (t) => {
    const event = await build.event(organization)
    await build.consent(event, await build.guest(event), { channels: "email" })
    await look()
    const get = async (path: string) => {
      const headers = { cookie: cookies["acme-export"] ?? "" }
      const url = `http://localhost/acme/v1/events/${event}/guests${path}`
      return await (await app(new Request(url, { headers }))).text()
    }
    const trigger = engine === "mysql" ? "consent_update" : "consent_after_update"
    const change = (channels: string) =>
      writer.updateTable("consent").set({ channels }).where("event_id", "=", event).execute()
    await sql`drop trigger ${sql.table(trigger)}`.execute(writer)
    await change("sms")
    let isFirst = true
    Object.defineProperty(database, "longSnapshot", {
      configurable: true,
      value(work: (snapshot: Snapshot) => Promise<unknown>, waits: WaitObserver) {
        return Database.prototype.longSnapshot.call(this, (snapshot) =>
          work({
            ...snapshot,
            async run(query) {
              const found = await snapshot.run(query)
              if (!isFirst) return found
              isFirst = false
              await change("post")
              await migrate(database)
              await look()
              return found
            },
          }), waits)
      },
    })
    const exported = await get("/export")
    Reflect.deleteProperty(database, "longSnapshot")
    t.match(exported, /"sms"/, "as of the snapshot")
    for (const since of [1, 1, 2, 2, 3, 3]) t.match(await get(`?since=${since}`), /"post"/)
  })
})
