import t from "tap"
import { exportedNames } from "./exported-names.ts"
import { mayDrop, recorded } from "./last-release.ts"

t.test("plugins can still import every name of the last release, types included", { skip: mayDrop }, (t) => {
  const last: string[] = JSON.parse(recorded("exports.json"))
  t.ok(last.length > 60, `${last.length} names`)
  const now = exportedNames()
  t.strictSame(last.filter((name) => !now.includes(name)), [])
  t.end()
})
