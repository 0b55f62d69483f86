import t from "tap"
import { listPartners } from "../../../core/partners/list-partners.ts"
import { readPartnerNumbers } from "../../../core/partners/partner-numbers.ts"
import { freshApp } from "../../support/app.ts"
import { onEveryEngine } from "../../support/database.ts"
import { emptyRow } from "../../support/sync-rows.ts"

const retention = 90 * 86_400
const minute = 60
const aDay = 86_400

await onEveryEngine(t, async (t, engine) => {
  const { database, build } = await freshApp(t, engine)
  const { writer, dialect } = database
  const { now } = await writer.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
  const event = await build.event(await build.organization("acme"))
  const other = await build.event(await build.organization("other"))
  await build.guest(event, { updated: now - 30 * minute })
  await build.guest(other, { updated: now - 30 * minute })

  /** Adds an account with a list that it completed a walk of, `own` minutes ago. */
  const partner = async (
    name: string,
    own: Parameters<typeof emptyRow>[0] | Record<string, unknown> = {},
    role: "partner" | "operator" = "partner",
  ) => {
    const account_id = await build.account(name, role)
    await build.grant(name, { event })
    const walk = now - 10
    await writer.insertInto("sync_state").values(emptyRow({
      account_id,
      event_id: event,
      last_poll: walk,
      poll_interval: 60,
      walk_started: walk,
      walk_since: walk - 60,
      walk_next: walk - 2,
      walk_completed: walk,
      completed_next: walk - 2,
      ...own,
    })).execute()
    return account_id
  }

  await partner("well")
  await partner("person", {}, "operator")
  const late = now - 40 * minute
  await partner("late", { walk_completed: late, completed_next: late, previous_started: late })
  await partner("given-up", {
    event_id: other,
    walk_completed: late,
    completed_next: late,
    previous_started: late,
  })
  await partner("stuck", {
    walk_completed: null,
    completed_next: null,
    previous_started: now - 60,
    third_started: now - 120,
    first_started: now - 300,
  })
  await partner("silent", { last_poll: now - 2 * 3600 })
  const locked = await partner("locked", { last_poll: now - 20 })
  await writer.insertInto("account_activity").values({
    account_id: locked,
    refused: now - 5,
    refused_code: "unauthenticated",
    refused_request: "r-1",
    refused_session: "s",
    refused_address: "192.0.2.1",
  }).execute()
  const guessed = await partner("guessed")
  await writer.insertInto("session").values({
    id: crypto.randomUUID(),
    account_id: guessed,
    created: now,
    expires: now + aDay,
  }).execute()
  await writer.insertInto("account_activity").values({ account_id: guessed, refused: now })
    .execute()
  const back = await partner("back", { last_poll: now - 5 })
  await writer.insertInto("account_activity").values({ account_id: back, refused: now - 20 })
    .execute()
  await build.account("new")
  await partner("off")
  await writer.updateTable("account").set({ disabled: 1 }).where("username", "=", "off").execute()
  const failing = await build.account("failing")
  await writer.insertInto("sync_state").values(emptyRow({
    account_id: failing,
    event_id: "",
    error_at: now - 5,
    error_status: 404,
    error_code: "event_not_found",
    error_request: "r-2",
  })).execute()

  await t.test("listPartners tells the state of each partner, the worst first, and leaves operators out", async (t) => {
    const found = await listPartners(database, { retention, at: now })
    t.strictSame(found.map(({ account, state }) => [account, state]), [
      ["locked", "locked out"],
      ["stuck", "stuck"],
      ["failing", "stuck"],
      ["silent", "silent"],
      ["late", "behind"],
      ["new", "never polled"],
      ["back", "in sync"],
      ["given-up", "in sync"],
      ["guessed", "in sync"],
      ["well", "in sync"],
      ["off", "disabled"],
    ])
    const of = (name: string) => found.find(({ account }) => account === name)
    t.match(of("late"), { behind: 1, lists: 1, lag: 40 * minute, since: late })
    t.match(of("locked"), { since: now - 20, refused: { requestId: "r-1", address: "192.0.2.1" } })
    t.match(of("failing"), {
      lastError: { code: "event_not_found", requestId: "r-2", status: 404 },
    })
    t.match(of("stuck"), { stuck: 1, since: now - 300 })
    for (const { reason } of found) t.match(reason, /\.$/)
  })

  await t.test("readPartnerNumbers lists what is behind, without events that may not be read", async (t) => {
    const { partners, late: lists } = await readPartnerNumbers(database, { retention, at: now })
    t.equal(partners.length, 11)
    t.strictSame(
      lists,
      [
        { account: "stuck", family: "family", eventId: event, list: "guests", lag: 300 },
        { account: "late", family: "family", eventId: event, list: "guests", lag: 40 * minute },
      ].sort((a, b) => b.lag - a.lag),
    )
  })

  await t.test("listPartners counts the deletions that wait, and the days until a 410", async (t) => {
    const account_id = await partner("forgetful")
    const covered = now - 3 * aDay
    await writer.insertInto("sync_state").values(emptyRow({
      account_id,
      event_id: event,
      list: "guest deletions",
      kind: "guest deletions",
      last_poll: covered,
      poll_interval: 60,
      walk_started: covered,
      walk_completed: covered,
      completed_next: covered,
      acknowledged: now - 10 * aDay,
      acknowledged_at: covered,
    })).execute()
    await writer.updateTable("change_state").set({ complete_since: 0 }).execute()
    for (const at of [covered - 1, covered, now - 3600]) {
      await writer.insertInto("deletion").values({
        event_id: event,
        category: "guests",
        record_id: crypto.randomUUID(),
        at,
      }).execute()
    }
    const [health] = await forgetful()
    t.match(health, {
      state: "behind",
      deletionsWaiting: 2,
      moreDeletionsWaiting: false,
      daysUntilResync: 80,
      lag: 3 * aDay,
    })
    await writer.updateTable("change_state").set({ complete_since: now - 9 * aDay }).execute()
    t.match(await forgetful(), [{ daysUntilResync: -1 }])
    await writer.insertInto("deletion").values(
      Array.from({ length: 150 }, () => ({
        event_id: event,
        category: "guests",
        record_id: crypto.randomUUID(),
        at: now - 60,
      })),
    ).execute()
    t.match(await forgetful(), [{ deletionsWaiting: 100, moreDeletionsWaiting: true }])
  })

  async function forgetful() {
    const found = await listPartners(database, { retention, at: now })
    return found.filter(({ account }) => account === "forgetful")
  }
})
