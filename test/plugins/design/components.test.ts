import t from "tap"
import * as code from "../../../plugins/design/code.ts"
import * as parts from "../../../plugins/design/parts.ts"
import * as plots from "../../../plugins/design/plot.ts"
import { freshApp } from "../../support/app.ts"

const app = await freshApp(t, "sqlite")

t.test("GET /console/components shows each function that makes a part of a page, by its name", async (t) => {
  await app.build.account("reader", "viewer")
  const send = await app.logIn("reader")
  const page = await (await send("/console/components", { headers: { accept: "text/html" } }))
    .text()
  // It quotes a text for a command, and is shown there.
  const { quoted: _, ...made } = { ...parts, ...code, ...plots }
  for (const name of Object.keys(made)) t.match(page, `<code>${name}()</code>`)
  t.match(page, "account disable &#39;a name&#39;")
})

t.test("GET /console/components sends accounts of partners nothing", async (t) => {
  await app.build.account("partner", "partner")
  const response = await (await app.logIn("partner"))("/console/components")
  t.equal(response.status, 403)
})
