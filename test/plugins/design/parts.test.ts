import t from "tap"
import {
  copiedId,
  foldedSection,
  pathCode,
  prose,
  shortId,
} from "../../../plugins/design/design.ts"

const id = "ba062bdf-3251-4b35-8986-b78b96a83417"
const now = Date.parse("2027-03-04T18:00:00Z") / 1000

t.test("shortId and copiedId have all of an id, on hover too: the style sheet cuts it", async (t) => {
  t.equal(String(shortId(id)), `<code class="short" title="${id}">${id}</code>`)
  t.equal(String(copiedId("r-1")), '<code class="short" title="r-1" data-copy>r-1</code>')
})

t.test("prose shortens ids and times, those of today to their minute, and escapes the rest", async (t) => {
  const shown = String(prose(`<b> ${id} at 2027-03-04T17:15:59Z, 2027-03-03T01:02:03Z.`, now))
  const time = (moment: string, text: string) =>
    `<time class="short" datetime="${moment}" title="${moment}">${text}</time>`
  t.equal(
    shown,
    `&lt;b&gt; ${shortId(id)} at ${time("2027-03-04T17:15:59Z", "17:15")}, ` +
      `${time("2027-03-03T01:02:03Z", "2027-03-03 01:02")}.`,
  )
})

t.test("pathCode lets a path be broken after each slash", async (t) => {
  t.equal(String(pathCode("/a/v1")), '<code class="path">/<wbr>a/<wbr>v1<wbr></code>')
})

t.test("foldedSection is open only if it is asked to be", async (t) => {
  const fold = (isOpen: boolean) =>
    String(foldedSection("x", "Name", { about: "2 things", content: "<i>", isOpen }))
  t.match(fold(false), /<section id="x" \ndata-live\n[^]*<h2 id="x-title">Name<\/h2>[^]*2 things/)
  t.match(fold(false), "<div>&lt;i&gt;</div>")
  t.match(fold(true), /<details class="fold" \s*open/)
  t.notMatch(fold(false), /<details class="fold" \s*open/)
})
