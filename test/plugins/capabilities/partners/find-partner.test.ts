import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import t from "tap"
import { findPartner } from "../../../../plugins/capabilities/partners/find-partner.ts"
import { findReaders } from "../../../../plugins/capabilities/partners/list-health.ts"
import { readErrorGroups } from "../../../../plugins/capabilities/partners/list-errors.ts"
import { trafficOf } from "../../../../plugins/capabilities/audit/traffic.ts"
import { freshApp } from "../../../support/app.ts"
import { onEveryEngine } from "../../../support/database.ts"

const retention = 90 * 86_400

await onEveryEngine(t, async (t, engine) => {
  const { database, build, logIn } = await freshApp(t, engine)
  const { writer, dialect } = database
  const { now } = await writer.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 5)
  await build.account("ann")
  await build.account("bob")
  for (const name of ["ann", "bob"]) await build.grant(name, { organization: "acme" })
  const guests = `/connector-b/v1/events/${event}/guests`
  const [ann, bob] = [await logIn("ann"), await logIn("bob")]

  const errorsSince = (since: number) =>
    database.snapshot((snapshot) => readErrorGroups(snapshot, { since }))

  /** Waits until what was requested so far is written. */
  const written = async (account: string, requests: number) => {
    const count = () =>
      writer.selectFrom("partner_hour as h").innerJoin("account", "account.id", "h.account_id")
        .select(sql<number>`sum(polls + errors)`.as("requests"))
        .where("username", "=", account).executeTakeFirst()
    while ((await count())?.requests !== requests) await setTimeout(20)
  }

  await t.test("findPartner says in sentences that a partner is in sync", async (t) => {
    const first = await ann(`${guests}?since=0&limit=3`)
    const next = /<http:\/\/localhost(.*)>/.exec(first.headers.get("link") ?? "")?.[1] ?? ""
    await ann(next)
    await ann(`${guests}/deletions`)
    await ann(`${guests}/digest`)
    await written("ann", 3)
    const report = await findPartner(database, "ann", { retention })
    t.equal(report.health.state, "in sync")
    t.match(report.sentences[0], /^ann is in sync\. It has everything that changed until/)
    t.ok(report.sentences.some((each) => /It has 1 session, the last until/.test(each)))
    t.equal(report.sentences.at(-1), "What to do: nothing.")
    t.strictSame(report.lists.map(({ list, state, records }) => [list, state, records]).sort(), [
      ["guest deletions", "in sync", 0],
      ["guests", "in sync", 5],
    ])
    t.match(report.hours, [{ polls: 3, walks: 2, records: 5, errors: 0 }])
    const of = report.lists.find(({ list }) => list === "guests")
    t.match(of, {
      account: "ann",
      eventId: event,
      organization: "acme",
      family: "connector-b",
      prefix: "/connector-b/v1",
      kind: "guests",
      pollInterval: 60,
      hasGrant: true,
      lag: 0,
      acknowledged: 0,
    })
  })

  await t.test("findPartner says that a partner is stuck, with the last error and what to do", async (t) => {
    for (let walk = 0; walk < 3; walk++) {
      const page = await bob(`${guests}?since=0&limit=2`)
      t.ok(page.headers.get("link"))
      const { now: begun } = await writer.selectNoFrom(dialect.now.as("now"))
        .executeTakeFirstOrThrow()
      const time = () => writer.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
      while ((await time()).now === begun) await setTimeout(20)
    }
    const failed = await bob(`${guests}?limit=0`)
    await written("bob", 4)
    while ((await errorsSince(now)).length === 0) await setTimeout(20)
    const report = await findPartner(database, "bob", { retention })
    t.equal(report.health.state, "stuck")
    t.match(report.health.reason, /^1 of 1 list cannot be completed; the last one was 400 invalid/)
    const request = failed.headers.get("x-request-id")
    t.match(report.health.lastError, { status: 400, code: "invalid_parameter", requestId: request })
    const text = report.sentences.join("\n")
    t.match(text, `Stuck with guests of Autumn Gala (${event}) by connector-b: no walk was ever`)
    t.match(text, /What to do: Its request has a wrong parameter\./)
    t.match(report.errors, [{ code: "invalid_parameter", count: 1, lastRequestId: request }])
  })

  await t.test("findPartner says since when and why a partner is locked out, and of grants that end", async (t) => {
    const id = await build.account("carl")
    const session = {
      id: crypto.randomUUID(),
      account_id: id,
      created: now - 100,
      expires: now - 50,
      reason: "revoked",
    } as const
    await writer.insertInto("session").values(session).execute()
    await writer.insertInto("account_activity").values({
      account_id: id,
      refused: now - 5,
      refused_code: "unauthenticated",
      refused_request: "r-9",
      refused_session: session.id,
      refused_address: "192.0.2.7",
    }).execute()
    await build.grant("carl", { event })
    await writer.updateTable("access_grant").set({ ends: now - 60 }).where("account_id", "=", id)
      .execute()
    const { health, sentences, lastSession, grants } = await findPartner(database, "carl", {
      retention,
    })
    t.equal(health.state, "locked out")
    t.strictSame(lastSession, { ended: now - 50, reason: "revoked" })
    t.strictSame(grants, [{ target: event, ends: now - 60 }])
    const text = sentences.join("\n")
    t.match(text, /^carl is locked out since .*its session has ended\./)
    t.match(text, /from 192\.0\.2\.7, request id r-9\./)
    t.match(text, /the last one ended at .*, because of: revoked\./)
    t.match(text, `Its grant for ${event} has ended at`)
    t.match(text, /What to do: event-export account session carl/)
  })

  await t.test("findPartner says that there is no such partner", async (t) => {
    await t.rejects(findPartner(database, "nobody", { retention }), /There is no partner nobody/)
    await build.account("person", "operator")
    await t.rejects(findPartner(database, "person", { retention }), /There is no partner person/)
  })

  await t.test("findReaders lists who reads an event, and no other event", async (t) => {
    const found = await findReaders(database, event, { retention })
    t.strictSame(
      found.map(({ account, list, state }) => [account, list, state]),
      [
        ["ann", "guests", "in sync"],
        ["ann", "guest deletions", "in sync"],
        ["bob", "guests", "stuck"],
      ].sort(),
    )
    t.strictSame(await findReaders(database, crypto.randomUUID(), { retention }), [])
  })

  await t.test("readErrorGroups groups errors by code, account and route, and trafficOf counts by minute", async (t) => {
    for (let n = 0; n < 2; n++) await ann(`${guests}?limit=0`)
    const last = await ann(`${guests}?limit=0`)
    const read = () => errorsSince(now - 60)
    const ofAnn = async () => (await read()).find(({ account }) => account === "ann")
    while ((await ofAnn())?.count !== 3) await setTimeout(20)
    t.match(await ofAnn(), {
      status: 400,
      code: "invalid_parameter",
      route: "/connector-b/v1/events/:eventId/guests",
      lastRequestId: last.headers.get("x-request-id"),
    })
    t.strictSame(await errorsSince(now + 3600), [])
    const minutes = await trafficOf(database, 5)
    t.equal(minutes.length, 5)
    const sum = (name: "requests" | "errors" | "changes") =>
      minutes.reduce((total, each) => total + each[name], 0)
    t.ok(sum("requests") >= 10)
    t.equal(sum("errors"), 4)
    t.ok(sum("changes") >= 5)
  })
})
