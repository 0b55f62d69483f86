import t from "tap"
import { startInstance } from "../../../core/kernel/instance.ts"
import { findTrouble } from "../../../plugins/capabilities/check/trouble.ts"
import { testConfig } from "../../support/app.ts"
import { withoutMysql } from "../../support/database.ts"
import { openPlatform } from "../../support/handbook-platform.ts"
import { scannedLog } from "../../support/scanned-log.ts"
import { logInto } from "../../support/service.ts"

interface Guest {
  readonly id: string
  readonly lastName: string
  readonly updated: number
}

t.test("the triggers of the handbook", { skip: withoutMysql }, async (t) => {
  const { url, gala, connect, attend } = await openPlatform(t, { triggers: true })
  const write = await connect()
  const ada = await attend("Ada")
  // A table that becomes empty, or no longer is, changes the version of every event.
  await write("insert into permission values (uuid(), ?, true, true)", [gala])
  const plan = await testConfig(url)
  const config = {
    ...plan,
    database: { ...plan.database, own_triggers: true },
    polling: { ...plan.polling, lag: 3600 },
  }
  const { errors, warnings } = await findTrouble(config)
  t.strictSame(errors, [])
  t.strictSame(warnings.filter(({ about }) => !/^(account|organization) /.test(about)), [])

  const instance = await startInstance(config, { log: scannedLog(t, []) })
  t.teardown(() => instance.close())
  const get = await logInto(instance.fetch, "ann")
  const base = `/connector-b/v1/events/${gala}`
  const poll = async (since: number, etag = "") => {
    const response = await get(
      `${base}/guests?since=${since}`,
      etag ? { "if-none-match": etag } : {},
    )
    const guests = response.status === 200 ? await response.json() as Guest[] : []
    return {
      status: response.status,
      guests: new Map(guests.map((guest) => [guest.id, guest])),
      next: Number(response.headers.get("next-since")),
      etag: response.headers.get("etag") ?? "",
    }
  }
  const now = () => Math.floor(Date.now() / 1000)

  await t.test("stamp with the real time, so that a poll with Next-Since misses nothing", async (t) => {
    const before = now()
    const { guests, next, etag } = await poll(-1)
    t.strictSame([...guests.keys()], [ada])
    t.ok(now() - next < 3600, "Next-Since is not polling.lag behind")
    t.equal((await poll(-1, etag)).status, 304)
    // The session's clock is not the real one.
    await write("set timestamp = 1000000000")
    await write("update attendee set surname = 'Y', updated = 5 where uuid = ?", [ada])
    await write("set timestamp = default")
    const second = await poll(-1, etag)
    t.equal(second.status, 200)
    const updated = second.guests.get(ada)?.updated ?? 0
    t.ok(updated >= before && updated <= now() + 1)
    t.equal((await poll(next)).guests.size, 1)
  })

  await t.test("a change of a permission is a change of the attendee", async (t) => {
    let { etag } = await poll(-1)
    const given = (value: boolean) =>
      [`update permission set given = ${value} where attendee_uuid = ?`, [ada]] as const
    const statements = [
      [["insert into permission values (?, ?, true, true)", [ada, gala]], "active"],
      [given(false), "inactive"],
      [given(true), "active"],
      [["delete from permission where attendee_uuid = ?", [ada]], "inactive"],
    ] as const
    for (const [[statement, values], consentStatus] of statements) {
      await write("update attendee set updated = 0 where uuid = ?", [ada])
      await write(statement, [...values])
      const changed = await poll(-1, etag)
      t.match(changed.guests.get(ada), { consentStatus }, statement)
      etag = changed.etag
      t.equal((await poll(-1, etag)).status, 304)
    }
  })

  await t.test("an attendee keeps its id and its gala", async (t) => {
    const [error] = await Promise.allSettled([
      write("update attendee set gala_uuid = ? where uuid = ?", [crypto.randomUUID(), ada]),
    ])
    t.match(error, { reason: /delete the attendee/ })
  })

  await t.test("a deleted attendee is listed, keeps its position, and may come back", async (t) => {
    await attend("Grace")
    const { guests, next, etag } = await poll(-1)
    const [first = "", second] = guests.keys()
    await write("delete from attendee where uuid = ?", [first])
    t.equal((await poll(-1, etag)).status, 200)
    const deletions = async () => {
      const response = await get(`${base}/guests/deletions?since=${next}`)
      return (await response.json() as Guest[]).map(({ id }) => id)
    }
    t.strictSame(await deletions(), [first])
    const page = await get(`${base}/guests?since=-1&limit=1&offset=1`)
    t.match(await page.json(), [{ id: second }], "it moved up, and is still met")
    await attend("Again", first)
    t.strictSame(await deletions(), [])
    t.ok((await poll(next)).guests.has(first))
    await write("delete from attendee where uuid = ?", [first])
    t.strictSame(await deletions(), [first], "also the second time")
  })

  await t.test("events are logged, too", async (t) => {
    const before = Number((await get("/connector-b/v1/events")).headers.get("next-since"))
    await write("update gala set title = 'Ball' where uuid = ?", [gala])
    const response = await get(`/connector-b/v1/events?since=${before}`)
    t.match(await response.json(), [{ id: gala, name: "Ball" }])
  })
})
