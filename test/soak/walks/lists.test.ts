import t from "tap"
import { onEveryEngine } from "../../support/database.ts"
import { walkSuite } from "../../support/polling/walks.ts"

t.setTimeout(20 * 60_000)
await onEveryEngine(
  t,
  (t, engine) => walkSuite(t, engine, { walks: engine === "mysql" ? 150 : 500 }),
)
