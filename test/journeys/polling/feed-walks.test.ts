import t from "tap"
import { onEveryEngine } from "../../support/database.ts"
import { feedWalkSuite } from "../../support/polling/feed-walks.ts"

await onEveryEngine(
  t,
  (t, engine) => feedWalkSuite(t, engine, { walks: engine === "mysql" ? 4 : 20 }),
)
