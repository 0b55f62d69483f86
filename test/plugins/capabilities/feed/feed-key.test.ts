import t from "tap"
import { FeedKey } from "../../../../plugins/capabilities/feed/feed-key.ts"
import { freshDatabase } from "../../../support/database.ts"

t.test("FeedKey keeps the key of another process, also if a replica does not have it yet", async (t) => {
  const [primary, replica] = [await freshDatabase(t, "sqlite"), await freshDatabase(t, "sqlite")]
  const key = await new FeedKey(primary).find(primary)
  t.equal(key.byteLength, 32)
  for (const database of [replica, primary]) {
    t.strictSame(await new FeedKey(primary).find(database), key)
  }
})
