import t from "tap"
import { excerptOf } from "../../../core/config/excerpt.ts"

const text = `server:
  hots: 127.0.0.1
session:
  lifetime: x
  secrets:
    - hunter2
    - file: x
plugins:
  - use: nothing
database:
  url: mysql://u:hunter2@h/db
`

t.test("excerptOf puts a caret under the word", (t) => {
  t.equal(excerptOf(text, 2, 3), "   2 |   hots: 127.0.0.1\n     |   ^^^^".replace("\\\n", "\n"))
  t.equal(excerptOf(text, 9, 10), "   9 |   - use: nothing\n     |          ^^^^^^^")
  t.equal(excerptOf("\tx", 1, 2), "   1 | \tx\n     | \t^", "tabs stay tabs")
  t.end()
})

t.test("excerptOf never shows a line that may contain a secret", (t) => {
  for (const line of [5, 6, 7, 11]) t.equal(excerptOf(text, line, 5), undefined)
  t.type(excerptOf(text, 4, 3), "string")
  t.type(excerptOf(text, 8, 1), "string")
  t.end()
})

t.test("excerptOf shows nothing for an empty or missing line", (t) => {
  for (const [of, line] of [["", 1], ["a", 7], ["a".repeat(500), 1]] as const) {
    t.equal(excerptOf(of, line, 1), undefined)
  }
  t.end()
})
