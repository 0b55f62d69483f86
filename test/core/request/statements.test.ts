import t from "tap"
import { freshApp } from "../../support/app.ts"
import { onEmbedded } from "../../support/database.ts"
import { OwnStatements } from "../../support/own-statements.ts"

await onEmbedded(t, async (t, engine) => {
  const statements = new OwnStatements()
  const { database, build, logIn } = await freshApp(t, engine, { onStatement: statements.note })
  const organization = await build.organization("acme")
  const [small, large] = [await build.event(organization), await build.event(organization)]
  await build.guests(small, 1)
  await build.guests(large, 1001)
  for (const category of ["tickets", "pledges"] as const) {
    await build.items(category, small, 1)
    await build.items(category, large, 1001)
  }
  // Long logs make the service fold them meanwhile, by statements of its own.
  await database.writer.deleteFrom("event_change").where("event_id", "=", large).execute()
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  const get = await logIn("partner")

  const count = async (path: string) => {
    const response = await statements.observe(() => get(path))
    t.equal(response.status, 200)
    const { all } = statements
    const begun = all.filter((sql) => /^begin$/i.test(sql)).length
    const ended = all.filter((sql) => /^commit$/i.test(sql)).length
    t.strictSame([begun, ended], [1, 1], "one snapshot")
    t.match(all[0], /^select/, "who calls is asked first")
    t.match([all[1], all.at(-1)], ["begin", "commit"], "all else is inside")
    return { body: await response.json(), number: all.length }
  }

  for (const [resource, most, lists] of [["guests", 7, 1], ["items", 10, 2]] as const) {
    await t.test(`a page of 1,000 ${resource} takes one snapshot and as many statements as a page of one`, async (t) => {
      const one = await count(`/connector-b/v1/events/${small}/${resource}?since=-1`)
      const many = await count(`/connector-b/v1/events/${large}/${resource}?since=-1`)
      const deep = await count(`/connector-b/v1/events/${large}/${resource}?since=-1&offset=1000`)
      t.equal(many.number, one.number)
      const extra =
        "an offset takes a look at deletions, and one at the keys of each list that goes on"
      t.ok(deep.number <= one.number + 1 + lists, extra)
      t.ok(many.number <= most, `${many.number} statements`)
      const length = (body: unknown) =>
        (Array.isArray(body) ? body : (body as { tickets: [] }).tickets).length
      t.strictSame([one.body, many.body, deep.body].map(length), [1, 1000, 1])
    })
  }

  const guests = `/connector-b/v1/events/${small}/guests`
  const items = `/connector-b/v1/events/${small}/items`
  await t.test("a page that has been sent takes one statement while its event does not change", async (t) => {
    for (const path of [`${guests}?since=-1`, `${items}?since=-1`, `${guests}/digest`]) {
      const first = await (await get(path)).text()
      t.equal(await (await statements.observe(() => get(path))).text(), first)
      t.equal(statements.all.length, 1)
    }
    await build.guest(small)
    t.equal((await (await statements.observe(() => get(`${guests}?since=-1`))).json()).length, 2)
    t.ok(statements.all.length > 1)
  })

  await t.test("polls of one session that come together ask who calls together; of two sessions they do not", async (t) => {
    const other = await logIn("partner")
    const [row] = await (await get(`${guests}?since=-1&limit=1`)).json()
    const path = `${guests}?since=${row.updated + 1}`
    const poll = async (session: typeof get, times: number) => {
      const answers = await Promise.all(Array.from({ length: times }, () => session(path)))
      t.strictSame([...new Set(answers.map(({ status }) => status))], [200])
    }
    await statements.observe(() => poll(get, 20))
    t.equal(statements.all.length, 2, "the first asks, all others wait for the next to ask")
    await statements.observe(() => Promise.all([poll(get, 1), poll(other, 1)]))
    t.equal(statements.all.length, 2)
  })

  await t.test("a poll that finds nothing new takes one statement, whatever its since", async (t) => {
    const [row] = await (await get(`${guests}?since=-1&limit=1`)).json()
    for (const path of [guests, items]) {
      for (const later of [1, 2, 3]) {
        const response = await statements.observe(() => get(`${path}?since=${row.updated + later}`))
        t.equal(Object.values(await response.json()).flat().length, 0)
        t.equal(response.headers.get("link"), null)
        t.equal(statements.all.length, 1)
      }
    }
  })
})
