import t from "tap"
import { findPartner } from "../../../../plugins/capabilities/partners/find-partner.ts"
import { onEmbedded } from "../../../support/database.ts"
import { setPartnerStage } from "../../../support/partner-stage.ts"

const retention = 90 * 86_400
const aDay = 86_400

await onEmbedded(t, async (t, engine) => {
  const stage = await setPartnerStage(t, engine)
  const { database, build, writer, now, event } = stage
  const late = now - 2400
  const week = now - 7 * aDay
  const stuck = { previous_started: now - 60, third_started: now - 120, walk_completed: null }
  const id = await stage.addPartner("reported", [
    { list: "b", walk_completed: late, completed_next: late },
    { list: "d", walk_started: null },
    { list: "e" },
    { list: "c", last_poll: now - 3700 },
    { list: "b2", walk_completed: late, completed_next: late - 100 },
    { list: "a", ...stuck },
    { list: "f", kind: "guest deletions", acknowledged: now - 10 * aDay },
  ])
  const stranger = await stage.addPartner("stranger")
  await build.account("person", "operator")
  const report = async (at = now) => await findPartner(database, "reported", { retention, at })

  await t.test("findPartner returns all lists, the worst first, and when one of deletions gets a 410", async (t) => {
    await stage.addDeletions(event, "guests", now - 9 * aDay)
    const { health, lists, at, sentences } = await report()
    t.match(health, { accountId: id, account: "reported", state: "stuck", daysUntilResync: 81 })
    t.equal(at, now)
    t.strictSame(lists.map(({ list, state }) => [list, state]), [
      ["a", "stuck"],
      ["b2", "behind"],
      ["b", "behind"],
      ["c", "silent"],
      ["d", "partial"],
      ["e", "in sync"],
      ["f", "in sync"],
    ])
    t.equal(lists.at(-1)?.daysUntilResync, 81)
    t.match(sentences, [/^reported has been stuck/])
    t.match(await report(now + aDay), {
      ...{ at: now + aDay, health: { state: "silent", daysUntilResync: 80 } },
      lists: [{ state: "behind", lag: aDay + 2500 }],
    })
  })

  await t.test("findPartner returns the errors of a week, of this account only", async (t) => {
    const entry = {
      ...{ action: "list", address: "", milliseconds: 1, status: 404, code: "not_available" },
      ...{ account: "reported", request_id: "r-1" },
    }
    await writer.insertInto("audit_log").values([
      { ...entry, at: week - 1 },
      { ...entry, at: week, request_id: "r-2" },
      { ...entry, at: now, account: "stranger" },
    ]).execute()
    const { errors } = await report()
    t.equal(errors.length, 1)
    t.match(errors, [{
      ...{ status: 404, code: "not_available", account: "reported", count: 1 },
      ...{ first: week, last: week, lastRequestId: "r-2", advice: /does not offer this list/ },
    }])
  })

  await t.test("findPartner adds requests over a limit to the errors, with the setting, its value and what was sent", async (t) => {
    const limited = await stage.addPartner("limited", [{
      ...{ error_at: now - 5, error_status: 429, error_code: "too_many_requests" },
      ...{ error_request: "r-9", last_poll: null, walk_started: null, walk_completed: null },
    }])
    const entry = {
      ...{ action: "list", address: "", milliseconds: 1, status: 304, account: "limited" },
      request_id: "",
    }
    await writer.insertInto("audit_log").values([
      ...Array.from({ length: 1234 }, (_, ago) => ({ ...entry, at: now - ago })),
      { ...entry, at: now - 3601 },
      { ...entry, at: now, account: "stranger" },
    ]).execute()
    const limits = { burst: 5, quota: 36_000, concurrent: 4, waiting: 1 }
    const advice = async (plan?: Parameters<typeof findPartner>[2]["plan"]) => {
      const { errors, sentences } = await findPartner(database, "limited", {
        ...{ retention, at: now },
        ...plan && { plan },
      })
      t.match(errors, [{
        ...{ status: 429, code: "too_many_requests", route: "/f/v1 guests", count: null },
        ...{ last: now - 5, lastRequestId: "r-9" },
      }])
      t.equal(errors.length, 1)
      t.equal(sentences.at(-1), `What to do: ${errors[0]?.advice}`)
      return errors[0]?.advice
    }
    t.equal(
      await advice({ limits, accounts: { limited: { quota: 20 } }, routes: [] }),
      "It may send 20 requests per hour to each family (accounts.limited.quota). In the last hour, it got 1,234 answers. " +
        "Raise accounts.limited.quota, or tell the partner to wait for Retry-After.",
    )
    t.match(await advice({ limits, accounts: {}, routes: [] }), /36,000 .* \(limits\.quota\)/)
    t.match(await advice(), /than accounts\.limited\.quota allows, or else limits\.quota\./)
    await stage.removePartners(limited)
  })

  await t.test("findPartner says of lists whose family is served no longer that this is why", async (t) => {
    const gone = await stage.addPartner("gone", [{ last_poll: now - 9000 }])
    const plan = (...prefixes: readonly string[]) => ({
      ...{ limits: { burst: 1, quota: 1, concurrent: 1, waiting: 1 }, accounts: {} },
      routes: prefixes.map((prefix) => ({ prefix })) as never,
    })
    const find = (...prefixes: readonly string[]) =>
      findPartner(database, "gone", { retention, at: now, plan: plan(...prefixes) })
    t.match(await find("/g/v1"), {
      health: { state: "silent", reason: /no longer serves some of these paths/ },
      lists: [{ cause: "not served" }],
    })
    t.match((await find("/f/v1")).health.reason, /^It has not polled for 2 h 30 min\.$/)
    await stage.removePartners(gone)
  })

  await t.test("findPartner returns grants that ended within a month or end within one, by their ends", async (t) => {
    const setEnd = (ends: number) => writer.updateTable("access_grant").set({ ends })
    await setEnd(now + 30 * aDay - 1).where("account_id", "in", [id, stranger]).execute()
    const events: string[] = []
    for (const ends of [now - 30 * aDay, now - 30 * aDay + 1, now, now + 30 * aDay]) {
      const event = await build.event(await build.organization(`ends-${ends}`))
      events.push(event)
      await build.grant("reported", { event })
      await setEnd(ends).where("event_id", "=", event).execute()
    }
    t.strictSame((await report()).grants, [
      { target: events[1], ends: now - 30 * aDay + 1 },
      { target: events[2], ends: now },
      { target: event, ends: now + 30 * aDay - 1 },
    ])
  })

  await t.test("findPartner returns how the last session ended, while there is none", async (t) => {
    t.equal((await report()).lastSession, null)
    await stage.addSession(id, now - 90)
    await stage.addSession(id, now - 80, "revoked")
    await stage.addSession(id, now - 100)
    await stage.addSession(stranger, now - 70)
    t.strictSame((await report()).lastSession, {
      ended: now - 80,
      reason: "revoked",
      isToken: false,
    })
    await stage.addSession(id, now + 9000)
    t.equal((await report()).lastSession, null)
  })

  await t.test("findPartner says that there is no such partner, also of an operator", async (t) => {
    for (const name of ["nobody", "person"]) {
      const found = findPartner(database, name, { retention })
      await t.rejects(found, { name: "UserError", message: `There is no partner ${name}` })
    }
  })
})
