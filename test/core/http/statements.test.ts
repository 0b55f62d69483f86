import t from "tap"
import { freshApp } from "../../support/app.ts"
import { onEveryEngine } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  const statements: string[] = []
  const { build, logIn } = await freshApp(t, engine, (sql) => statements.push(sql))
  const organization = await build.organization("acme")
  const [small, large] = [await build.event(organization), await build.event(organization)]
  await build.guests(small, 1)
  await build.guests(large, 1001)
  for (const category of ["tickets", "pledges"] as const) {
    await build.items(category, small, 1)
    await build.items(category, large, 1001)
  }
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  const get = await logIn("partner")

  const count = async (path: string) => {
    statements.length = 0
    const response = await get(path)
    t.equal(response.status, 200)
    const begun = statements.filter((sql) => /^begin$/i.test(sql)).length
    const ended = statements.filter((sql) => /^commit$/i.test(sql)).length
    t.strictSame([begun, ended], [1, 1], "one snapshot")
    t.match([statements[0], statements.at(-1)], ["begin", "commit"], "all of it inside")
    return { body: await response.json(), number: statements.length }
  }

  for (const [resource, most] of [["guests", 9], ["items", 13]] as const) {
    await t.test(`a page of 1,000 ${resource} takes one snapshot and as many statements as a page of one`, async (t) => {
      const one = await count(`/connector-b/v1/events/${small}/${resource}?since=-1`)
      const many = await count(`/connector-b/v1/events/${large}/${resource}?since=-1`)
      const deep = await count(`/connector-b/v1/events/${large}/${resource}?since=-1&offset=1000`)
      t.equal(many.number, one.number)
      t.ok(deep.number <= one.number + 1, "an offset takes one look into the change log at most")
      t.ok(many.number <= most, `${many.number} statements`)
      const length = (body: unknown) =>
        (Array.isArray(body) ? body : (body as { tickets: [] }).tickets).length
      t.strictSame([one.body, many.body, deep.body].map(length), [1, 1000, 1])
    })
  }
})
