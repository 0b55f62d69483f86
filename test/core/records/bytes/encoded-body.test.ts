import fc from "fast-check"
import t from "tap"
import { encodeParts } from "../../../../core/records/bytes/encoded-body.ts"
import { anyText } from "../../../support/any-text.ts"

const record = fc.record({ id: fc.uuid(), name: anyText() })
const parts = fc.dictionary(fc.constantFrom("tickets", "pledges", 'a"'), fc.array(record))

t.test("encodeParts writes lists, bundles and lines as JSON.stringify would, in whatever script", (t) => {
  fc.assert(fc.property(parts, (parts) => {
    const entries = Object.entries(parts)
    const texts = entries.map(([name, records]) => {
      const texts = records.map((each) => JSON.stringify(each))
      return { name, texts, count: texts.length }
    })
    const [first = { name: "", texts: [], count: 0 }] = texts
    const [, records = []] = entries[0] ?? []
    const wrote = (shape: "list" | "bundle" | "lines" | "named lines") =>
      new TextDecoder().decode(
        encodeParts(shape === "bundle" || shape === "named lines" ? texts : [first], shape).bytes,
      )
    const named = entries.flatMap(([category, records]) =>
      records.map((each) => `${JSON.stringify({ category, ...each })}\n`)
    )
    return wrote("list") === JSON.stringify(records) &&
      wrote("lines") === records.map((each) => `${JSON.stringify(each)}\n`).join("") &&
      (entries.length === 0 || wrote("bundle") === JSON.stringify(parts)) &&
      wrote("named lines") === named.join("") &&
      encodeParts(texts, "bundle").count === named.length
  }))
  t.pass()
  t.end()
})
