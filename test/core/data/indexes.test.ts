import { randomUUID } from "node:crypto"
import { sql } from "kysely"
import t from "tap"
import { lookUpAdmission } from "../../../core/access/admission.ts"
import { pruneFailures } from "../../../core/access/failed-log-ins.ts"
import { LogIn } from "../../../core/access/log-in.ts"
import { endSession } from "../../../plugins/capabilities/accounts/end-session.ts"
import { pruneSessions, Sessions } from "../../../core/access/sessions.ts"
import { readCompleteSince } from "../../../core/change-log/horizon.ts"
import { pruneChangeLog } from "../../../core/change-log/prune.ts"
import { Tail } from "../../../core/change-log/tail.ts"
import { foldEvent } from "../../../core/change-log/versions.ts"
import { findWatermark } from "../../../core/change-log/watermark.ts"
import type { Database, Snapshot } from "../../../core/data/database.ts"
import { categories, type Category } from "../../../core/records/kinds/categories.ts"
import { guestDeletions, wholeGuestDeletion } from "../../../core/records/lists/deletions.ts"
import { guestDigest, wholeDigest } from "../../../core/records/lists/digest.ts"
import { events } from "../../../core/records/lists/events.ts"
import { guests, items } from "../../../core/records/lists/records.ts"
import { event as eventRecord } from "../../../core/records/kinds/event.ts"
import { guest } from "../../../core/records/kinds/guest.ts"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { leanItems } from "../../../core/records/kinds/lean.ts"
import { loadKeys } from "../../../plugins/capabilities/memory/load-keys.ts"
import { consented } from "../../../core/records/kinds/filter.ts"
import { whole } from "../../../core/records/kinds/projection.ts"
import { pruneAudit } from "../../../plugins/capabilities/audit/audit-log.ts"
import { findEnds } from "../../../plugins/capabilities/disclosures/ends.ts"
import { addNotices } from "../../../plugins/capabilities/disclosures/notices.ts"
import { pruneDisclosures } from "../../../plugins/capabilities/disclosures/prune.ts"
import { findById, oldestFirst } from "../../../plugins/capabilities/feed/oldest-first.ts"
import { readAcknowledged } from "../../../plugins/capabilities/partners/acknowledged-deletions.ts"
import { readDoubts, readLastPolls } from "../../../plugins/capabilities/partners/partner-sums.ts"
import { prunePartners } from "../../../plugins/capabilities/partners/prune-partners.ts"
import { unreadLists } from "../../../plugins/capabilities/partners/list-conditions.ts"
import { countDeletions } from "../../../plugins/capabilities/partners/waiting-deletions.ts"
import { writeSync } from "../../../plugins/capabilities/partners/write-sync.ts"
import { secret } from "../../support/app.ts"
import { Builder, password, past } from "../../support/builder.ts"
import { freshDatabase, withoutMysql } from "../../support/database.ts"
import { scannedLog } from "../../support/scanned-log.ts"
import { page as pagePoll } from "../../support/polls.ts"
import { plansOf } from "../../support/statements.ts"
import { emptyRow } from "../../support/sync-rows.ts"

/** Rows of each table; one of `every` has expired. */
const [rows, every] = [3000, 20]
const aDay = 86_400
const numbers = Array.from({ length: rows }, (_, n) => n)
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

/** Returns true if a step of a plan reads few rows, or stops at the limit as it reads in the order of an index. */
function isBounded(step: string, sql: string): boolean {
  const [table = "", type = "", , rows] = step.split(" ")
  // The rows of a subquery are those of another step.
  if (table.startsWith("<")) return true
  // The end of the log, whose length MySQL may not know.
  if (table === "recent" && type === "range") return true
  const isSorted = /filesort|temporary/.test(step)
  // The records of an event.
  if (table === "record" && isSorted) return false
  // A condition could leave out all rows of an index.
  const isAll = type === "index" && !step.includes("Using where")
  const isOrdered = (type === "range" || isAll) && !isSorted
  return Number(rows) <= 1200 || rows === "null" || (isOrdered && / limit /.test(sql))
}

t.test("hot statements use indexes on MySQL", { skip: withoutMysql }, async (t) => {
  const database = await freshDatabase(t, "mysql")
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const event = await build.event(organization)
  await fill(database, event, await build.event(organization))

  const sessions = new Sessions(database, {
    ...{ secrets: [secret], lifetime: 1000, cookie: "event_export", secure: true },
  })
  const page = { since: 0, offset: 0, limit: 100, terms: [] }
  const key = [past + 500, "8"] as const
  const cursor = { ...page, after: { guests: key, tickets: key, pledges: key } }
  const scope = { access: { organizationIds: [], eventIds: [] }, organizations: undefined }
  const ofEvent = { ...scope, eventId: event }
  const changes = {
    ...{ eventId: event, categories: Object.keys(categories) as Category[] },
    ...{ since: past, gone: past, after: undefined, limit: 100, versions: true },
  }
  const caller = {
    ...{ key: { session: idOf(1), epoch: 0, account: idOf(1) }, idle: 60, address: "" },
    ...{ eventId: event, tables: ["guest", "ticket"] as const },
  }
  /** Does something in a snapshot. */
  const inSnapshot = (read: (snapshot: Snapshot) => Promise<unknown>) => (database: Database) =>
    database.snapshot(read)
  const listGuests = (page: Parameters<typeof guests.list>[2]) =>
    inSnapshot((snapshot) => guests.list(snapshot, ofEvent, page, whole(guest)))
  const filter = { ...consented("email"), scope: "/acme/v1/events/:eventId/guests" }
  const chosen = { ...whole(guest), filter }
  const listChosen = (page: Parameters<typeof guests.list>[2]) =>
    inSnapshot((snapshot) => guests.list(snapshot, ofEvent, page, chosen))
  const filters = [{ prefix: "/acme/v1", organizations: ["acme"], filter }]
  const listItems = (page: Parameters<typeof items.list>[2]) =>
    inSnapshot((snapshot) => items.list(snapshot, ofEvent, page, leanItems))

  const polls = numbers.slice(0, 100).map((n) => ({
    list: emptyRow({ account_id: idOf(n % 30), event_id: idOf(n) }),
    ...{ poll: pagePoll(past), isReadable: true, counts: { polls: 1 } },
  }))
  const work: Record<string, (database: Database) => Promise<unknown>> = {
    "a page of guests": listGuests(page),
    "a page of guests at an offset": listGuests({ ...page, offset: 500 }),
    "a page of guests by cursor": listGuests(cursor),
    "a page of chosen guests": listChosen(page),
    "a page of chosen guests at an offset": listChosen({ ...page, offset: 500 }),
    "a search for chosen guests": listChosen({ ...page, terms: ["ada"] }),
    "guests who were chosen": inSnapshot((snapshot) =>
      guestDeletions.list(snapshot, ofEvent, page, {
        ...wholeGuestDeletion,
        gone: { scope: filter.scope, filter },
      })
    ),
    "the digest of chosen guests": inSnapshot((snapshot) =>
      guestDigest.list(snapshot, ofEvent, page, { ...wholeDigest, of: chosen })
    ),
    "the list of events with chosen guests": inSnapshot((snapshot) => {
      const access = { organizationIds: [organization], eventIds: [] }
      const project = { ...whole(eventRecord), filter }
      return events.list(snapshot, { ...scope, access, eventId: "" }, page, project)
    }),
    "the feed of chosen guests": inSnapshot((snapshot) =>
      oldestFirst(snapshot, { ...changes, filter })
    ),
    "the keys of chosen guests in memory": (database) =>
      database.readOnce((reader) => {
        const wanted = [{ category: "guests" as const, after: key, vacancies: true }]
        return loadKeys(reader, { eventId: event, filter, behind: rows - 10, wanted, most: 1000 })
      }),
    "an admission to chosen guests": (database) =>
      database.readOnce((reader) =>
        lookUpAdmission(reader, { ...caller, deletions: ["guests"], filter, behind: rows - 10 })
      ),
    "a page of items by cursor": listItems(cursor),
    "a search for guests": listGuests({ ...page, terms: ["ada"] }),
    "a search for items": listItems({ ...page, terms: ["ada"] }),
    "a bucket of guests": listGuests({ ...cursor, hash: "1f" }),
    "deleted guests": inSnapshot((snapshot) =>
      guestDeletions.list(snapshot, ofEvent, page, wholeGuestDeletion)
    ),
    "the digest of guests": inSnapshot((snapshot) =>
      guestDigest.list(snapshot, ofEvent, page, wholeDigest)
    ),
    "the list of events": inSnapshot((snapshot) => {
      const access = { organizationIds: [organization], eventIds: [] }
      return events.list(snapshot, { ...scope, access, eventId: "" }, page, whole(eventRecord))
    }),
    "the horizon of deletions": inSnapshot((snapshot) =>
      readCompleteSince(snapshot, { eventId: event, categories: ["guests"] })
    ),
    "the keys of lists in memory": (database) =>
      database.readOnce((reader) => {
        const wanted = itemCategories.map((category) => {
          return { category, after: key, vacancies: true }
        })
        return loadKeys(reader, { eventId: event, behind: rows - 10, wanted, most: 1000 })
      }),
    "the feed of an event": inSnapshot((snapshot) => oldestFirst(snapshot, changes)),
    "the feed behind a record": inSnapshot((snapshot) =>
      oldestFirst(snapshot, { ...changes, after: [past + 500, 100, "8"] })
    ),
    "a record by its id": inSnapshot((snapshot) => findById(snapshot, { ...changes, id: "8" })),
    "an admission": (database) => database.readOnce((reader) => lookUpAdmission(reader, caller)),
    "looks for those who listen": async (database) => {
      const tail = new Tail(database, { log: scannedLog(t, []), common: () => "" })
      const listening = await tail.listen({ every: () => 1e9, hear: () => {} })
      listening[Symbol.dispose]()
      await tail.close()
    },
    "a log-in": (database) =>
      new LogIn(database, sessions, { secret, kind: "scrypt" })
        .attempt({ username: "ann", password, address: "192.0.2.1" }),
    "the end of a session": (database) => endSession(database, idOf(1), "revoked"),
    "the search for open changes": (database) => findWatermark(database),
    "the folding of changes": (database) => foldEvent(database, event),
    "lists that need a look": inSnapshot((snapshot) =>
      readDoubts(snapshot, { now: 1, filters: [] })
    ),
    "the last polls of partners": inSnapshot((snapshot) => readLastPolls(snapshot, {})),
    "what partners have acknowledged": inSnapshot((snapshot) =>
      readAcknowledged(snapshot, { now: 1, completeSince: 0, filters: [] }, undefined)
    ),
    "lists of chosen guests that need a look": inSnapshot((snapshot) =>
      readDoubts(snapshot, { now: 1, filters })
    ),
    "lists of chosen guests that have changed": inSnapshot((snapshot) =>
      snapshot.run(unreadLists(snapshot, { now: 1, filters, accountId: idOf(1) }))
    ),
    "what partners have acknowledged of chosen guests": inSnapshot((snapshot) =>
      readAcknowledged(snapshot, { now: 1e10, completeSince: 0, filters }, undefined)
    ),
    "deletions of chosen guests that wait": inSnapshot((snapshot) => {
      const list = { account_id: idOf(1), event_id: event, kind: "guest deletions" }
      return countDeletions(snapshot, filters, [{ ...list, covered: 2, filter: 0 }])
    }),
    "the writing of polls": (database) => writeSync(database, polls, new AbortController().signal),
    "guests who withdrew": ({ writer }) =>
      findEnds(writer, 0, { event, filter, since: 2, before: 1e10 }),
    "the withdrawal of a guest": ({ writer }) =>
      findEnds(writer, 0, { event, filter, guest: idOf(1) }),
    "deleted guests of the ledger": ({ writer }) =>
      findEnds(writer, 0, { event, filter: undefined, since: 2, before: 1e10 }),
    ...Object.fromEntries((["told", "acknowledged"] as const).map((kind) => [
      `the notice of a withdrawal, ${kind}`,
      (database: Database) => {
        const list = { eventId: event, accountId: idOf(1), prefix: "/p", filter, at: 1 }
        const notice = { ...list, list: "guests", kind, from: 2, to: 1e10 } as const
        return addNotices(database, [notice], new AbortController().signal)
      },
    ])),
    "the pruning of failures": (database) => pruneFailures(database),
    "the pruning of sessions": (database) => pruneSessions(database),
    "the pruning of audit entries": (database) => pruneAudit(database, 365),
    "the pruning of partners": (database) => prunePartners(database),
    "the pruning of disclosures": (database) => pruneDisclosures(database, 365),
    "the pruning of changes": (database) => pruneChangeLog(database, 90 * aDay),
  }
  for (const [name, run] of Object.entries(work)) {
    await t.test(`${name} examines no more than a portion of a table, and sorts no records`, async (t) => {
      const plans = await plansOf(database, "mysql", run)
      t.ok(plans.length > 0)
      for (const { sql, steps } of plans) {
        t.strictSame(steps.filter((step) => !isBounded(step, sql)), [], sql)
      }
    })
  }

  await t.test("a scan would be noticed", async (t) => {
    const [plan] = await plansOf(
      database,
      "mysql",
      inSnapshot(({ db, run }) => run(db.selectFrom("session").select("id").orderBy("created"))),
    )
    t.notOk(plan?.steps.every((step) => isBounded(step, plan.sql)))
  })
})

async function fill(database: Database, event: string, other: string): Promise<void> {
  const { writer } = database
  const build = new Builder(database)
  const account_id = await build.account("ann")
  const now = Math.floor(Date.now() / 1000)
  const at = (n: number) => n % every === 0 ? 1 : now
  const expires = (n: number) => n % every === 0 ? 1 : now + 10_000
  for (const each of [event, other]) {
    const guests = await build.guests(each, 1000)
    await writer.insertInto("consent").values(
      guests.filter((_, n) => n % 3 === 0).map((guest_id) => ({
        ...{ event_id: each, guest_id, asked: 1, status: "active", channels: "email" },
      })),
    ).execute()
    await build.items("tickets", each, 1000)
    const gone = numbers.slice(0, 700).map((n) => ({
      ...{ event_id: each, category: "guests", record_id: randomUUID(), at: at(n) },
    }))
    await writer.insertInto("deletion").values(gone).execute()
    await writer.insertInto("vacant_position").values(gone.map((row) => ({ ...row, updated: 1 })))
      .execute()
    await writer.insertInto("departure").values(gone.map(({ category: _, ...row }, n) => ({
      ...row,
      ...{ updated: 1, kind: "left" as const, channels: n % 2 ? "email" : "sms", scope: "" },
    }))).execute()
  }
  await writer.insertInto("session").values(
    numbers.map((n) => ({
      ...{ id: idOf(n), account_id, created: 1, expires: expires(n), network: `${n}` },
    })),
  ).execute()
  await writer.insertInto("rate_limit").values(
    numbers.map((n) => ({ name: `${n}`, points: 1, expires: expires(n) })),
  ).execute()
  await writer.insertInto("account").values(
    numbers.slice(0, 70).map((n) => ({
      id: idOf(n),
      username: `${n}`,
      password: "",
      role: "partner" as const,
    })),
  ).execute()
  const ofAccount = (n: number) => ({ event_id: idOf(n % 50), account_id: idOf(n % 70) })
  await writer.insertInto("audit_log").values(numbers.map((n) => ({
    ...{ action: "log-in" as const, at: at(n), account: null, address: "", request_id: "" },
    ...{ status: 204, milliseconds: 1 },
  }))).execute()
  await writer.insertInto("event_change").values(
    numbers.map((n) => ({ event_id: idOf(n % 50), at: n < 300 ? 1 : now, mark: n })),
  ).execute()
  for (let first = 0; first < rows; first += 1000) {
    const lists = numbers.slice(first, first + 1000).map((n) =>
      emptyRow({
        ...{ account_id: idOf(n % 30), event_id: idOf(n), last_poll: at(n) },
        ...{ walk_started: at(n), walk_completed: at(n), completed_next: at(n) },
      })
    )
    await writer.insertInto("sync_state").values(lists).execute()
  }
  await writer.insertInto("disclosure").values(numbers.map((n) => ({
    ...{ ...ofAccount(n), prefix: "/p", list: "guests", fields: "some", whole: 1 },
    ...{ from_time: n * 10_000, to_time: n * 10_000 + 10 },
    ...{ first_at: 1, last_at: at(n), first_next: 1 },
  }))).execute()
  await writer.insertInto("erasure_notice").values(numbers.map((n) => ({
    ...{ ...ofAccount(n), prefix: "/p", list: "guests", kind: "told" as const },
    ...{ from_time: n, to_time: n, at: at(n) },
  }))).execute()
  const { last } = await writer.selectFrom("event_change")
    .select((eb) => eb.fn.max("seq").as("last")).executeTakeFirstOrThrow()
  await writer.updateTable("change_state").set({ settled: last - 500 }).execute()
  await sql`analyze table guest, ticket, session, rate_limit, audit_log,
    event_change, deletion, consent, departure, vacant_position, sync_state, disclosure,
    erasure_notice`.execute(writer)
}
