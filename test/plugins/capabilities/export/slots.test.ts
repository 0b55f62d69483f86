import t from "tap"
import { Slots } from "../../../../plugins/capabilities/export/slots.ts"

t.test("Slots give one of an account with more to one with fewer, and take none in vain", (t) => {
  const slots = new Slots({ connections: 4, concurrent_per_account: 3 })
  const ended: string[] = []
  let count = 0
  const take = (account: string, now: number) => {
    const name = `${account}${++count}`
    return slots.take(account, () => ended.push(name), now)
  }
  const leave = [take("ann", 1), take("bob", 2), take("ann", 3), take("bob", 4)]
  take("cid", 5)
  t.strictSame(ended, ["ann1"], "the oldest of those with the most")
  take("dan", 6)
  t.strictSame(ended, ["ann1", "bob2"])
  t.throws(() => take("eve", 7), { code: "unavailable" }, "all have one")
  t.throws(() => take("ann", 20_002), { code: "unavailable" }, "nobody has more than the caller")
  t.throws(() => take("eve", 20_002), { code: "unavailable" }, "nobody has had the time")
  take("eve", 20_003)
  t.strictSame(ended, ["ann1", "bob2", "ann3"])
  // Those that are ending count for their account until they have ended.
  leave[2]?.()
  const again = take("ann", 20_005)
  t.strictSame(ended, ["ann1", "bob2", "ann3", "bob4"])
  for (const each of leave) each()
  again()
  take("ann", 20_006)
  t.equal(ended.length, 4, "the slot was free")
  t.end()
})
