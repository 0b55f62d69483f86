import t from "tap"
import { findDisclosures } from "../../../plugins/capabilities/disclosures/find-disclosures.ts"
import { onEmbedded } from "../../support/database.ts"
import { freshWorkshop, logInto } from "../../support/service.ts"

await onEmbedded(t, async (t, engine) => {
  await t.test("the ledger names a partner whose connection breaks in a page", async (t) => {
    const { database, build, write, start } = await freshWorkshop(t, engine)
    write("  - use: connector-b\n    with: { segment: connector-b, organizations: [acme] }")
    const service = await start()
    await build.account("partner")
    const event = await build.event(await build.organization("acme"))
    await build.grant("partner", { event })
    const guest = await build.guest(event)
    const { cookie } = await logInto(service.fetch, "partner")
    const url = `http://localhost/connector-b/v1/events/${event}/guests?since=-1`
    const response = await service.fetch(new Request(url, { headers: { cookie } }), {
      address: "127.0.0.1",
      whenGone: (listener) => listener(false),
    })
    await response.body?.cancel()
    await service.close()
    const { records: [record] } = await findDisclosures(database, guest, { eventId: event })
    t.match(record?.recipients, [{ account: "partner" }])
  })
})
