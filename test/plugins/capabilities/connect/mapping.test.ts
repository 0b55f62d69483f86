import { writeFileSync } from "node:fs"
import { join } from "node:path"
import t from "tap"
import { readMapping } from "../../../../plugins/capabilities/connect/mapping.ts"

t.test("readMapping says where a URL with a password belongs, and ends a SELECT before its semicolons", (t) => {
  const file = join(t.testdir(), "platform.yaml")
  const read = (url: string) => {
    const select = {
      organization: "select 1 as id;; \n",
      event: "-- all\n/* of them */ with x as (select 1) select 1",
    }
    writeFileSync(file, JSON.stringify({ source: { url, time_zone: "Europe/London" }, select }))
    return readMapping(file, {})
  }
  t.equal(read("sqlite:/a.db").selects.get("organization"), "select 1 as id")
  t.equal(
    read("sqlite:/a.db").selects.get("event"),
    "-- all\n/* of them */ with x as (select 1) select 1",
  )
  t.throws(() => read("mysql://a:hunter2@b/c"), {
    message: /url must be `file:` with the path of a file(?!.*hunter2)/,
  })
  t.end()
})
