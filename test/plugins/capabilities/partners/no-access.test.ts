import t from "tap"
import { grantAccess, withdrawAccess } from "../../../../core/access/grants.ts"
import { setDisabled } from "../../../../core/access/accounts.ts"
import { recordChange } from "../../../../plugins/capabilities/audit/audit-log.ts"
import { findPartner } from "../../../../plugins/capabilities/partners/find-partner.ts"
import { listPartners } from "../../../../plugins/capabilities/partners/list-partners.ts"
import { formatMoment } from "../../../../core/data/time.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"
import { Builder } from "../../../support/builder.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

const retention = 90 * 86_400
const aDay = 86_400

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer, dialect } = database
  const build = new Builder(database)
  const { now } = await writer.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
  const acme = await build.event(await build.organization("acme"))
  const north = await build.event(await build.organization("north"))
  const root = { actor: "root", address: "host", record: recordChange }

  /** Adds an account that has polled a list of an event, from an address. */
  const partner = async (
    name: string,
    { polled = now - 60, address = "192.0.2.7", event = acme }: {
      readonly polled?: number
      readonly address?: string | null
      readonly event?: string
    } = {},
  ) => {
    const account_id = await build.account(name)
    const covered = { walk_started: polled, walk_completed: polled, completed_next: polled }
    await writer.insertInto("sync_state").values(
      emptyRow({ account_id, event_id: event, last_poll: polled, poll_interval: 60, ...covered }),
    ).execute()
    if (address !== null) {
      await writer.insertInto("last_request").values({ account_id, address, at: polled }).execute()
    }
    return account_id
  }
  const stateOf = async (name: string, at = now) => {
    const all = await listPartners(database, { retention, at })
    return all.find(({ account }) => account === name)
  }
  /** Sets the time of all changes in the audit log. */
  const changedAt = (at: number) =>
    writer.updateTable("audit_log").set({ at }).where("status", "=", 0).execute()

  await t.test("listPartners says who has withdrawn a grant, and findPartner which command gives it back", async (t) => {
    await partner("withdrawn")
    await grantAccess(database, "withdrawn", { organization: "acme" }, {
      networks: ["192.0.2.0/24", "2001:db8::/32"],
    }, root)
    t.match(await stateOf("withdrawn"), { state: "in sync", noAccess: null })
    await withdrawAccess(database, "withdrawn", { organization: "acme" }, root)
    await changedAt(now - 30)
    const reason = `Its grant for organization acme was withdrawn by root at ${
      formatMoment(now - 30)
    }.`
    t.match(await stateOf("withdrawn"), { state: "no access", since: now - 30, reason })
    const { sentences } = await findPartner(database, "withdrawn", { retention, at: now })
    t.equal(
      sentences[0],
      `withdrawn has no access since ${formatMoment(now - 30)} (30 s). ${reason}`,
    )
    t.notMatch(sentences.join("\n"), "It may not read", "its state says it")
    t.equal(sentences[1], "Its last request for a list came from 192.0.2.7.")
    t.equal(
      sentences.at(-1),
      "What to do: give the grant back, or tell the partner to stop its program: " +
        "event-export access grant withdrawn --organization acme --from 192.0.2.0/24 --from 2001:db8::/32.",
    )
    await writer.updateTable("account").set({ username: "renamed" })
      .where("username", "=", "withdrawn").execute()
    await writer.insertInto("audit_name").values({ former: "withdrawn", account: "renamed" })
      .execute()
    t.match(await stateOf("renamed"), { state: "no access", reason })
    await writer.updateTable("account").set({ username: "withdrawn" })
      .where("username", "=", "renamed").execute()
    await writer.deleteFrom("audit_name").execute()
    await grantAccess(database, "withdrawn", { event: acme }, {}, root)
    t.match(await stateOf("withdrawn"), { state: "in sync", noAccess: null })
  })

  await t.test("listPartners counts partners without a grant for two weeks after their last request", async (t) => {
    await partner("quiet", { polled: now - 14 * aDay + 1 })
    t.match(await stateOf("quiet"), {
      state: "no access",
      reason: "It has no grant, and none was withdrawn in the last 90 days.",
    })
    t.match(await stateOf("quiet", now + 1), { state: "silent", noAccess: null })
  })

  await t.test("listPartners says which grant has ended, and how many more", async (t) => {
    const id = await partner("ended")
    await grantAccess(database, "ended", { organization: "acme" }, { ends: now + 9 })
    await grantAccess(database, "ended", { organization: "north" }, { ends: now - 99 })
    t.match(await stateOf("ended", now + 8), { state: "in sync" })
    t.match(await stateOf("ended", now + 9), {
      state: "no access",
      since: now + 9,
      reason:
        `Its grant for organization acme has ended at ${formatMoment(now + 9)}; 1 more does ` +
        "not count either.",
    })
    await writer.deleteFrom("access_grant").where("account_id", "=", id).execute()
  })

  await t.test("listPartners goes by the address of the last request, if it is known", async (t) => {
    const id = await partner("moved")
    await partner("unknown", { address: null })
    for (const name of ["moved", "unknown"]) {
      await grantAccess(database, name, { event: acme }, { networks: ["192.0.2.0/24"] })
    }
    t.match(await stateOf("moved"), { state: "in sync" })
    t.match(await stateOf("unknown"), { state: "in sync" })
    await writer.updateTable("last_request").set({ address: "198.51.100.1" })
      .where("account_id", "=", id).execute()
    t.match(await stateOf("moved"), {
      state: "no access",
      reason: `Its grant for event ${acme} counts only from 192.0.2.0/24, and its last request ` +
        "came from 198.51.100.1.",
    })
    const { sentences } = await findPartner(database, "moved", { retention, at: now })
    t.equal(
      sentences.at(-1),
      "What to do: if 198.51.100.1 is the partner's address, add it: event-export access grant moved " +
        `--event ${acme} --from 192.0.2.0/24 --from 198.51.100.1.`,
    )
    await grantAccess(database, "moved", { event: north }, { networks: ["198.51.100.1"] })
    t.match(await stateOf("moved"), { noAccess: null })
  })

  await t.test("listPartners says that the program of a disabled account still knocks, for two days", async (t) => {
    const knocking = await partner("knocking")
    const quiet = await partner("quiet off")
    for (const name of ["knocking", "quiet off"]) {
      await grantAccess(database, name, { event: acme })
      await setDisabled(database, name, true, { by: root })
    }
    await changedAt(now - 500)
    await writer.insertInto("account_activity").values([
      { account_id: knocking, refused: now - 400, refused_address: "192.0.2.7" },
      { account_id: quiet, refused: now - 501, refused_address: "192.0.2.7" },
    ]).execute()
    const reason =
      `Its account was disabled by root at ${formatMoment(now - 500)}; its program still ` +
      `knocks, last at ${formatMoment(now - 400)} from 192.0.2.7.`
    t.match(await stateOf("knocking"), { state: "no access", since: now - 500, reason })
    t.match(await stateOf("quiet off"), { state: "disabled", noAccess: null })
    t.match(await stateOf("knocking", now - 401 + 2 * aDay), { state: "no access" })
    t.match(await stateOf("knocking", now - 400 + 2 * aDay), { state: "disabled" })
    const { sentences } = await findPartner(database, "knocking", { retention, at: now })
    t.match(sentences.at(-1), /let it in again: event-export account disable knocking --undo\.$/)
    await writer.deleteFrom("audit_log").execute()
    t.match(await stateOf("knocking"), { reason: /^Its account is disabled; its program still/ })
  })

  await t.test("findPartner names the events that a partner may not read any more, and why", async (t) => {
    const id = await partner("partly")
    const second = await build.event(
      (await writer.selectFrom("organization").select("id").where("slug", "=", "north")
        .executeTakeFirstOrThrow()).id,
      { name: "Ball" },
    )
    const own = await build.event(await build.organization("east"), { name: "Race" })
    const walk = { last_poll: now - 50, walk_started: now - 50, walk_completed: now - 50 }
    const events = [north, second, own]
    await writer.insertInto("sync_state").values(
      events.map((event_id) =>
        emptyRow({ account_id: id, event_id, completed_next: now - 50, poll_interval: 60, ...walk })
      ),
    ).execute()
    await grantAccess(database, "partly", { event: acme }, {}, root)
    await grantAccess(database, "partly", { organization: "north" }, {}, root)
    await grantAccess(database, "partly", { event: own }, { networks: ["198.51.100.0/24"] }, root)
    await withdrawAccess(database, "partly", { organization: "north" }, root)
    await changedAt(now - 30)
    const read = () => findPartner(database, "partly", { retention, at: now })
    const { health, sentences, lists } = await read()
    t.equal(health.state, "in sync", "what it may read, it has")
    t.strictSame(lists.map(({ state }) => state).sort(), [
      ...["in sync", "no access", "no access", "no access"],
    ])
    const text = sentences.join("\n")
    t.match(
      text,
      new RegExp(
        `^It may not read (Autumn Gala|Ball) \\(\\S+\\): its grant for organization north was ` +
          `withdrawn by root at ${formatMoment(now - 30)}\\. event-export access grant partly ` +
          "--organization north lets it read\\. It may not read 1 more of its events for the same reason\\.$",
        "m",
      ),
    )
    t.match(
      text,
      `It may not read Race (${own}): its grant for event ${own} counts only from 198.51.100.0/24 (set ` +
        `by root at ${
          formatMoment(now - 30)
        }), and its last request came from 192.0.2.7. event-export ` +
        `access grant partly --event ${own} --from 198.51.100.0/24 --from 192.0.2.7 lets it read.`,
    )
    await writer.updateTable("access_grant").set({ networks: "198.51.100.9/24" })
      .where("account_id", "=", id).where("event_id", "=", own).execute()
    t.match((await read()).sentences.join("\n"), "--from 198.51.100.0/24 --from 192.0.2.7 lets it")
    const longAgo = now - 14 * aDay - 1
    await writer.updateTable("sync_state").set({ last_poll: longAgo })
      .where("account_id", "=", id).where("event_id", "=", own).execute()
    t.notMatch((await read()).sentences.join("\n"), "Race", "it does not ask for it any more")
    await grantAccess(database, "partly", { organization: "north" }, {}, root)
    t.notMatch((await read()).sentences.join("\n"), "organization north")
  })

  await t.test("findPartner says of each 404 which grant does not count, from the address of the request", async (t) => {
    await partner("asking")
    await grantAccess(database, "asking", { event: acme })
    const [ended, gone, never] = [
      await build.event(await build.organization("south"), { name: "Dinner" }),
      crypto.randomUUID(),
      await build.event(await build.organization("west"), { name: "Show" }),
    ]
    await grantAccess(database, "asking", { event: ended }, { ends: now - 100 })
    await grantAccess(database, "asking", { event: north }, { networks: ["192.0.2.0/24"] })
    const entry = {
      ...{ at: now - 50, action: "list", account: "asking", request_id: "r", status: 404 },
      ...{ code: "event_not_found", milliseconds: 1 },
    }
    const asked = [[ended, "192.0.2.7"], [gone, "192.0.2.7"], [never, "192.0.2.7"], [
      north,
      "203.0.113.5",
    ], [acme, "192.0.2.7"]] as const
    await writer.insertInto("audit_log").values(
      asked.map(([event_id, address], n) => ({ ...entry, event_id, address, route: `/${n}` })),
    ).execute()
    const report = async () => {
      const { errors } = await findPartner(database, "asking", { retention, at: now })
      return errors.toSorted((a, b) => String(a.route) < String(b.route) ? -1 : 1)
        .map(({ advice }) => advice)
    }
    const grant = "event-export access grant asking --event"
    t.strictSame(await report(), [
      `It may not read Dinner (${ended}): its grant for event ${ended} has ended at ` +
      `${formatMoment(now - 100)}. ${grant} ${ended} lets it read.`,
      `There is no event ${gone}. Compare the partner's id with the events that it may read.`,
      `It may not read Show (${never}): it has no grant, and none was withdrawn in the last 90 days. ` +
      `${grant} ${never} lets it read.`,
      `It may not read Autumn Gala (${north}): its grant for event ${north} counts only from ` +
      `192.0.2.0/24, and its last request came from 203.0.113.5. ${grant} ${north} --from ` +
      `192.0.2.0/24 --from 203.0.113.5 lets it read.`,
      `It may read Autumn Gala (${acme}) now: a grant for it counts. Its next request shows it.`,
    ])
  })
})
