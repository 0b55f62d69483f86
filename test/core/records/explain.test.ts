import { type Compilable, CompiledQuery, sql } from "kysely"
import t from "tap"
import type { Database, Runnable, Snapshot } from "../../../core/data/database.ts"
import { findById, oldestFirst } from "../../../plugins/capabilities/feed/oldest-first.ts"
import { RecentChanges } from "../../../plugins/capabilities/waiting/recent-changes.ts"
import { lookUpAdmission } from "../../../core/access/admission.ts"
import { categories, type Category } from "../../../core/records/categories.ts"
import {
  guestDeletions,
  itemDeletions,
  wholeGuestDeletion,
  wholeItemDeletion,
} from "../../../core/records/deletions.ts"
import { guestDigest, itemDigest, wholeDigest } from "../../../core/records/digest.ts"
import { events } from "../../../core/records/events.ts"
import { event as eventRecord } from "../../../core/records/kinds/event.ts"
import { guest } from "../../../core/records/kinds/guest.ts"
import { guests } from "../../../core/records/guests.ts"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { items } from "../../../core/records/items.ts"
import { leanItems } from "../../../core/records/lean.ts"
import { beginning, type PageRequest } from "../../../core/records/page.ts"
import { type Projection, whole } from "../../../core/records/projection.ts"
import { LiveList } from "../../../core/records/live/live-list.ts"
import { loadKeys } from "../../../core/records/live/load-keys.ts"
import { readTexts } from "../../../core/records/live/search-list.ts"
import { RecordCache } from "../../../core/records/record-cache.ts"
import { Builder, past } from "../../support/builder.ts"
import { type Engine, freshDatabase, onEveryEngine } from "../../support/database.ts"

const page = { since: 0, offset: 500, limit: 100, terms: [] }
const key = [past + 500, "8"] as const
const cursor = { ...page, offset: 0, after: { guests: key, tickets: key, pledges: key } }
const portion = {
  ...page,
  offset: 0,
  after: { guests: beginning, tickets: beginning },
  asLines: true,
} as const
const feed = {
  ...page,
  offset: 0,
  after: { "guest deletions": [past, "500"], "item deletions": [past, "500"] },
} as const

/** Matches a scan of any table except the keys of pages and the rest of the log, which are derived tables. */
const scans: Record<Engine, RegExp> = {
  mysql: /Table scan on (?!page|rest|<temporary>)|Index scan on|-> Index lookup on record/,
  sqlite: /SCAN (?!page|rest|json_each|CONSTANT ROW|\(subquery)/,
}

/** Matches a sort of more rows than a page. Sorting a page is fine, and so is merging pages. */
const sortsBeforeLimit: Record<Engine, RegExp> = {
  mysql:
    /(Limit[^\n]*\n\s*-> Sort[^\n]*|Sort[^\n]*limit input[^\n]*)\n(?!\s*-> Table scan on page)/,
  sqlite: /^(?!.*page).*USE TEMP B-TREE FOR ORDER BY/s,
}

/** Matches a look at deletions that is not limited to some categories of an event. */
const looksAtAllCategories: Record<Engine, RegExp> = {
  mysql: / on (deletion|vacant) (?!using \w+ (over )?\(event_id = '[^']+'( AND|,) category = )/,
  sqlite: /(SEARCH|SCAN) (deletion|vacant) (?!.*\(event_id=\? AND category=\?)/,
}

/** Matches the reading of keys and versions from the index of a listing, and of nothing else. */
const readsOnlyIndex: Record<Engine, RegExp> = {
  mysql: /Covering index (lookup|range scan|scan) on record using \w+_newest/,
  sqlite: /SEARCH record USING COVERING INDEX \w+_newest/,
}

/** Matches the reading of changes behind a position, whose time is the second: first the ties of its stream. */
const readsRanges: Record<Engine, (time: number) => readonly RegExp[]> = {
  mysql: (time) => [
    new RegExp(
      `Covering index range scan on record using guest_newest over \\(event_id = '[^']+' AND updated = ${time} AND '8' < id\\)`,
    ),
  ],
  sqlite: () => [
    /SEARCH record USING COVERING INDEX guest_newest \(event_id=\? AND updated=\? AND id>\?\)/,
    /SEARCH record USING COVERING INDEX guest_newest \(event_id=\? AND updated>\?\)/,
  ],
}

/** Matches the reading of the last entry of an event in an index. */
const endsOfIndexes: Record<Engine, RegExp> = {
  mysql:
    /-> Limit: 1 row.*\n\s*-> Covering index lookup on \w+ using \w+_(newest|latest) .*\(reverse\)/g,
  sqlite: /USING COVERING INDEX \w+_(newest|latest) \(event_id=\?/g,
}

/** Matches the reading of the log from a number on. */
const readsEndOfLog: Record<Engine, RegExp> = {
  mysql: /Index range scan on recent using PRIMARY/,
  sqlite: /SEARCH recent USING INTEGER PRIMARY KEY \(rowid>\?\)/,
}

/** Matches the reading of records by their ids. */
const readsByKey: Record<Engine, RegExp> = {
  mysql: /Single-row index lookup on record using PRIMARY/,
  sqlite:
    /SEARCH record USING (INDEX sqlite_autoindex_\w+_1|PRIMARY KEY) \(event_id=\? AND id=\?\)/,
}

type Plan = Record<string, string>
const prefixes = { mysql: "explain format=tree", sqlite: "explain query plan" }

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  if (database.dialect.version.startsWith("MariaDB")) {
    return void t.comment("MariaDB does not print plans as trees")
  }
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const event = await build.event(organization)
  for (const other of [event, await build.event(organization)]) {
    await build.guests(other, 1000)
    await build.items("tickets", other, 1000)
    const gone = [...await build.guests(other, 700), ...await build.items("tickets", other, 700)]
    for (const table of ["guest", "ticket"] as const) {
      await database.writer.deleteFrom(table).where("id", "in", gone).execute()
    }
  }
  if (engine === "mysql") {
    await sql`analyze table guest, ticket, event_change, deletion, vacant_position`.execute(
      database.writer,
    )
  }
  const scope = {
    access: { organizationIds: [], eventIds: [] },
    organizations: undefined,
    eventId: event,
  }

  const changes = {
    ...{ eventId: event, categories: Object.keys(categories) as Category[] },
    ...{ since: past, gone: past, after: undefined, limit: 100, versions: true },
  }
  const question = {
    key: { session: "a session", epoch: 0, account: "an account" },
    idle: 60,
    address: "",
    eventId: event,
    tables: [],
  }
  const statements: Record<string, (snapshot: Snapshot) => Promise<unknown>> = {
    "the guests of an event": (snapshot) => guests.list(snapshot, scope, page, whole(guest)),
    "the items of an event": (snapshot) => items.list(snapshot, scope, page, leanItems),
    "guests by cursor": (snapshot) => guests.list(snapshot, scope, cursor, whole(guest)),
    "items by cursor": (snapshot) => items.list(snapshot, scope, cursor, leanItems),
    "the first guests of an export": (snapshot) =>
      guests.list(snapshot, scope, portion, whole(guest)),
    "the first tickets of an export": (snapshot) => items.list(snapshot, scope, portion, leanItems),
    "the items of a category": (snapshot) =>
      items.list(snapshot, scope, { ...page, offset: 0, category: "tickets" }, leanItems),
    "guests of a search": (snapshot) =>
      guests.list(snapshot, scope, { ...page, terms: ["ada", "example"] }, whole(guest)),
    "guests of a search by cursor": (snapshot) =>
      guests.list(snapshot, scope, { ...cursor, terms: ["ada"] }, whole(guest)),
    "items of a search": (snapshot) =>
      items.list(snapshot, scope, { ...page, terms: ["ada"] }, leanItems),
    "texts that q searches": (snapshot) => {
      const list = new LiveList()
      list.extend([{ id: "an id", updated: 1, export_version: 1 }], true)
      const wanted = { projection: whole(guest), number: 0, entries: list.entries }
      const readOnce: Database["readOnce"] = (work) => work(snapshot)
      const asked = { eventId: event, category: "guests", wanted } as const
      return readTexts({ readOnce } as Database, list, asked, () => true)
    },
    "guests of a bucket": (snapshot) =>
      guests.list(snapshot, scope, { ...cursor, bucket: "1f" }, whole(guest)),
    "guests of a hash bucket": (snapshot) =>
      guests.list(snapshot, scope, { ...page, hash: "1" }, whole(guest)),
    "guests of a hash bucket by cursor": (snapshot) =>
      guests.list(snapshot, scope, { ...cursor, hash: "1f" }, whole(guest)),
    "deleted guests of a hash bucket": (snapshot) =>
      guestDeletions.list(snapshot, scope, { ...feed, hash: "1f" }, wholeGuestDeletion),
    "deleted guests": (snapshot) => guestDeletions.list(snapshot, scope, page, wholeGuestDeletion),
    "deleted guests by cursor": (snapshot) =>
      guestDeletions.list(snapshot, scope, feed, wholeGuestDeletion),
    "deleted items": (snapshot) => itemDeletions.list(snapshot, scope, page, wholeItemDeletion),
    "deleted items by cursor": (snapshot) =>
      itemDeletions.list(snapshot, scope, feed, wholeItemDeletion),
    "the digest of guests": (snapshot) => guestDigest.list(snapshot, scope, page, wholeDigest),
    "the digest of a hash bucket": (snapshot) =>
      guestDigest.list(snapshot, scope, { ...page, hash: "1" }, wholeDigest),
    "the digest of items": (snapshot) => itemDigest.list(snapshot, scope, page, wholeDigest),
    "changes": (snapshot) => oldestFirst(snapshot, changes),
    "changes without versions": (snapshot) =>
      oldestFirst(snapshot, { ...changes, versions: false }),
    "changes behind a record": (snapshot) =>
      oldestFirst(snapshot, { ...changes, after: [past + 500, 100, "8"] }),
    "changes behind a deletion": (snapshot) =>
      oldestFirst(snapshot, { ...changes, after: [past, 1, "500"] }),
    "a record by its id": (snapshot) => findById(snapshot, { ...changes, id: "8" }),
    "a caller": (snapshot) => lookUpAdmission(snapshot, { ...question, eventId: undefined }),
    "a caller who requests guests": (snapshot) =>
      lookUpAdmission(snapshot, { ...question, tables: ["guest"] }),
    "a caller who requests items": (snapshot) =>
      lookUpAdmission(snapshot, {
        ...question,
        tables: itemCategories.map((category) => categories[category]),
      }),
  }
  for (const [name, read] of Object.entries(statements)) {
    await t.test(`${name}: no statement scans a table, sorts more than a page or looks at all changes`, async (t) => {
      const plans = await explain(database, engine, read)
      t.ok(plans.length > 0)
      for (const plan of plans) {
        t.notMatch(plan, scans[engine], plan)
        t.notMatch(plan, sortsBeforeLimit[engine], plan)
        t.notMatch(plan, looksAtAllCategories[engine], plan)
      }
    })
  }

  /** A cache that expects to know the records. */
  const kept = () => {
    const lists = new RecordCache(100_000).of(event, "an epoch")
    return (projection: Projection) => {
      lists(projection).count({ known: 1, read: 0 })
      return lists(projection)
    }
  }
  const pages: Record<string, PageRequest> = {
    "the first page": { ...page, offset: 0 },
    "a page since a time": { ...page, offset: 0, since: past + 900 },
    "a page at an offset": page,
    "a page by cursor": cursor,
    "the first portion of an export": portion,
  }
  for (const [name, page] of Object.entries(pages)) {
    for (
      const [list, read] of [
        [
          "guests",
          (snapshot: Snapshot) =>
            guests.list(snapshot, scope, { ...page, cached: kept() }, whole(guest)),
        ],
        [
          "items",
          (snapshot: Snapshot) =>
            items.list(snapshot, scope, { ...page, cached: kept() }, leanItems),
        ],
      ] as const
    ) {
      await t.test(`${name} of ${list} that are kept: keys are read from the index alone, and records by their ids`, async (t) => {
        const plans = await explain(database, engine, read)
        const lists = plans.filter((plan) => readsOnlyIndex[engine].test(plan))
        t.ok(lists.length > 0)
        const others = plans.filter((plan) =>
          /on record |SEARCH record /.test(plan) && !lists.includes(plan)
        )
        t.ok(others.length > 0)
        for (const plan of others) t.match(plan, readsByKey[engine], plan)
        for (const plan of plans) {
          t.notMatch(plan, scans[engine], plan)
          t.notMatch(plan, sortsBeforeLimit[engine], plan)
        }
      })
    }
  }

  await t.test("changes behind a position: ranges of indexes, also of the ties of its stream", async (t) => {
    const after = [past + 500, 100, "8"] as const
    const [plan = ""] = await explain(
      database,
      engine,
      (snapshot) => oldestFirst(snapshot, { ...changes, after }),
    )
    for (const reads of readsRanges[engine](past + 500)) t.match(plan, reads)
  })

  for (const [list, names] of [["guests", ["guests"]], ["items", itemCategories]] as const) {
    await t.test(`keys of ${list}, and what has changed since: one statement reads keys from the index alone`, async (t) => {
      const wanted = names.map((category) => {
        return { category, after: [past + 500, ""] as const, vacancies: true }
      })
      const plans = await explain(
        database,
        engine,
        (snapshot) => loadKeys(snapshot, { eventId: event, behind: 10, wanted, most: 1000 }),
      )
      t.equal(plans.length, 1)
      const [plan = ""] = plans
      t.match(plan, readsOnlyIndex[engine], plan)
      t.notMatch(plan, /(Index lookup|Index range scan|Table scan) on record /)
      t.notMatch(plan, scans[engine], plan)
      t.notMatch(plan, sortsBeforeLimit[engine], plan)
    })
  }

  await t.test("when events last changed: one statement reads the end of each index, and sorts nothing", async (t) => {
    const scope = {
      access: { organizationIds: [organization], eventIds: [] },
      organizations: undefined,
      eventId: "",
    }
    const plans = await explain(
      database,
      engine,
      (snapshot) => events.list(snapshot, scope, { ...page, offset: 0 }, whole(eventRecord)),
    )
    t.equal(plans.length, 2)
    const [, plan = ""] = plans
    const places = 2 * Object.keys(categories).length
    t.equal([...plan.matchAll(endsOfIndexes[engine])].length, places, plan)
    t.notMatch(
      plan,
      /Sort|Filter|Index lookup on (?!\S+ using \w+_(newest|latest))|TEMP B-TREE/,
      plan,
    )
  })

  await t.test("a look for changed events reads the end of the log by its key, and their events by theirs", async (t) => {
    const plans = await explain(database, engine, async (snapshot) => {
      const recent = new RecentChanges({ readOnce: (work) => work(snapshot) })
      await recent.look()
    })
    t.equal(plans.length, 2)
    for (const plan of plans) {
      t.match(plan, readsEndOfLog[engine], plan)
      t.match(plan, /index lookup on event using PRIMARY|SEARCH event USING INDEX \S+ \(id=\?\)/)
      t.notMatch(plan, /Table scan on (recent|event)\b|(SCAN) (recent|event)\b/, plan)
    }
  })

  await t.test("the patterns find the scan or sort of a list in another order", async (t) => {
    const [plan = ""] = await explain(
      database,
      engine,
      ({ db, run }) =>
        run(
          db.selectFrom("guest").select("id").where("event_id", "=", event).orderBy("email").limit(
            10,
          ),
        ),
    )
    t.ok(scans[engine].test(plan) || sortsBeforeLimit[engine].test(plan), plan)
  })
})

/** Runs `read`, and returns the plan of each statement that it sent. */
async function explain(
  database: Database,
  engine: Engine,
  read: (snapshot: Snapshot) => Promise<unknown>,
): Promise<string[]> {
  const plans: string[] = []
  await database.snapshot(async (snapshot) => {
    const sent: CompiledQuery[] = []
    const db = snapshot.db.withPlugin({
      transformQuery({ node, queryId }) {
        sent.push(database.writer.getExecutor().compileQuery(node, queryId))
        return node
      },
      transformResult: ({ result }) => Promise.resolve(result),
    })
    const run = async <Row>(query: Runnable<Row>) => {
      const { query: compiled, compile } = query as { query?: CompiledQuery } & Partial<Compilable>
      sent.length = 0
      const found = await query.execute()
      const one = compiled ?? compile?.call(query)
      // A search sends several.
      for (const { sql, parameters } of one ? [one] : [...sent]) {
        const explain = CompiledQuery.raw(`${prefixes[engine]} ${sql}`, [...parameters])
        const { rows } = await snapshot.db.executeQuery(explain as never)
        plans.push((rows as Plan[]).map((row) => row["EXPLAIN"] ?? row["detail"]).join("\n"))
      }
      return found
    }
    await read({ ...snapshot, db, run })
  })
  return plans
}
