import t from "tap"
import { setDisabled } from "../../../../core/access/accounts.ts"
import { findUnknownOrganizations } from "../../../../plugins/capabilities/check/account-warnings.ts"
import { findOperator } from "../../../../plugins/capabilities/check/running-status.ts"
import { Builder } from "../../../support/builder.ts"
import { freshDatabase, onEmbedded } from "../../../support/database.ts"

await onEmbedded(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const build = new Builder(database)

  await t.test("findUnknownOrganizations returns the slugs without an organization", async (t) => {
    await build.organization("acme")
    t.strictSame(await findUnknownOrganizations(database, ["acme", "beta", "gamma"]), [
      "beta",
      "gamma",
    ])
    t.strictSame(await findUnknownOrganizations(database, []), [])
  })

  await t.test("findOperator passes over partners and disabled accounts", async (t) => {
    await build.account("ann")
    await build.account("a-former-operator", "operator")
    await setDisabled(database, "a-former-operator", true)
    t.equal(await findOperator(database), undefined)
    const id = await build.account("operator", "operator")
    t.match(await findOperator(database), { id, epoch: 0 })
  })
})
