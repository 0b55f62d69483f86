import { setTimeout } from "node:timers/promises"
import t from "tap"
import { freshApp } from "../../support/app.ts"

t.test("POST /session notes a log-in of the account, but not one with a wrong password", async (t) => {
  const { database, build, logIn, request } = await freshApp(t, "sqlite", { capabilities: [] })
  const ids = { ann: await build.account("ann"), bob: await build.account("bob") }
  const lastLogIn = async (id: string) => {
    const row = await database.writer.selectFrom("account_activity").select("last_log_in")
      .where("account_id", "=", id).executeTakeFirst()
    return row?.last_log_in ?? null
  }
  const refused = await request("/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "ann", password: "a wrong password" }),
  })
  t.equal(refused.status, 401)
  // Log-ins are written in their order, in the background.
  await logIn("bob")
  while (await lastLogIn(ids.bob) === null) await setTimeout(10)
  t.equal(await lastLogIn(ids.ann), null)
  await logIn("ann")
  while (await lastLogIn(ids.ann) === null) await setTimeout(10)
})
