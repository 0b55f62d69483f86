import t from "tap"
import { onEveryEngine } from "../../support/database.ts"
import { feedWalkSuite } from "../../support/polling/feed-walks.ts"

t.setTimeout(20 * 60_000)
await onEveryEngine(
  t,
  (t, engine) => feedWalkSuite(t, engine, { walks: engine === "mysql" ? 90 : 300 }),
)
