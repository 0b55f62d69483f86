import t from "tap"
import { playAll } from "./support/scenarios/play.ts"
import { rows } from "./support/scenarios/rows.ts"
const f = await playAll(t, "sqlite" as never, rows.filter((r) => r.name === "never reads deletions"))
t.comment(JSON.stringify([...f].map(([k, v]) => [k, v.slice(0, 3)])))
