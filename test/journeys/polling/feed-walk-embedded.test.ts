import t from "tap"
import { feedWalkSuite } from "../../support/polling/feed-walks.ts"

t.setTimeout(20 * 60_000)
await t.test("on the embedded database", (t) => feedWalkSuite(t, "sqlite"))
