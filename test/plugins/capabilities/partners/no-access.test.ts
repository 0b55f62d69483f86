import t from "tap"
import { writeAddresses } from "../../../../plugins/capabilities/partners/last-request.ts"
import { setDisabled } from "../../../../plugins/capabilities/accounts/change-account.ts"
import { grantAccess, withdrawAccess } from "../../../../plugins/capabilities/accounts/grants.ts"
import { formatMoment } from "../../../../core/data/time.ts"
import { recordChange } from "../../../../plugins/capabilities/audit/audit-log.ts"
import { findPartner } from "../../../../plugins/capabilities/partners/find-partner.ts"
import { listPartners } from "../../../../plugins/capabilities/partners/list-partners.ts"
import { onEmbedded } from "../../../support/database.ts"
import { setPartnerStage } from "../../../support/partner-stage.ts"

const retention = 90 * 86_400
const aDay = 86_400
const root = { actor: "root", address: "host", record: recordChange }

await onEmbedded(t, async (t, engine) => {
  const stage = await setPartnerStage(t, engine)
  const { database, build, writer, now, event: acme } = stage
  const northern = await build.organization("north")
  const north = await build.event(northern, { name: "Gala" })

  /** Adds an account without grants that has polled a list of an event, from an address. */
  const partner = async (name: string, address: string | null = "192.0.2.7", ago = 60) => {
    const id = await build.account(name)
    const at = now - ago
    const walk = { last_poll: at, walk_started: at, walk_completed: at, completed_next: at }
    await stage.addLists(id, walk)
    if (address !== null) {
      await writeAddresses(
        database,
        [{ account_id: id, address, at }],
        new AbortController().signal,
      )
    }
    return id
  }
  const healthOf = async (name: string, at = now) => {
    const all = await listPartners(database, { retention, at })
    return all.find(({ account }) => account === name)
  }
  const textOf = async (name: string) =>
    (await findPartner(database, name, { retention, at: now })).sentences.join("\n")
  /** Sets the time of all changes in the audit log. */
  const changedAt = (at: number) =>
    writer.updateTable("audit_log").set({ at }).where("status", "=", 0).execute()

  await t.test("listPartners says who has withdrawn a grant, and findPartner which command gives it back", async (t) => {
    const id = await partner("withdrawn")
    const [target, networks] = [{ organization: "acme" }, ["192.0.2.0/24", "2001:db8::/32"]]
    await grantAccess(database, "withdrawn", target, { networks }, root)
    t.match(await healthOf("withdrawn"), { state: "in sync", noAccess: null })
    await withdrawAccess(database, "withdrawn", target, root)
    await changedAt(now - 30)
    const at = formatMoment(now - 30)
    const reason = `Its grant for organization acme was withdrawn by root at ${at}.`
    t.match(await healthOf("withdrawn"), { state: "no access", since: now - 30, reason })
    const text = await textOf("withdrawn")
    t.notMatch(text, "It may not read", "its state says it")
    t.match(text, "Its last request for a list came from 192.0.2.7.")
    t.match(
      text,
      /What to do: .* withdrawn --organization acme --from 192.0.2.0\/24 --from 2001:db8::\/32\.$/,
    )
    await writer.updateTable("account").set({ username: "renamed" }).where("id", "=", id).execute()
    const renamed = { former: "withdrawn", account: "renamed" }
    await writer.insertInto("audit_name").values(renamed).execute()
    t.match(await healthOf("renamed"), { state: "no access", reason })
    await grantAccess(database, "renamed", { event: acme }, {}, root)
    t.match(await healthOf("renamed"), { state: "in sync", noAccess: null })
  })

  await t.test("listPartners counts partners without a grant for two weeks after their last request", async (t) => {
    await partner("quiet", null, 14 * aDay - 1)
    t.match(await healthOf("quiet"), { state: "no access", reason: /^It has no grant/ })
    t.match(await healthOf("quiet", now + 1), { state: "silent", noAccess: null })
  })

  await t.test("listPartners says which grant has ended, and how many more", async (t) => {
    await partner("ended")
    await grantAccess(database, "ended", { organization: "acme" }, { ends: now + 9 })
    await grantAccess(database, "ended", { organization: "north" }, { ends: now - 99 })
    t.match(await healthOf("ended", now + 8), { state: "in sync" })
    const grant = `Its grant for organization acme has ended at ${formatMoment(now + 9)}`
    const reason = `${grant}; 1 more is not valid either.`
    t.match(await healthOf("ended", now + 9), { state: "no access", since: now + 9, reason })
    await withdrawAccess(database, "ended", { organization: "north" }, root)
    await changedAt(now + 8)
    t.match(await healthOf("ended", now + 9), { since: now + 9, reason }, "that was before")
    await changedAt(now + 9)
    t.match(await healthOf("ended", now + 9), {
      reason: /organization north was withdrawn by root/,
    })
  })

  await t.test("listPartners goes by the address of the last request, if it is known", async (t) => {
    const id = await partner("moved")
    await partner("unknown", null)
    for (const name of ["moved", "unknown"]) {
      await grantAccess(database, name, { event: acme }, { networks: ["192.0.2.0/24"] })
      t.match(await healthOf(name), { state: "in sync" })
    }
    await writer.updateTable("account_activity").set({ listed_address: "198.51.100.1" })
      .where("account_id", "=", id).execute()
    const reason =
      /is not valid from 198\.51\.100\.1, where its last request came from, but only from 192\.0\.2\.0\/24\./
    t.match(await healthOf("moved"), { state: "no access", reason })
    t.match(await textOf("moved"), "--from 192.0.2.0/24 --from 198.51.100.1.")
    await grantAccess(database, "moved", { event: north }, { networks: ["198.51.100.1"] })
    t.match(await healthOf("moved"), { noAccess: null })
  })

  await t.test("listPartners says that the program of a disabled account still sends requests, for two days", async (t) => {
    for (const [name, ago] of [["knocking", 400], ["quiet off", 501]] as const) {
      const account_id = await partner(name)
      await grantAccess(database, name, { event: acme })
      await setDisabled(database, name, true, { by: root })
      await writer.updateTable("account_activity")
        .set({ refused: now - ago, refused_address: "192.0.2.7" })
        .where("account_id", "=", account_id).execute()
    }
    await changedAt(now - 500)
    const reason =
      /^Its account was disabled by root at \S+; its program still sends requests, last at .* from 192/
    t.match(await healthOf("knocking"), { state: "no access", since: now - 500, reason })
    t.match(await healthOf("quiet off"), { state: "disabled", noAccess: null })
    t.match(await healthOf("knocking", now - 401 + 2 * aDay), { state: "no access" })
    t.match(await healthOf("knocking", now - 400 + 2 * aDay), { state: "disabled" })
    t.match(await textOf("knocking"), /in again: event-export account disable knocking --undo\.$/)
    await writer.deleteFrom("audit_log").execute()
    t.match(await healthOf("knocking"), { reason: /^Its account is disabled; its program still/ })
  })

  await t.test("findPartner names the events that a partner may not read any more, and why", async (t) => {
    const id = await partner("partly")
    const second = await build.event(northern, { name: "Ball" })
    const own = await build.event(await build.organization("east"), { name: "Race" })
    const events = [north, second, own]
    await stage.addLists(id, ...events.map((event_id) => ({ event_id })))
    await grantAccess(database, "partly", { event: acme }, {}, root)
    await grantAccess(database, "partly", { organization: "north" }, {}, root)
    await grantAccess(database, "partly", { event: own }, { networks: ["198.51.100.0/24"] }, root)
    await withdrawAccess(database, "partly", { organization: "north" }, root)
    await changedAt(now - 30)
    const { health, lists } = await findPartner(database, "partly", { retention, at: now })
    t.equal(health.state, "in sync", "what it may read, it has")
    const states = lists.map(({ state }) => state)
    t.strictSame(states.toSorted(), ["in sync", "no access", "no access", "no access"])
    const text = await textOf("partly")
    t.match(text, /^It may not read (Gala|Ball) .* withdrawn by root .* --organization north lets/m)
    t.match(text, "It may not read 1 more of its events for the same reason.")
    t.match(
      text,
      `access grant partly --event ${own} --from 198.51.100.0/24 --from 192.0.2.7 lets it read.`,
    )
    await writer.updateTable("access_grant").set({ networks: "198.51.100.9/24" })
      .where("account_id", "=", id).where("event_id", "=", own).execute()
    t.match(await textOf("partly"), "--from 198.51.100.0/24 --from 192.0.2.7 lets it")
    for (const [ago, isNamed] of [[14 * aDay, true], [14 * aDay + 1, false]] as const) {
      await writer.updateTable("sync_state").set({ last_poll: now - ago })
        .where("account_id", "=", id).where("event_id", "=", own).execute()
      t.equal((await textOf("partly")).includes("Race"), isNamed, "whether it still asks for it")
    }
    await grantAccess(database, "partly", { organization: "north" }, {}, root)
    t.notMatch(await textOf("partly"), "organization north")
  })

  await t.test("findPartner says of each 404 which grant does not count, from the address of the request", async (t) => {
    await partner("asking")
    const ended = await build.event(await build.organization("south"), { name: "Dinner" })
    const never = await build.event(await build.organization("west"), { name: "Show" })
    await grantAccess(database, "asking", { event: acme })
    await grantAccess(database, "asking", { event: ended }, { ends: now - 100 })
    await grantAccess(database, "asking", { event: north }, { networks: ["192.0.2.0/24"] })
    const [usual, elsewhere] = ["192.0.2.7", "203.0.113.5"]
    const cases = [
      [ended, usual, /^It may not read Dinner .* has ended at .* --event \S+ lets it read\.$/],
      [crypto.randomUUID(), usual, /^There is no event/],
      [never, usual, /^It may not read Show .* none was withdrawn .* lets it read\.$/],
      [north, elsewhere, /^It may not read Gala .*--from 192\.0\.2\.0\/24 --from 203\.0\.113\.5/],
      [acme, usual, /^It may read Autumn Gala .* now/],
    ] as const
    await writer.insertInto("audit_log").values(
      cases.map(([event_id, address], n) => ({
        ...{ at: now - 50, action: "list", account: "asking", request_id: "r", status: 404 },
        ...{ code: "event_not_found", milliseconds: 1, event_id, address, route: `/${n}` },
      })),
    ).execute()
    const { errors } = await findPartner(database, "asking", { retention, at: now })
    const found = new Map(errors.map(({ route, advice }) => [route, advice]))
    for (const [n, [, , advice]] of cases.entries()) t.match(found.get(`/${n}`), advice)
  })
})
