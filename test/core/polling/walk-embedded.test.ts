import t from "tap"
import { walkSuite } from "../../support/polling/walks.ts"

await t.test("on the embedded database", (t) => walkSuite(t, "sqlite"))
