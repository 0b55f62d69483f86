import t from "tap"
import {
  findCredentials,
  findDemonstrationAccounts,
  revokeSessions,
  setDisabled,
  setPassword,
} from "../../../core/access/accounts.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const build = new Builder(database)
  for (const name of ["ann", "bob"]) await build.account(name)

  await t.test("findCredentials returns nothing of a disabled account", async (t) => {
    t.match(await findCredentials(database, "bob"), { username: "bob" })
    await setDisabled(database, "bob", true)
    t.equal(await findCredentials(database, "bob"), undefined)
  })

  await t.test("an account is no demonstration any more once it has a password of its own", async (t) => {
    await database.writer.updateTable("account").set({ demonstration: 1 })
      .where("username", "=", "ann").execute()
    t.strictSame(await findDemonstrationAccounts(database), ["ann"])
    await revokeSessions(database, "ann")
    t.strictSame(await findDemonstrationAccounts(database), ["ann"])
    await setPassword(database, "ann", "another hash")
    t.strictSame(await findDemonstrationAccounts(database), [])
  })
})
