import t from "tap"
import { listChoices } from "../../../../plugins/capabilities/partners/list-choices.ts"
import { freshApp } from "../../../support/app.ts"
import { freshDatabase, onEmbedded } from "../../../support/database.ts"
import { Builder } from "../../../support/builder.ts"

await onEmbedded(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const build = new Builder(database, { isAlone: true })
  const acme = await build.organization("acme")
  const other = await build.organization("other")
  const closed = await build.event(acme, { name: "Closed", status: "closed", starts: 3_000_000 })
  const first = await build.event(acme, { name: "First", status: "running", starts: 1_000_000 })
  const upcoming = { name: "<Second>", status: "upcoming", starts: 2_000_000 }
  const second = await build.event(other, upcoming)
  await build.account("anna")
  await build.account("berta")

  await t.test("listChoices has the open events first, the latest of them first, with what tells people which it is", async (t) => {
    const { events, organizations } = await listChoices(database)
    t.strictSame(events, [
      { value: second, label: "<Second> · other · 1970-01-24" },
      { value: first, label: "First · acme · 1970-01-12" },
      { value: closed, label: "Closed · acme · 1970-02-04" },
    ])
    t.strictSame(organizations.map(({ value }) => value), ["acme", "other"])
  })

  await t.test("listChoices has an event whose start is no time", async (t) => {
    const event = { status: "closed", starts: 1_793_471_400_000_000 }
    const id = await build.event(acme, { name: "Microseconds", ...event })
    const { events } = await listChoices(database)
    t.equal(
      events.find(({ value }) => value === id)?.label,
      "Microseconds · acme · 1793471400000000",
    )
    await database.writer.deleteFrom("event").where("id", "=", id).execute()
  })

  await t.test("listChoices of an account has what it has a grant for now", async (t) => {
    const ids = async (name: string) =>
      (await listChoices(database, name)).events.map(({ value }) => value)
    t.strictSame(await ids("anna"), [])
    await build.grant("anna", { event: second })
    await build.grant("anna", { organization: "acme" })
    t.strictSame(await ids("anna"), [second, first, closed])
    t.strictSame(await ids("berta"), [])
    await database.writer.updateTable("access_grant").set({ ends: 1 })
      .where("event_id", "=", second).execute()
    t.strictSame(await ids("anna"), [first, closed])
  })

  await t.test("listChoices has at most 500 events, of an account at most 50", async (t) => {
    const row = await database.writer.selectFrom("event").selectAll().where("id", "=", first)
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: 500 }, () => ({ ...row, id: crypto.randomUUID() }))
    await database.writer.insertInto("event").values(rows).execute()
    t.equal((await listChoices(database)).events.length, 500)
    t.equal((await listChoices(database, "anna")).events.length, 50)
  })
})

t.test("forms for an event have lists to choose from, and their fields take anything else as well", async (t) => {
  const { build, logIn } = await freshApp(t, "sqlite")
  const event = await build.event(await build.organization("acme"), { name: '"Gala" <b>' })
  await build.account("chief", "operator")
  await build.account("anna")
  await build.grant("anna", { event })
  const browse = await logIn("chief")
  const label = "&quot;Gala&quot; &lt;b&gt; · acme · "
  for (const path of ["accounts/anna", "partners/anna", "disclosures"]) {
    const text = await (await browse(`/console/${path}`)).text()
    t.match(text, /<input id="event" name="event"[^>]* list="events"/, path)
    t.match(text, `<option value="${event}" label="${label}`, path)
    t.equal(text.split('<datalist id="events">').length, 2, path)
  }
  const page = await (await browse("/console/accounts/anna")).text()
  t.match(page, '<option value="acme" label="acme">')
  t.match(
    page,
    `<a href="/console/events/${event}"><code class="short" title="${event}">${event}</code></a>`,
  )
})
