import t from "tap"
import type { SyncRow } from "../../../../plugins/capabilities/partners/definitions.ts"
import { countUnreadEvents } from "../../../../plugins/capabilities/partners/unread-events.ts"
import { Builder } from "../../../support/builder.ts"
import { freshDatabase, onEmbedded } from "../../../support/database.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

const now = 1_750_000_000
const twoWeeks = 14 * 86_400

type Grants = readonly { readonly to: "acme" | "north" | number; readonly ends?: number }[]

/** What ann reads of two events of `acme` that are not over and one of `north`, and what else differs. */
type Row = readonly [
  counts: string,
  unread: number,
  lists: readonly (Partial<SyncRow> & { readonly event: number })[],
  more?: {
    /** Default: the organization `acme`. Numbers are events. */
    readonly grants?: Grants
    /** What the second event of `acme` is like instead. */
    readonly second?: { readonly status?: string; readonly created?: number }
  },
]

const ofAcme: Grants = [{ to: "acme" }]
const [one, two] = [{ event: 0 }, { event: 1 }]
const polled = (at: number) => ({ last_poll: at, completed_next: at })
const items = { kind: "items", list: "items" } as const

const rows: readonly Row[] = [
  ["all events of which no list is read", 2, []],
  ["none if the guests of all are read", 0, [one, two]],
  ["those of which nothing is read", 1, [one, { ...one, prefix: "/g/v1" }, { ...one, ...items }]],
  ["none of which any list is read", 0, [one, { ...two, ...items }]],
  ["none that was never read to its end", 0, [one, { ...two, completed_next: null }]],
  ["those read over two weeks ago", 1, [one, { ...two, ...polled(now - twoWeeks - 1) }]],
  ["none that was read two weeks ago", 0, [one, { ...two, ...polled(now - twoWeeks) }]],
  ["none that another account reads", 2, [{ ...one, account_id: "bob" }]],
  ["none that is over", 0, [one], { second: { status: "closed" } }],
  ["none that was added a moment ago", 0, [one], { second: { created: now - 959 } }],
  ["those that were added 16 minutes ago", 1, [one], { second: { created: now - 960 } }],
  ["those of a grant for the event", 1, [one], { grants: [{ to: 0 }, { to: 1 }] }],
  ["none of a grant for an event that is read", 0, [two], { grants: [{ to: 1 }] }],
  ["the only one of an organization", 1, [], { grants: [{ to: "north" }] }],
  ["those of two grants once", 2, [], { grants: [{ to: "acme" }, { to: 0 }] }],
  ["those of all organizations", 3, [], { grants: [{ to: "acme" }, { to: "north" }] }],
  ["none of a grant that has ended", 0, [], { grants: [{ to: "acme", ends: now }] }],
  ["those of a grant that ends", 2, [], { grants: [{ to: "acme", ends: now + 1 }] }],
]

await onEmbedded(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer } = database
  const build = new Builder(database, { isAlone: true })
  const ids = { acme: await build.organization("acme"), north: await build.organization("north") }
  const [ann, bob] = [await build.account("ann"), await build.account("bob")]
  const events = [
    ...[await build.event(ids.acme), await build.event(ids.acme)],
    await build.event(ids.north),
  ]
  for (const [counts, unread, lists, { grants = ofAcme, second } = {}] of rows) {
    await t.test(`countUnreadEvents counts ${counts}`, async (t) => {
      for (const table of ["sync_state", "access_grant"] as const) {
        await writer.deleteFrom(table).execute()
      }
      const usual = { status: "running", created: now - 9999 }
      await writer.updateTable("event").set(usual).execute()
      await writer.updateTable("event").set({ ...usual, ...second })
        .where("id", "=", events[1] ?? "").execute()
      for (const { to, ends = null } of grants) {
        const target = typeof to === "number"
          ? { event_id: events[to] ?? "" }
          : { organization_id: ids[to] }
        await writer.insertInto("access_grant")
          .values({ id: crypto.randomUUID(), account_id: ann, ends, ...target }).execute()
      }
      for (const { event, account_id, ...own } of lists) {
        const key = { account_id: account_id === "bob" ? bob : ann, event_id: events[event] ?? "" }
        const read = { last_poll: now, completed_next: now, ...own }
        await writer.insertInto("sync_state").values(emptyRow({ ...key, ...read })).execute()
      }
      await database.snapshot(async (snapshot) => {
        t.equal(await countUnreadEvents(snapshot, { now, accountId: ann }), unread)
        t.equal(await countUnreadEvents(snapshot, { now, accountId: bob }), 0)
      })
    })
  }
})
