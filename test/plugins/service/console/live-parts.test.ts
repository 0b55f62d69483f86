import t from "tap"
import { changedParts, tagParts } from "../../../../plugins/service/console/live-parts.ts"

const inner = `<section id="b"><p>b</p></section>`
const page = (time: string) =>
  `<main><section id="a" data-live>${inner}<time datetime="x" title="y">${time}</time></section>
<section id="c">c</section><section id="d" data-live class="x">d</section></main>`

/** Returns the tags of a page, by the ids of their sections. */
function tagsOf(text: string): ReadonlyMap<string, string> {
  const tagged = text.matchAll(/<section id="(\w)" data-live="([\w-]+)"/g)
  return new Map([...tagged].map(([, id = "", tag = ""]) => [id, tag]))
}

t.test("tagParts marks the sections that are live, and leaves the rest as it is", (t) => {
  const text = tagParts(page("now"))
  t.strictSame([...tagsOf(text).keys()], ["a", "d"])
  t.equal(text.replaceAll(/data-live="[\w-]+"/g, "data-live"), page("now"))
  t.end()
})

t.test("changedParts returns whole sections whose tags are not known, whatever their times say", (t) => {
  const { a = "", d = "" } = Object.fromEntries(tagsOf(tagParts(page("now"))))
  t.equal(changedParts(page("a minute ago"), `${a} ${d}`), "")
  const [first] = page("now").split("\n")
  const part = first?.replace("<main>", "").replace("data-live", `data-live="${a}"`)
  t.equal(changedParts(page("now"), d), part)
  t.equal(
    changedParts(page("now").replace(">d<", ">e<"), `${a} ${d}`).includes(">e</section>"),
    true,
  )
  t.end()
})
