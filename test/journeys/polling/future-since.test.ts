import t from "tap"
import { freshApp } from "../../support/app.ts"
import { onEmbedded } from "../../support/database.ts"

await onEmbedded(t, async (t, engine) => {
  const { build, database, logIn } = await freshApp(t, engine)
  const organization = await build.organization("acme")
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  const event = await build.event(organization)
  await build.guest(event)
  const get = await logIn("partner")
  const { writer, dialect } = database
  const readClock = async () =>
    (await writer.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()).now
  const of = `/connector-b/v1/events/${event}`
  const lists = ["/connector-b/v1/events", `${of}/guests`, `${of}/items`, `${of}/guests/deletions`]

  await t.test("since up to a minute ahead of the database's clock is answered, with a hint", async (t) => {
    for (const list of lists) {
      const soon = await get(`${list}?since=${await readClock() + 50}`)
      t.equal(soon.status, 200, list)
      t.match(soon.headers.get("hint"), /^since is in the future; send the Next-Since/)
      const next = soon.headers.get("next-since")
      t.equal((await get(`${list}?since=${next}`)).headers.get("hint"), null)
      t.equal((await get(list)).headers.get("hint"), null)
    }
  })

  await t.test("since more than a minute ahead of the database's clock is a 400 that says what time it is", async (t) => {
    for (const list of lists) {
      const before = await readClock()
      const response = await get(`${list}?since=${before + 120}`)
      t.equal(response.status, 400, list)
      const { code, errors: [error], detail } = await response.json()
      t.match({ code, parameter: error.parameter, value: error.value }, {
        ...{ code: "invalid_parameter", parameter: "since", value: String(before + 120) },
      })
      const [, clock] = /the clock is at (\d+)\. Send the Next-Since/.exec(detail) ?? []
      t.ok(Number(clock) >= before && Number(clock) <= await readClock(), detail)
    }
  })
})
