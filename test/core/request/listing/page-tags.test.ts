import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import t from "tap"
import { PageTags, type TaggedPage } from "../../../../core/request/listing/page-tags.ts"
import { anyText } from "../../../support/any-text.ts"

const tags = new PageTags(["a new secret", "an old secret"], "2.0.0")
const subject = ["/acme/v1/events/:eventId/guests", "event", "7 12345 00 0", "abcd1234"]

t.test("a tag is found for its own subject, from its own since on", (t) => {
  const times = fc.integer({ min: -1, max: 2 ** 31 })
  const positions = fc.dictionary(
    fc.constantFrom("guests", "tickets", "guest deletions"),
    fc.tuple(times, anyText()),
    { noNullPrototype: true },
  )
  fc.assert(
    fc.property(times, positions, times, (since, next, asked) => {
      const tag = tags.seal(subject, { since, next })
      const found = tags.find(tag, subject, asked)
      if (asked < since) return found === undefined
      return isDeepStrictEqual(found, { tag, since, next })
    }),
  )
  t.pass()
  t.end()
})

t.test("a tag is found in a list, weak or of a compressed page, and in no other text", (t) => {
  const tag = tags.seal(subject, { since: 5, next: {} })
  const compressed = `${tag.slice(0, -1)}-gzip"`
  for (const text of [tag, `W/${tag}`, `"another", ${tag}`, `${compressed} , "x"`]) {
    t.equal(tags.find(text, subject, 5)?.since, 5, text)
  }
  const [said = "", mac = ""] = tag.slice(1, -1).split("..")
  const wrong = ["", "*", tag.slice(1), `"4..${mac}"`, `"${said}.e30.${mac}"`, `"${said}..${mac}A"`]
  for (const text of [null, ...wrong]) t.equal(tags.find(text, subject, 5), undefined, `${text}`)
  t.end()
})

t.test("a tag is of one subject, in all of its parts, and of secrets that are known", (t) => {
  const page: TaggedPage = { since: 5, next: { guests: [7, "an id"] } }
  const tag = tags.seal(subject, page)
  for (const index of subject.keys()) {
    const other = subject.with(index, "another")
    t.equal(tags.find(tag, other, 5), undefined, `part ${index}`)
  }
  const former = new PageTags(["an old secret"], "2.0.0").seal(subject, page)
  t.match(tags.find(former, subject, 5), page)
  for (
    const others of [new PageTags(["theirs"], "2.0.0"), new PageTags(["a new secret"], "2.0.1")]
  ) {
    t.equal(tags.find(others.seal(subject, page), subject, 5), undefined)
  }
  t.end()
})
