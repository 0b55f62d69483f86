import t from "tap"
import { withoutMysql } from "../../support/database.ts"
import { feedWalkSuite } from "../../support/polling/feed-walks.ts"

t.setTimeout(20 * 60_000)
await t.test("on MySQL", { skip: withoutMysql }, (t) => feedWalkSuite(t, "mysql"))
