import t from "tap"
import type { SyncRow } from "../../../../plugins/capabilities/partners/definitions.ts"
import { readUnreadEvents } from "../../../../plugins/capabilities/partners/unread-events.ts"
import { Builder } from "../../../support/builder.ts"
import { freshDatabase, onEmbedded } from "../../../support/database.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

const now = 1_750_000_000
const twoWeeks = 14 * 86_400

/** What ann may read and reads, of two events of `acme` that are not over and one of `north`. */
interface Case {
  /** Default: the organization `acme`. Numbers are events. */
  readonly grants?: readonly { readonly to: "acme" | "north" | number; readonly ends?: number }[]
  readonly lists?: readonly (Partial<SyncRow> & { readonly event: number })[]
  /** What the second event of `acme` is like instead. */
  readonly second?: { readonly status?: string; readonly created?: number }
  readonly unread: number | undefined
}

const ofAcme: NonNullable<Case["grants"]> = [{ to: "acme" }]
const [one, two] = [{ event: 0 }, { event: 1 }]
const former = { last_poll: now - twoWeeks - 1, completed_next: now - twoWeeks - 1 }

const cases: Readonly<Record<string, Case>> = {
  "all events of which no list is read": { unread: 2 },
  "none if the guests of all are read": { lists: [one, two], unread: undefined },
  "those of which nothing is read, whatever is read of others": {
    lists: [one, { ...one, prefix: "/g/v1" }, { ...one, kind: "items", list: "items" }],
    unread: 1,
  },
  "none of which any list is read": {
    lists: [one, { ...two, kind: "items", list: "items" }],
    unread: undefined,
  },
  "none that is read, but has never been read to its end": {
    lists: [one, { ...two, completed_next: null }],
    unread: undefined,
  },
  "those that were read more than two weeks ago": {
    lists: [one, { ...two, ...former }],
    unread: 1,
  },
  "none that was read two weeks ago": {
    lists: [one, { ...two, last_poll: now - twoWeeks, completed_next: now - twoWeeks }],
    unread: undefined,
  },
  "none that another account reads": { lists: [{ ...one, account_id: "bob" }], unread: 2 },
  "none that is over": { second: { status: "closed" }, lists: [one], unread: undefined },
  "none that was added a moment ago": {
    second: { created: now - 959 },
    lists: [one],
    unread: undefined,
  },
  "those that were added 16 minutes ago": {
    second: { created: now - 960 },
    lists: [one],
    unread: 1,
  },
  "those of a grant for the event": { grants: [{ to: 0 }, { to: 1 }], lists: [one], unread: 1 },
  "none of a grant for an event that is read": {
    grants: [{ to: 1 }],
    lists: [two],
    unread: undefined,
  },
  "the only one of an organization": { grants: [{ to: "north" }], unread: 1 },
  "those of two grants once": { grants: [{ to: "acme" }, { to: 0 }], unread: 2 },
  "those of all organizations": { grants: [{ to: "acme" }, { to: "north" }], unread: 3 },
  "none of a grant that has ended": { grants: [{ to: "acme", ends: now }], unread: undefined },
  "those of a grant that ends": { grants: [{ to: "acme", ends: now + 1 }], unread: 2 },
}

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
  for (const [name, { grants = ofAcme, lists = [], ...each }] of Object.entries(cases)) {
    await t.test(`readUnreadEvents counts ${name}`, async (t) => {
      for (const table of ["sync_state", "access_grant"] as const) {
        await writer.deleteFrom(table).execute()
      }
      const usual = { status: "running", created: now - 9999 }
      await writer.updateTable("event").set(usual).execute()
      await writer.updateTable("event").set({ ...usual, ...each.second })
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
        const all = await readUnreadEvents(snapshot, { now })
        t.equal(all.get(ann), each.unread, "of all accounts at once")
        t.equal(all.get(bob), undefined)
        const alone = await readUnreadEvents(snapshot, { now, accountId: ann })
        t.equal(alone.get(ann), each.unread, "of this one")
      })
    })
  }
})
