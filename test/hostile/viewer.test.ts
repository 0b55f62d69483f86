import t from "tap"
import { Sessions } from "../../core/access/sessions.ts"
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
  const { id: session } = await openSession("victim")
  await build.account("eve", "viewer")
  await build.account("chief", "operator")
  const browse = await logIn("eve")
  const { routes } = await testConfig("sqlite:unused.db")
  const inConsole = routes.filter(({ plugin }) => plugin === "console")
  const pathOf = (text: string) =>
    text.replace(":name", "victim").replace(":event", event).replace(":page", "incidents")
  const headers = { "sec-fetch-site": "same-origin", accept: "text/html" }

  async function openSession(username: string) {
    const { id } = await database.writer.selectFrom("account").select("id")
      .where("username", "=", username).executeTakeFirstOrThrow()
    const settings = { secrets: ["x".repeat(32)], lifetime: 1000, cookie: "s", secure: false }
    return await new Sessions(database, settings).open({ id, epoch: 0 })
  }

  /** Returns all that a viewer could have changed. */
  async function contents() {
    const { writer } = database
    return [
      await writer.selectFrom("account").selectAll().orderBy("id").execute(),
      await writer.selectFrom("access_grant").selectAll().orderBy("id").execute(),
      await writer.selectFrom("session").select(["id", "expires", "reason"]).orderBy("id")
        .execute(),
      await writer.selectFrom("ping_receiver").selectAll().execute(),
    ]
  }

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

  await t.test("every POST of a viewer is 403, with the token of the session as well, and changes nothing", async (t) => {
    const page = await (await browse("/console", { headers })).text()
    const [, token = ""] = /name="token" value="([\w-]+)"/.exec(page) ?? []
    t.not(token, "")
    const before = await contents()
    const actions = ["password", "grant"]
    const posts = inConsole.filter(({ method, pattern }) =>
      method === "POST" && !/log-in|log-out/.test(pattern.text)
    )
    t.ok(posts.length >= 4)
    for (const { pattern } of posts) {
      for (const action of actions) {
        const body = new URLSearchParams({
          ...{ token, action, session, organization: "acme", role: "operator", sure: "yes" },
          ...{ username: "mallory", name: "mallory", password: "correct horse battery staple" },
          ...{ contact: "x", because: "x", until: "2999-01-01" },
          url: "https://hooks.invalid/",
        })
        const path = pathOf(pattern.text)
        const response = await browse(path, { method: "POST", headers, body })
        t.equal(response.status, 403, `${path} ${action}`)
        t.match(await response.text(), /may look at the console, but change nothing/)
        const json = await browse(path, { method: "POST", body })
        t.match(await json.json(), { code: "not_operator", status: 403 })
      }
    }
    t.strictSame(await contents(), before)
  })

  await t.test("a viewer searches for no person, and gets no grant", async (t) => {
    const found = await browse(`/console/disclosures?guest=${guest}`, { headers })
    t.equal(found.status, 403)
    t.match(await found.text(), "Only operators may search for a person")
    await t.rejects(grantAccess(database, "eve", { event }), { name: "UserError" })
    t.match(await (await browse("/session")).json(), { username: "eve", role: "viewer" })
  })
})
