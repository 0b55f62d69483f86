import { readFileSync } from "node:fs"
import t from "tap"
import { capabilityNames } from "../../../core/config/installed.ts"

for (const name of capabilityNames()) {
  t.test(`the README of ${name} says why it is there, what it keeps, and what it costs`, (t) => {
    const text = readFileSync(`plugins/capabilities/${name}/README.md`, "utf8")
    t.match(text, new RegExp(`^# ${name}\n\n`))
    for (const word of ["why", "table", "setting", "cost"]) {
      t.match(text, new RegExp(`\\*\\*[^*]*${word}|no ${word}s`, "i"), word)
    }
    t.ok(text.split("\n").length <= 32, "it fits on a screen")
    t.end()
  })
}
