import { globSync, readFileSync } from "node:fs"
import t from "tap"
import { numbersOf } from "../../../../core/kernel/numbers.ts"
import { chooseParts, fillNames, fillNumbers } from "../../../../plugins/documents/docs/fill.ts"
import { templateOf } from "../../../../plugins/documents/openapi/operation.ts"
import { testConfig } from "../../../support/app.ts"
import { loadAdditions } from "../../../../core/config/capabilities.ts"

const plan = await testConfig("sqlite::memory:")
const numbers = numbersOf(plan)

t.test("fillNumbers puts this installation's numbers in the place of the defaults", (t) => {
  const limits = { ...numbers.limits, burst: 5, quota: 1_234_567 }
  const session = { lifetime: 86_400, idle: 90 }
  const own = { ...numbers, limits, session }
  const cases = {
    "50<!-- limits.burst --> per second": "5 per second",
    "36,000<!-- limits.quota -->": "1,234,567",
    "12 hours<!-- session.lifetime -->": "24 hours",
    "7 days<!-- session.idle -->": "90 seconds",
    "a | 60<!-- polling.intervals.running --> | b": "a | 60 | b",
    "50 seconds<!-- polling.wait -->, 90 days<!-- polling.retention -->": "50 seconds, 90 days",
    "1 day<!-- cursor -->": "24 hours",
    "no number <!-- examples: send -->": "no number <!-- examples: send -->",
  }
  for (const [text, filled] of Object.entries(cases)) t.equal(fillNumbers(text, own), filled)
  const short = { ...numbers, session: { lifetime: 1, idle: 0 } }
  t.equal(fillNumbers("12 hours<!-- session.lifetime -->", short), "1 second")
  t.equal(fillNumbers("7 days<!-- session.idle -->", short), "0 seconds")
  for (const name of ["limits", "limits.bursts", "a.b.c"]) {
    t.throws(() => fillNumbers(`1<!-- ${name} -->`, numbers), TypeError, name)
  }
  t.end()
})

t.test("chooseParts keeps what applies to this installation, without empty lines", (t) => {
  const none = { ...numbers, polling: { ...numbers.polling, wait: 0 } }
  const text = `a
<!-- if polling.wait -->
Wait.
<!-- end -->
<!-- if not polling.wait -->
Poll.
<!-- end -->
b<!-- if polling.wait --> or wait<!-- end -->
c`
  const offers = new Set<string>()
  t.equal(chooseParts(text, { numbers, offers }), "a\nWait.\nb or wait\nc")
  t.equal(chooseParts(text, { numbers: none, offers }), "a\nPoll.\nb\nc")
  const wrong = "<!-- if polling.waits -->x<!-- end -->"
  t.throws(() => chooseParts(wrong, { numbers, offers }), TypeError)
  t.end()
})

t.test("chooseParts keeps what is about routes that there are, with the parts within it", (t) => {
  const text = `a
<!-- if POST /session/tokens -->
Tokens<!-- if polling.wait --> wait<!-- end -->.
<!-- if GET …/{eventId}/changes -->
Feeds.
<!-- end -->
<!-- end -->
<!-- if not POST /session/tokens -->
None.
<!-- end -->
b`
  const chosen = (...offers: string[]) => chooseParts(text, { numbers, offers: new Set(offers) })
  t.equal(chosen(), "a\nNone.\nb")
  t.equal(chosen("POST /session/tokens"), "a\nTokens wait.\nb")
  t.equal(
    chosen("GET …/{eventId}/changes", "POST /session/tokens"),
    "a\nTokens wait.\nFeeds.\nb",
  )
  t.end()
})

t.test("the routes that pages are about are those that capabilities name, and exist", async (t) => {
  const files = globSync("plugins/documents/docs/{pages/*.md,llms.txt,pages.ts}")
  const text = files.map((file) => readFileSync(file, "utf8")).join("\n")
  const named = new Set(
    [...text.matchAll(/(?:<!-- if (?:not )?|route: ")([A-Z]+ [^\s"]+)/g)].map(([, name]) => name),
  )
  const offers = await loadAdditions(plan.capabilities, "docs")
  t.strictSame([...named].sort(), offers.toSorted())
  const routes = plan.routes.map(({ method, pattern, prefix, kind }) => {
    const path = kind === "listing" ? pattern.text.replace(prefix, "…") : pattern.text
    return `${method} ${templateOf(path)}`
  })
  for (const offer of offers) t.ok(routes.includes(String(offer)), String(offer))
})

t.test("the text of the guide has the default numbers", (t) => {
  const files = globSync("plugins/documents/docs/pages/*.md")
  const text = files.map((file) => readFileSync(file, "utf8")).join("\n")
  const marked = /([\d,]+(?: [a-z]+)?)<!-- ([\w.]+) -->/g
  const names = [...text.matchAll(marked)].map(([, , name]) => name)
  t.ok(names.length > 12)
  t.equal(fillNumbers(text, numbers), text.replaceAll(marked, "$1"))
  t.end()
})

t.test("fillNames leaves placeholders for what is not known", (t) => {
  const text = "http://127.0.0.1:8080/your-family/v1/your-event-id by your-name"
  const example = { family: "/a/v1", event: undefined }
  const stranger = { origin: "https://x.example", username: undefined, example: undefined }
  const cases = [
    [stranger, "https://x.example/your-family/v1/your-event-id by your-name"],
    [
      { ...stranger, username: "a.b@c", example },
      "https://x.example/a/v1/your-event-id by a.b@c",
    ],
    // What is not plain is left out as well: people run these texts.
    [
      { origin: "http://x$(id)y", username: "$&", example },
      "http://127.0.0.1:8080/a/v1/your-event-id by your-name",
    ],
  ] as const
  for (const [reader, filled] of cases) t.equal(fillNames(text, reader), filled)
  t.end()
})
