import t from "tap"
import { walkSuite } from "../../support/polling/walks.ts"

t.setTimeout(20 * 60_000)
await t.test("on the embedded database", (t) => walkSuite(t, "sqlite"))
