import t from "tap"
import { html, trusted } from "../../../plugins/design/html.ts"

t.test("html escapes every value, in text and in attributes", async (t) => {
  const nasty = `<b title="x" id='y'>&amp;</b>`
  const escaped = "&lt;b title=&quot;x&quot; id=&#39;y&#39;&gt;&amp;amp;&lt;/b&gt;"
  t.equal(String(html`<i title="${nasty}">${nasty}</i>`), `<i title="${escaped}">${escaped}</i>`)
  t.equal(String(html`${[nasty, [nasty]]}`), escaped + escaped, "in arrays")
})

t.test("html keeps what html has made, and nothing that only looks like it", async (t) => {
  t.equal(String(html`<p>${html`<b>${"<"}</b>`}</p>`), "<p><b>&lt;</b></p>")
  const forged = { toString: () => "<script>" } as never
  t.equal(String(html`${forged}`), "&lt;script&gt;")
})

t.test("html shows numbers, and nothing for null, undefined and false", async (t) => {
  t.equal(String(html`${0}|${1.5}|${null}|${undefined}|${false}|${""}`), "0|1.5||||")
})

t.test("trusted keeps HTML as it is, within html as well", async (t) => {
  t.equal(String(html`<p>${trusted("<b>1 &lt; 2</b>")}</p>`), "<p><b>1 &lt; 2</b></p>")
})
