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
  const epochs = async () => {
    const rows = await database.writer.selectFrom("account").select(["username", "epoch"]).execute()
    return Object.fromEntries(rows.map(({ username, epoch }) => [username, epoch]))
  }

  // Deleting the rows of the sessions is not enough: a log-in that began before may insert one after.
  const endings: [name: string, end: () => Promise<unknown>][] = [
    ["revokeSessions", () => revokeSessions(database, "ann")],
    ["setPassword", () => setPassword(database, "ann", "a hash")],
    ["setDisabled", () => setDisabled(database, "ann", true)],
    ["setDisabled, undone,", () => setDisabled(database, "ann", false)],
  ]
  for (const [index, [name, end]] of endings.entries()) {
    await t.test(`${name} ends cookies that are still to be made for the account, by its epoch`, async (t) => {
      await end()
      t.strictSame(await epochs(), { ann: index + 1, bob: 0 })
    })
  }

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
