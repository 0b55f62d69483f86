import t from "tap"
import { findGrantedOrganizations } from "../../../core/access/organizations.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const build = new Builder(database)

  await t.test("findGrantedOrganizations returns those of organizations and of single events together", async (t) => {
    const [one, two, three] = [
      await build.organization("one"),
      await build.organization("two"),
      await build.organization("three"),
    ]
    const [ofOne, ofTwo] = [await build.event(one), await build.event(two)]
    await build.event(three)
    const find = async (organizationIds: string[], eventIds: string[]) =>
      (await database.snapshot((snapshot) =>
        findGrantedOrganizations(snapshot, { organizationIds, eventIds })
      )).toSorted()
    t.strictSame(await find([one], [ofTwo]), ["one", "two"])
    t.strictSame(await find([one], []), ["one"])
    t.strictSame(await find([], [ofTwo]), ["two"])
    t.strictSame(await find([one], [ofOne]), ["one"])
    t.strictSame(await find([], []), [])
  })
})
