import t from "tap"
import { withoutMysql } from "../../support/database.ts"
import { walkSuite } from "../../support/polling/walks.ts"

t.setTimeout(20 * 60_000)
await t.test("on MySQL", { skip: withoutMysql }, (t) => walkSuite(t, "mysql"))
