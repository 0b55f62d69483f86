import { readFileSync } from "node:fs"
import { renderMarkdown } from "../../../../plugins/design/markdown.ts"
import t from "tap"
import { freshApp } from "../../../support/app.ts"
import { anchorsOf } from "../../../support/documents.ts"

const app = await freshApp(t, "sqlite")
await app.build.account("operator", "operator")
const browse = await app.logIn("operator")
const get = (path: string) => browse(path, { headers: { accept: "text/html" }, redirect: "manual" })
const textOf = async (path: string) => {
  const response = await get(path)
  t.equal(response.status, 200, path)
  return await response.text()
}
const idsOf = (text: string) => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id)
const linksOf = (text: string) =>
  [...text.matchAll(/ href="([^"]+)"/g)].map(([, link = ""]) => link)

t.test("GET /console/handbook and the pages that it links to have headings with the anchors of the files", async (t) => {
  const pages = new Map([["/console/handbook", await textOf("/console/handbook")]])
  for (const [path, text] of pages) {
    t.notMatch(text, /<style|\sstyle=|\son\w+=/, path)
    t.equal(text.match(/<h1>/g)?.length, 1, path)
    for (const link of linksOf(text).map((each) => each.replace(/#.*/, ""))) {
      const isPage = link.startsWith("/console/handbook") && !pages.has(link)
      if (isPage) pages.set(link, await textOf(link))
    }
  }
  t.ok(pages.size > 25)
  for (const name of ["README", "handbook/incidents", "handbook/replication"]) {
    const path = name === "README" ? "" : name.replace("handbook", "")
    const [, ...anchors] = anchorsOf(readFileSync(`config/${name}.md`, "utf8"))
    const ids = idsOf(pages.get(`/console/handbook${path}`) ?? "")
    t.ok(anchors.length > 3)
    t.strictSame(anchors.filter((anchor) => !ids.includes(anchor)), [], name)
  }
})

t.test("GET /console/handbook/:page is a page of a file that is listed and that nobody edits, else 404", async (t) => {
  t.match(await textOf("/console/handbook/nginx.conf"), "proxy_pass")
  t.match(await textOf("/console/handbook/event-export@.service"), "ExecStart")
  const others = ["nothing", "..%2FREADME", "README.md", "constructor", "incidents.md"]
  const edited = ["event-export.yaml", "alertmanager.yaml", "compose.yaml", "kubernetes.yaml"]
  for (const name of [...others, ...edited]) {
    t.equal((await get(`/console/handbook/${name}`)).status, 404, name)
  }
})

t.test("GET /console/handbook/:page?section= leads to the heading, also after a log-in", async (t) => {
  const there = "/console/handbook/incidents?section=refused-reload"
  const response = await get(there)
  t.equal(response.status, 303)
  t.equal(response.headers.get("location"), "/console/handbook/incidents#refused-reload")
  t.equal((await get("/console/handbook/incidents?section=nothing")).status, 200)
  const stranger = await app.request(there, {
    headers: { accept: "text/html" },
    redirect: "manual",
  })
  t.equal(
    stranger.headers.get("location"),
    `/console/log-in?next=${encodeURIComponent(there)}`,
  )
})

t.test("renderMarkdown lets no HTML and no other links through", async (t) => {
  const { main, headings } = renderMarkdown(
    [
      "# Title",
      "",
      "## A `b` <i>c</i> & d",
      "",
      "<script>alert(1)</script>",
      "",
      'Text <img src="x"> **bold** \\* `<b>` [here](javascript:alert(1)) [there](known)',
      "",
      "| A | B |",
      "| --- | --- |",
      "| 1 | <b>2</b> |",
      "",
      "3. three",
    ].join("\n"),
    { link: (href) => href === "known" ? "/known" : undefined },
  )
  const text = String(main)
  t.notMatch(text, /<script|<img|<i>|<b>|alert\(1\)<|javascript/)
  t.match(text, '<strong>bold</strong> * <code>&lt;b&gt;</code> here <a href="/known">there</a>')
  t.match(text, '<ol start="3">')
  t.match(text, /<th scope="row">1<\/th><td data-label="B">2<\/td>/)
  t.strictSame(headings.map(({ id, depth }) => [id, depth]), [["a-b-ici--d", 2]])
})
