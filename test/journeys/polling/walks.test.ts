import t from "tap"
import { onEveryEngine } from "../../support/database.ts"
import { walkSuite } from "../../support/polling/walks.ts"

await onEveryEngine(
  t,
  (t, engine) => walkSuite(t, engine, { walks: engine === "mysql" ? 10 : 50 }),
)
