import t from "tap"
import { excerptOf } from "../../../core/config/excerpt.ts"
import { loadAllCapabilities } from "../../../core/config/capabilities.ts"
import { settingsWith } from "../../../core/config/settings.ts"

const settingsSchema = settingsWith(await loadAllCapabilities())

const text = `server:
  hots: 127.0.0.1
  public_url: https://export.example.org/x
\tport: many
session:
  lifetime: x
  secrets:
    - hunter2
    - file: x
plugins:
- use: nothing
  - with: { segment: 5 }
databse:
  url: x
`

t.test("excerptOf puts a caret under the word", (t) => {
  t.equal(excerptOf(text, 2, 3), "   2 |   hots: 127.0.0.1\n     |   ^^^^")
  t.equal(excerptOf(text, 4, 2), "   4 | \tport: many\n     | \t^^^^", "tabs stay tabs")
  t.equal(excerptOf(text, 11, 8), "  11 | - use: nothing\n     |        ^^^^^^^")
  t.equal(excerptOf(text, 12, 22), "  12 |   - with: { segment: 5 }\n     |                      ^")
  t.equal(excerptOf(text, 13, 1), "  13 | databse:\n     | ^^^^^^^")
  for (const line of [3, 6]) t.type(excerptOf(text, line, 3), "string")
  t.end()
})

t.test("excerptOf shows no line of the database, and of the session only what is no secret", (t) => {
  for (const line of [7, 8, 9, 14]) t.equal(excerptOf(text, line, 5), undefined, `${line}`)
  const groups = Object.keys(settingsSchema.entries)
  const shown = groups.filter((group) => excerptOf(`${group}:\n  name: text\n`, 2, 3) !== undefined)
  t.strictSame(groups.filter((group) => !shown.includes(group)), ["database", "session"])
  t.end()
})

t.test("excerptOf shows no line that may have a secret, in whatever group", (t) => {
  for (
    const line of [
      "  url: mysql://u:hunter2",
      "  proxy: https://ann:hunter2@example.org",
      "  hunter2@db.example.org/name",
      "  hunter2",
      "  # hunter2: x",
      "  'hunter2': x",
      "  password: hunter2",
      "  api_token: hunter2",
      "  private-key: hunter2",
      "  API_KEY: hunter2",
      "  Password: hunter2",
    ]
  ) {
    for (const header of ["server:", "plugins:"]) {
      t.equal(excerptOf(`${header}\n${line}\n`, 2, 3), undefined, line)
    }
  }
  for (const header of ["hunter2", "{ server:", "-hunter2", "database: # server:", '"server":']) {
    t.equal(excerptOf(`server:\n${header}\n  name: hunter2`, 3, 3), undefined, header)
  }
  t.end()
})

t.test("excerptOf shows nothing for an empty or missing line", (t) => {
  const long = `server: ${"a".repeat(500)}`
  for (const [of, line] of [["", 1], ["server: x", 7], [long, 1]] as const) {
    t.equal(excerptOf(of, line, 1), undefined)
  }
  t.end()
})
