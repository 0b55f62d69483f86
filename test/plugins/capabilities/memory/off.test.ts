import t, { type Test } from "tap"
import { freshApp } from "../../../support/app.ts"
import { OwnStatements } from "../../../support/own-statements.ts"

/** Requests the same list again and again, each time from another time on. Returns the last page and its statements. */
async function readAgain(t: Test, capabilities: readonly string[], list: string) {
  const statements = new OwnStatements()
  const options = { capabilities, onStatement: statements.note }
  const { build, logIn } = await freshApp(t, "sqlite", options)
  const organization = await build.organization("acme")
  const event = await build.event(organization)
  await build.guests(event, 5)
  await build.items("tickets", event, 5)
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  const get = await logIn("partner")
  for (let since = 0; since < 4; since++) {
    await (await get(`/connector-b/v1/events/${event}/${list}?since=${since}`)).text()
  }
  const page = await statements.observe(() =>
    get(`/connector-b/v1/events/${event}/${list}?since=4`)
  )
  return { body: await page.json(), reads: statements.all.length - 1 }
}

for (const list of ["guests", "items"]) {
  t.test(`without the capability, ${list} are read from the database each time`, async (t) => {
    const off = await readAgain(t, [], list)
    const on = await readAgain(t, ["memory"], list)
    t.equal(on.reads, 0, "the admission is all")
    t.ok(off.reads > 0)
    const count = (body: object) => Object.values(body).flat().length
    t.equal(count(off.body), 5)
    t.equal(count(on.body), 5)
  })
}
