import t from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { listEvents } from "../../../core/partners/list-events.ts"
import { listReads } from "../../../core/partners/list-reads.ts"
import { Builder } from "../../support/builder.ts"
import { copiedUrl, onEveryEngine, openFor } from "../../support/database.ts"
import { emptyRow } from "../../support/sync-rows.ts"

await onEveryEngine(t, async (t, engine) => {
  const database = await openFor(t, await copiedUrl(t, engine))
  await migrate(database)
  const build = new Builder(database, { isAlone: true })
  const north = await build.organization("north")
  const south = await build.organization("south")
  const gala = await build.event(north, { name: "Gala d’été", starts: 300 })
  const ball = await build.event(north, { name: "Ball 100%", starts: 200 })
  const dinner = await build.event(south, { name: "Dinner", starts: 100 })
  const [one, two] = [await build.account("one"), await build.account("two")]
  for (
    const [account_id, event_id, list, last_poll] of [
      [one, ball, "guests", 50],
      [one, ball, "items", 60],
      [two, ball, "guests", 40],
      [two, dinner, "guests", 70],
    ] as const
  ) {
    await database.writer.insertInto("sync_state")
      .values(emptyRow({ account_id, event_id, list, last_poll })).execute()
  }
  const names = async (search: string, limit = 10) =>
    (await listEvents(database, { search, limit })).map(({ name }) => name)

  await t.test("listEvents returns events with their readers, those that were read last first", async (t) => {
    t.match(await listEvents(database, { search: "", limit: 10 }), [
      { id: dinner, organization: "south", readers: 1, lastPoll: 70 },
      { id: ball, name: "Ball 100%", organization: "north", readers: 2, lastPoll: 60, starts: 200 },
      { id: gala, readers: 0, lastPoll: null, status: "running" },
    ])
    t.strictSame(await names("", 1), ["Dinner"])
  })

  await t.test("listEvents searches names, organizations and ids, without wildcards", async (t) => {
    t.strictSame(await names("GALA"), ["Gala d’été"])
    t.strictSame(await names("d’été"), ["Gala d’été"])
    t.strictSame(await names("north"), ["Ball 100%", "Gala d’été"])
    t.strictSame(await names(dinner.slice(4, 20)), ["Dinner"])
    t.strictSame(await names("0%"), ["Ball 100%"])
    for (const none of ["100_", "%", "_", "\\", "été d", "'"]) {
      t.strictSame(await names(none), none === "%" ? ["Ball 100%"] : [], none)
    }
  })

  await t.test("listReads counts the requests of a period for an event, by account and endpoint", async (t) => {
    const entry = (at: number, account: string, status: number, event_id = ball) => ({
      at,
      account,
      status,
      event_id,
      action: "list",
      address: "192.0.2.1",
      request_id: "r",
      route: "/x/v1/events/:eventId/guests",
      sent: status === 200 ? 10 : null,
      milliseconds: 1,
    })
    await database.writer.insertInto("audit_log").values([
      entry(99, "one", 200),
      entry(100, "one", 200),
      entry(150, "one", 404),
      entry(160, "one", 200),
      entry(170, "two", 200),
      entry(180, "two", 200, gala),
      entry(200, "one", 200),
    ]).execute()
    const route = "/x/v1/events/:eventId/guests"
    t.strictSame(
      (await listReads(database, ball, { since: 100, until: 200 })).map((row) => ({ ...row })),
      [
        { account: "two", route, requests: 1, errors: 0, records: 10, first: 170, last: 170 },
        { account: "one", route, requests: 3, errors: 1, records: 20, first: 100, last: 160 },
      ],
    )
    t.strictSame(await listReads(database, dinner, { since: 0, until: 1e9 }), [])
  })
})
