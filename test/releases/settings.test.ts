import { readFileSync } from "node:fs"
import t from "tap"
import { mayDrop, recorded } from "./last-release.ts"
import { type Json, promiseChanges } from "./promise-changes.ts"

const before = JSON.parse(recorded("settings.schema.json")) as Json

t.test("every configuration that the last release took is still taken", { skip: mayDrop }, (t) => {
  const now = JSON.parse(readFileSync("config/event-export.schema.json", "utf8"))
  t.strictSame(promiseChanges(before, now, "request"), [])
  t.end()
})

/** Changes that break a configuration, as a text in the place of another, and what is said of them. */
const breaking: Readonly<Record<string, [from: string, to: string, said: RegExp]>> = {
  "a setting has another name": ['"drain"', '"grace"', /^server\.drain is gone$/m],
  "a setting is required": [
    '"required":["host","port"]',
    '"required":["host","port","drain"]',
    /^server\.drain is required$/m,
  ],
  "a plugin is gone": ['"const":"connector-b"', '"const":"connector-c"', /has another const/],
  "a number may be less": ['"maximum":65535', '"maximum":1024', /another maximum/],
  "a default changes": ['"default":43200', '"default":60', /session\.lifetime has another default/],
}

t.test("the comparison of settings notices what breaks a configuration", (t) => {
  const text = JSON.stringify(before)
  for (const [name, [from, to, said]] of Object.entries(breaking)) {
    const now = JSON.parse(text.replaceAll(from, to))
    t.match(promiseChanges(before, now, "request").join("\n"), said, name)
  }
  t.end()
})
