import t from "tap"
import { grantAccess } from "../../plugins/capabilities/accounts/grants.ts"
import { freshApp, testConfig } from "../support/app.ts"
import { onEmbedded } from "../support/database.ts"

await onEmbedded(t, async (t, engine) => {
  const app = await freshApp(t, engine)
  const { build, database, logIn } = app
  const event = await build.event(await build.organization("acme"))
  const guest = await build.guest(event)
  await build.account("victim")
  await build.grant("victim", { organization: "acme" })
  await build.account("eve", "viewer")
  const browse = await logIn("eve")
  const { routes } = await testConfig("sqlite:unused.db")
  const inConsole = routes.filter(({ plugin }) => plugin === "console")
  const pathOf = (text: string) =>
    text.replace(":name", "victim").replace(":event", event).replace(":page", "incidents")
  const headers = { "sec-fetch-site": "same-origin", accept: "text/html" }

  await t.test("a viewer sees every page of the console, and no form but searches and the log-out", async (t) => {
    const pages = inConsole.filter(({ method, pattern }) =>
      method === "GET" && !/log-in|files/.test(pattern.text)
    )
    t.ok(pages.length > 8)
    for (const { pattern } of pages) {
      const path = pathOf(pattern.text)
      const response = await browse(path, { headers })
      t.equal(response.status, 200, path)
      const text = await response.text()
      const posting = [...text.matchAll(/<form[^>]*method="post"[^>]*>/g)].map(String)
      t.ok(posting.every((form) => form.includes('action="/console/log-out"')), path)
      t.notMatch(text, /[?]confirm=/, path)
    }
    const asked = await browse("/console/accounts/victim?confirm=disable", { headers })
    t.notMatch(await asked.text(), 'value="disable"')
  })

  await t.test("a viewer searches for no person, changes nothing, and gets no grant", async (t) => {
    const found = await browse(`/console/disclosures?guest=${guest}`, { headers })
    t.equal(found.status, 403)
    t.match(await found.text(), "Only operators may search for a person")
    const changed = await browse("/console/accounts/victim", { method: "POST", headers })
    t.match(await changed.text(), "may look at the console, but change nothing")
    await t.rejects(grantAccess(database, "eve", { event }), { name: "UserError" })
    t.match(await (await browse("/session")).json(), { username: "eve", role: "viewer" })
  })
})
