import fc from "fast-check"
import t from "tap"
import { categories, type Category } from "../../../../core/records/kinds/categories.ts"
import { guest } from "../../../../core/records/kinds/guest.ts"
import { guests, items } from "../../../../core/records/lists/records.ts"
import { type ItemsProjection, wholeItems } from "../../../../core/records/kinds/items.ts"
import { leanGuest } from "../../../../core/records/kinds/lean.ts"
import {
  type ChangesQuery,
  oldestFirst,
} from "../../../../plugins/capabilities/feed/oldest-first.ts"
import type { FeedPosition } from "../../../../plugins/capabilities/feed/walk.ts"
import { type Projection, rewritten, whole } from "../../../../core/records/kinds/projection.ts"
import { recordsByKeys } from "../../../../plugins/capabilities/feed/read-keys.ts"
import { Builder, past } from "../../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"

const names = Object.keys(categories) as Category[]

/** Few, so that there are ties, records of several categories with one id, and records that were inserted again. */
const ids = [
  "0a0a0a0a-0000-4000-8000-000000000001",
  "0A0A0A0A-0000-4000-8000-000000000002",
  "f0f0f0f0-0000-4000-8000-000000000003",
  "f0f0f0f0-0000-4000-8000-000000000004",
  "no uuid",
]
const row = fc.record({
  category: fc.constantFrom<Category>("guests", "tickets", "pledges"),
  id: fc.constantFrom(...ids),
  time: fc.integer({ min: 0, max: 3 }),
})
const three = ids.slice(0, 3).map((id, time) => ({ category: "guests" as const, id, time }))
const rows = fc.uniqueArray(row, { maxLength: 12, selector: ({ category, id }) => category + id })

/** A record or a deletion, as the tables have it. */
interface Change {
  readonly time: number
  readonly category: Category
  readonly id: string
  readonly isDeleted: boolean
}

function compare(a: Change, b: Change): number {
  return a.time - b.time || Number(b.isDeleted) - Number(a.isDeleted) ||
    names.indexOf(a.category) - names.indexOf(b.category) || (a.id < b.id ? -1 : 1)
}

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const build = new Builder(database)
  const organization = await build.organization("acme")

  /** Inserts rows into an event as records, and then others as deletions. Returns the changes that are left of it. */
  async function fill(
    event: string,
    present: readonly { category: Category; id: string; time: number }[],
    deleted: typeof present,
  ): Promise<Change[]> {
    for (const { category, id, time } of present) {
      const values = { id, updated: past + time }
      if (category === "guests") await build.guest(event, values)
      else await build.item(category, event, values)
    }
    for (const { category, id, time } of deleted) {
      const key = { event_id: event, category, record_id: id }
      await database.writer.insertInto("deletion")
        .values({ ...key, at: past + time, created: null, updated: null }).execute()
    }
    const exists = ({ category, id }: (typeof present)[number]) =>
      present.some((record) => record.category === category && record.id === id)
    return [
      ...present.map((record) => ({ ...record, isDeleted: false })),
      ...deleted.filter((one) => !exists(one)).map((record) => ({ ...record, isDeleted: true })),
    ].map((change) => ({ ...change, time: past + change.time })).sort(compare)
  }

  const all = { categories: names, since: -1, gone: -1, after: undefined }
  const read = (query: Partial<ChangesQuery> & Pick<ChangesQuery, "eventId" | "limit">) =>
    database.snapshot((snapshot) => oldestFirst(snapshot, { ...all, ...query }))

  /** Reads changes page by page. */
  async function walk(
    query: Partial<ChangesQuery> & Pick<ChangesQuery, "eventId" | "limit">,
  ) {
    const changes: Change[] = []
    let leftOut = 0
    let after: FeedPosition | undefined
    for (;;) {
      const page = await read({ ...query, after })
      changes.push(...page.changes)
      leftOut += page.leftOut.length
      if (!page.more) return { changes, leftOut }
      if (String(page.last) === String(after)) throw new Error(`it stays at ${after}`)
      after = page.last
    }
  }

  await t.test("oldestFirst: a walk in pages of any size meets each change once, in order, and nothing of another event", async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(rows, rows, rows, rows),
        fc.record({
          limit: fc.integer({ min: 1, max: 7 }),
          since: fc.integer({ min: -1, max: 4 }),
          gone: fc.integer({ min: -1, max: 4 }),
          categories: fc.subarray<Category>(["guests", "tickets", "pledges"], { minLength: 1 }),
        }),
        async ([present, deleted, ...others], { since, gone, ...query }) => {
          const [event, other] = [await build.event(organization), await build.event(organization)]
          const changes = await fill(event, present, deleted)
          await fill(other, ...others)
          const wanted = changes.filter(({ category, time, isDeleted }) =>
            query.categories.includes(category) && time >= past + (isDeleted ? gone : since)
          )
          const [valid, invalid] = [true, false].map((isValid) =>
            wanted.filter(({ id }) => (id !== "no uuid") === isValid)
          )
          const times = { since: past + since, gone: past + gone }
          const found = await walk({ ...query, ...times, eventId: event })
          t.strictSame(found.changes.map(comparable), valid?.map(comparable))
          t.equal(found.leftOut, invalid?.length)
        },
      ),
      {
        numRuns: engine === "mysql" ? 10 : 40,
        // Nothing but records, or deletions.
        examples: [[three, [], [], []], [[], three, [], []]].map((all) => [all, {
          ...{ limit: 1, since: -1, gone: -1, categories: ["guests"], versions: true },
        }]) as never,
      },
    )
  })

  await t.test("oldestFirst: a walk goes on behind a position whose change is gone or has moved", async (t) => {
    const event = await build.event(organization)
    const list = ids.slice(0, 4).map((id, time) => ({ category: "guests" as const, id, time }))
    await fill(event, list, [])
    const { last, more } = await read({ eventId: event, limit: 2 })
    t.ok(more)
    await database.writer.deleteFrom("guest")
      .where("event_id", "=", event).where("id", "=", ids[1] ?? "").execute()
    const rest = await read({ eventId: event, limit: 9, after: last })
    t.match(rest.changes, [{ id: ids[2] }, { id: ids[3] }, { id: ids[1], isDeleted: true }])
    t.notOk(rest.more)
  })

  /** Keeps fewer letters of what `q` may search. */
  const shorter = rewritten(
    leanGuest,
    leanGuest.schema,
    (record) => ({ ...record, firstName: "A" }),
  )

  for (
    const [name, guestFields, itemFields] of [
      ["whole records", whole(guest), wholeItems],
      ["lean ones", leanGuest, wholeItems],
      ["rewritten ones", shorter, wholeItems],
    ] as const satisfies [string, Projection<"Guest">, ItemsProjection][]
  ) {
    await t.test(`recordsByKeys returns ${name} as the lists send them, in the order of the keys, kept or not`, async (t) => {
      const event = await build.event(organization)
      const other = await build.event(organization)
      for (const [index, each] of [event, other].entries()) {
        for (const [time, id] of ids.slice(0, 4).entries()) {
          await build.guest(each, { id, updated: past + time, first_name: `é ${index}\n😀` })
          await build.consent(each, id, { channels: `email ${index}` })
          await build.address(each, id, { town: `Town ${index}` })
          await build.item("tickets", each, { id, updated: past + 9 - time, name: `T ${index}` })
          if (time > 1) await build.item("pledges", each, { id, updated: past + time })
        }
      }
      const scope = { access: { organizationIds: [], eventIds: [] }, organizations: undefined }
      const page = { since: -1, offset: 0, limit: 1000, terms: [] }
      const projections = { guests: guestFields, ...itemFields }
      await database.snapshot(async (snapshot) => {
        const query = { ...all, eventId: event, limit: 100 }
        const { changes } = await oldestFirst(snapshot, query)
        t.equal(changes.length, 10)
        const { texts } = await recordsByKeys(snapshot, changes, {
          eventId: event,
          projections,
        })
        const of = { ...scope, eventId: event }
        const bodies: Record<string, { id: string }[]> = {
          guests: bodyOf(await guests.list(snapshot, of, page, guestFields)),
          ...bodyOf(await items.list(snapshot, of, page, itemFields)),
        }
        const sent = Object.entries(bodies).flatMap(([category, records]) =>
          records.map((record): [string, string] => [
            `${category} ${record.id}`,
            JSON.stringify(record),
          ])
        )
        const keys = changes.map(({ category, id }) => `${category} ${id}`)
        t.strictSame(
          changes.map((key) => texts.get(key)),
          keys.map((key) => new Map(sent).get(key)),
        )
      })
    })
  }
})

/** Parses a body that was written as JSON. */
function bodyOf({ body }: { readonly body: unknown }) {
  return JSON.parse(new TextDecoder().decode((body as { bytes: Uint8Array }).bytes))
}

/** A change as one text, which is faster to compare. */
function comparable({ time, category, id, isDeleted }: Change): string {
  return `${time} ${isDeleted} ${category} ${id}`
}
