import t from "tap"
import { hasOrganizations } from "../../../../plugins/capabilities/demonstration/demonstration.ts"
import { Builder } from "../../../support/builder.ts"
import { freshDatabase, onEmbedded } from "../../../support/database.ts"

await onEmbedded(t, async (t, engine) => {
  await t.test("hasOrganizations is false before the first one", async (t) => {
    const database = await freshDatabase(t, engine)
    t.equal(await hasOrganizations(database), false)
    await new Builder(database).organization("acme")
    t.equal(await hasOrganizations(database), true)
  })
})
