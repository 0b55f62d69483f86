import t from "tap"
import { onEveryApp } from "../../../support/app.ts"

const files = {
  "design.css": "text/css",
  "theme.js": "text/javascript",
  "page.js": "text/javascript",
  "icon.svg": "image/svg+xml",
  "console.js": "text/javascript",
}

await onEveryApp(t, async (t, { request }) => {
  await t.test("GET /console/files/:file returns each file that the pages load, and 304", async (t) => {
    for (const [name, type] of Object.entries(files)) {
      const path = `/console/files/${name}`
      const response = await request(path)
      t.equal(response.status, 200, name)
      t.equal(response.headers.get("content-type"), `${type}; charset=utf-8`)
      t.ok((await response.text()).length > 100)
      const etag = response.headers.get("etag") ?? ""
      const again = await request(path, { headers: { "if-none-match": etag } })
      t.equal(again.status, 304)
      await again.text()
    }
  })

  await t.test("GET /console/files/:file returns 404 for what is no file of the pages", async (t) => {
    for (const name of ["plugin.ts", "%2e%2e%2fplugin.ts", "constructor", "nothing.js"]) {
      const response = await request(`/console/files/${name}`)
      t.match([response.status, await response.json()], [404, { code: "not_found" }], name)
    }
  })

  await t.test("GET /console/log-in permits nothing inline and no other hosts", async (t) => {
    const response = await request("/console/log-in")
    const page = await response.text()
    t.equal(
      response.headers.get("content-security-policy"),
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
        "img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    )
    t.notMatch(page, /<style|<script|\sstyle=|\son\w+=/)
    t.match(page, /<input id="password" name="password" type="password"/)
  })
})
