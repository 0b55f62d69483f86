import process from "node:process"
import t from "tap"
import { walkSuite } from "../../support/polling/walks.ts"

const skip = process.env["TEST_MYSQL_URL"] ? false : "TEST_MYSQL_URL is not set; make test sets it"
t.setTimeout(20 * 60_000)
await t.test("on MySQL", { skip }, (t) => walkSuite(t, "mysql"))
