import t from "tap"
import { findLastFamily } from "../../../../plugins/capabilities/partners/last-family.ts"
import { onEmbedded } from "../../../support/database.ts"
import { setPartnerStage } from "../../../support/partner-stage.ts"

await onEmbedded(t, async (t, engine) => {
  const { database, addPartner } = await setPartnerStage(t, engine)
  const list = (event: number, prefix: string, last_poll: number | null) => (
    { event_id: `event-${event}`, prefix, last_poll }
  )
  const ann = await addPartner("ann", [
    list(1, "/a/v1", 100),
    list(1, "/c/v1", 300),
    list(2, "/b/v1", 200),
    list(3, "/d/v1", null),
  ])
  const bob = await addPartner("bob", [list(1, "/b/v1", 5000)])
  const eve = await addPartner("eve", [list(1, "/a/v1", null)])
  const find = (id: string) => database.snapshot((snapshot) => findLastFamily(snapshot, id))

  await t.test("findLastFamily returns the family of the account's last poll", async (t) => {
    t.equal(await find(ann), "/c/v1")
    t.equal(await find(bob), "/b/v1")
    t.equal(await find(eve), undefined, "errors are no polls")
    t.equal(await find("nobody"), undefined)
  })
})
