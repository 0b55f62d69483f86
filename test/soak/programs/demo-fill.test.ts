import t from "tap"
import { findCredentials } from "../../../core/access/accounts.ts"
import { verifyPassword } from "../../../core/access/passwords.ts"
import { secret } from "../../support/app.ts"
import { freshUrl, openFor } from "../../support/database.ts"
import { runCommand } from "../../support/run-command.ts"

t.test("demo --fill fills an empty database with accounts that can log in", async (t) => {
  const url = await freshUrl(t, "sqlite")
  const env = { DATABASE_URL: url, SESSION_SECRET: secret }
  await runCommand("migrate", { env })
  t.match(await runCommand("demo elsewhere --fill", { env }), {
    code: 1,
    err: /leave out the folder\. Nothing was changed/,
  })
  t.match(await runCommand("demo --fill", { env }), { code: 0, out: /loopback only/ })
  const account = await findCredentials(await openFor(t, url), "partner-b")
  t.equal(await verifyPassword("demo", account?.password), true)
})
