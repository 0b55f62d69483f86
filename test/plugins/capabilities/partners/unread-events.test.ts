import fc from "fast-check"
import t from "tap"
import type { ListKind } from "../../../../plugins/capabilities/partners/tables.ts"
import { readUnreadEvents } from "../../../../plugins/capabilities/partners/unread-events.ts"
import { Builder } from "../../../support/builder.ts"
import { freshDatabase, onEmbedded } from "../../../support/database.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

const now = 1_750_000_000
const day = 86_400

/** How long ago a list was read, around the two weeks after which it counts no more. */
const ago = fc.constantFrom(0, 13 * day, 15 * day)

const event = fc.record({
  organization: fc.nat(1),
  status: fc.constantFrom("open", "open", "closed"),
  age: fc.constantFrom(900, 961, day),
})

/** A grant for an organization, or for an event. */
const grant = fc.record({
  account: fc.nat(2),
  isForEvent: fc.boolean(),
  target: fc.nat(3),
  ends: fc.constantFrom(null, null, now - 9, now + 9),
})

const list = fc.record({
  account: fc.nat(2),
  event: fc.nat(3),
  prefix: fc.constantFrom("/a/v1", "/a/v1", "/b/v1"),
  kind: fc.constantFrom<ListKind>("guests", "guests", "items"),
  polled: ago,
  completed: fc.option(ago),
})

/** By event: the families by which a partner reads its guests. */
const habits = {
  none: [],
  all: [["/a/v1"], ["/a/v1"], ["/a/v1"], ["/a/v1"]],
  twice: [["/a/v1", "/b/v1"], ["/a/v1", "/b/v1"]],
} as const

/** Some partners read the guests of all events, or some by two families, and some read lists long ago. */
const world = fc.record({
  events: fc.array(event, { minLength: 4, maxLength: 4 }),
  grants: fc.array(grant, { minLength: 1, maxLength: 5 }),
  usual: fc.array(fc.constantFrom(...Object.values(habits)), { minLength: 3, maxLength: 3 }),
  lists: fc.array(list, { maxLength: 4 }),
})

await onEmbedded(t, async (t, engine) => {
  await t.test("readUnreadEvents counts of all accounts at once the same as of each alone", async (t) => {
    const database = await freshDatabase(t, engine)
    const { writer } = database
    const build = new Builder(database, { isAlone: true })
    const organizations = [await build.organization("acme"), await build.organization("north")]
    const events: string[] = []
    for (let n = 0; n < 4; n++) events.push(await build.event(organizations[0] ?? ""))
    const accounts: string[] = []
    for (const name of ["a", "b", "c"]) accounts.push(await build.account(name))
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(world, async ({ events: states, grants, usual, lists }) => {
        await writer.deleteFrom("sync_state").execute()
        await writer.deleteFrom("access_grant").execute()
        for (const [n, { organization, status, age }] of states.entries()) {
          const organization_id = organizations[organization] ?? ""
          await writer.updateTable("event").set({ organization_id, status, created: now - age })
            .where("id", "=", events[n] ?? "").execute()
        }
        const targets = new Set<string>()
        for (const { account, isForEvent, target, ends } of grants) {
          const key = `${account} ${isForEvent} ${isForEvent ? target : target % 2}`
          if (targets.has(key)) continue
          targets.add(key)
          await writer.insertInto("access_grant").values({
            id: crypto.randomUUID(),
            account_id: accounts[account] ?? "",
            ...isForEvent
              ? { event_id: events[target] ?? "" }
              : { organization_id: organizations[target % 2] ?? "" },
            ends,
          }).execute()
        }
        const guests = { kind: "guests" as const, polled: 0, completed: 0 }
        const all = usual.flatMap((habit, account) =>
          habit.flatMap((prefixes, event) =>
            prefixes.map((prefix) => ({ account, event, prefix, ...guests }))
          )
        )
        // Of the same list, the later one is what is there.
        const rows = new Map([...all, ...lists].map((list) => {
          const { account, event, prefix, kind, polled, completed } = list
          const account_id = accounts[account] ?? ""
          const event_id = events[event] ?? ""
          const row = emptyRow({
            ...{ account_id, event_id, prefix, list: kind, kind },
            last_poll: now - polled,
            completed_next: completed === null ? null : now - Math.max(polled, completed),
          })
          return [[account, event, prefix, kind].join(), row]
        }))
        if (rows.size > 0) {
          await writer.insertInto("sync_state").values([...rows.values()]).execute()
        }
        await database.snapshot(async (snapshot) => {
          const together = await readUnreadEvents(snapshot, { now })
          for (const accountId of accounts) {
            const alone = await readUnreadEvents(snapshot, { now, accountId })
            t.equal(together.get(accountId), alone.get(accountId))
            seen.add(`${alone.get(accountId)}`)
          }
        })
      }),
      { numRuns: 60, endOnFailure: true, seed: 7 },
    )
    t.ok(seen.size >= 4, [...seen].join(", "))
  })
})
