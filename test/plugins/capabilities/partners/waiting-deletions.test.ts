import t from "tap"
import { countDeletions } from "../../../../plugins/capabilities/partners/waiting-deletions.ts"
import { onEmbedded } from "../../../support/database.ts"
import { setPartnerStage } from "../../../support/partner-stage.ts"

const list = (account_id: string, event_id: string, covered: number, kind = "guest") => (
  { account_id, event_id, kind: `${kind} deletions`, covered, filter: -1 }
)

await onEmbedded(t, async (t, engine) => {
  const { database, addDeletions } = await setPartnerStage(t, engine)
  const times = (count: number) => Array.from({ length: count }, (_, n) => 2000 + n)
  const places = Array.from({ length: 51 }, (_, n) => `event ${n}`)
  await addDeletions("e", "guests", 1000, 1001, 1002)
  await addDeletions("e", "tickets", 1001)
  await addDeletions("e", "pledges", 1002, 1005)
  await addDeletions("f", "guests", 1001)
  await addDeletions("hundred", "guests", ...times(100))
  await addDeletions("hundred", "tickets", 500)
  await addDeletions("more", "guests", ...times(150))
  for (const place of places) await addDeletions(place, "guests", 5)
  const count = (...unread: Parameters<typeof countDeletions>[2][number][]) =>
    database.snapshot(async (snapshot) =>
      Object.fromEntries(await countDeletions(snapshot, [], unread))
    )

  await t.test("countDeletions counts those since the time that each list covers, up to 100", async (t) => {
    const found = await count(
      list("ann", "e", 1001),
      list("bob", "e", 1002),
      list("carl", "e", 1000),
      list("carl", "f", 1000),
      list("dan", "e", 1002, "item"),
      list("fay", "f", 1002),
      list("guy", "hundred", 0),
      list("hal", "hundred", 2001),
      list("ian", "more", 2049),
      list("jan", "more", 2050),
      list("kim", "more", 2140),
      list("kim", "e", 1001),
    )
    t.strictSame(found, {
      ann: { count: 2, more: false },
      bob: { count: 1, more: false },
      carl: { count: 4, more: false },
      dan: { count: 2, more: false },
      fay: { count: 0, more: false },
      guy: { count: 100, more: false },
      hal: { count: 99, more: false },
      ian: { count: 100, more: true },
      jan: { count: 100, more: false },
      kim: { count: 12, more: false },
    })
    t.strictSame(await count(), {})
  })

  await t.test("countDeletions counts in 50 events and kinds, and says if there are more", async (t) => {
    const everywhere = (...events: string[]) => count(...events.map((id) => list("ann", id, 0)))
    t.strictSame(await everywhere(...places.slice(1)), { ann: { count: 50, more: false } })
    t.strictSame(await everywhere(...places), { ann: { count: 50, more: true } })
    t.strictSame(await everywhere("more", "e"), { ann: { count: 103, more: true } })
  })
})
