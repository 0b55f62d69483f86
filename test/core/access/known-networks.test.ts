import t from "tap"
import {
  isKnownNetwork,
  pruneNetworks,
  rememberNetwork,
} from "../../../core/access/known-networks.ts"
import { afterFirst } from "../../support/after-first.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

const aDay = 86_400

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer, dialect } = database
  const build = new Builder(database)
  const [ann, bob] = [await build.account("ann"), await build.account("bob")]
  const age = async (seconds: number, network: string) => {
    await writer
      .updateTable("log_in_network")
      .set((eb) => ({ last_used: eb(dialect.now, "-", seconds) }))
      .where("network", "=", network)
      .execute()
  }
  t.afterEach(async () => {
    await writer.deleteFrom("log_in_network").execute()
  })

  const remember = (last: number) => rememberNetwork(database, ann, `192.0.2.${last}`)
  const known = async (last: number, account: string | undefined = ann) =>
    await isKnownNetwork(database, account, `192.0.2.${last}`)

  await t.test("isKnownNetwork is true for the account and the network that logged in", async (t) => {
    for (const _ of [1, 2]) await remember(1)
    const others = [
      await known(2),
      await known(1, bob),
      await isKnownNetwork(database, undefined, "192.0.2.1"),
    ]
    t.strictSame([await known(1), ...others], [true, false, false, false])
  })

  await t.test("pruneNetworks forgets a network 90 days after its last log-in, unless it is used meanwhile", async (t) => {
    for (const last of [1, 2, 3, 4]) await remember(last)
    await age(90 * aDay - 3600, "192.0.2.1")
    for (const last of [2, 3, 4]) await age(90 * aDay, `192.0.2.${last}`)
    await remember(3)
    await pruneNetworks(afterFirst(database, () => remember(4)))
    const left = [await known(1), await known(2), await known(3), await known(4)]
    t.strictSame(left, [true, false, true, true])
  })

  await t.test("rememberNetwork keeps the latest 100 networks of an account", async (t) => {
    const rows = Array.from({ length: 102 }, (_, n) => ({
      account_id: ann,
      network: `198.51.100.${n}`,
      last_used: 1_700_000_000 + n,
    }))
    await writer.insertInto("log_in_network").values(rows).execute()
    await rememberNetwork(database, bob, "198.51.100.1")
    await rememberNetwork(database, ann, "198.51.100.0")
    const left = await writer.selectFrom("log_in_network").select("network")
      .where("account_id", "=", ann).orderBy("last_used").execute()
    t.equal(left.length, 100)
    t.strictSame([left.at(0)?.network, left.at(-1)?.network], ["198.51.100.3", "198.51.100.0"])
    await rememberNetwork(database, ann, "203.0.113.1")
    t.equal(await isKnownNetwork(database, ann, "198.51.100.3"), false, "one more, one less")
    t.equal(await isKnownNetwork(database, ann, "198.51.100.4"), true)
    t.equal(await isKnownNetwork(database, bob, "198.51.100.1"), true, "bob's are his own")
  })
})
