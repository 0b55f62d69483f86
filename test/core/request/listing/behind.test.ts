import t from "tap"
import type { Capability } from "../../../../core/kernel/capability.ts"
import { oneServer } from "../../../../core/kernel/database-access.ts"
import { generous, testConfig } from "../../../support/app.ts"
import { Builder } from "../../../support/builder.ts"
import { copiedUrl, openFor, withoutMysql } from "../../../support/database.ts"
import { startInstance } from "../../../conformance/instance.ts"
import { scannedLog } from "../../../support/scanned-log.ts"
import { logInto } from "../../../support/service.ts"

await t.test("on MySQL", { skip: withoutMysql }, async (t) => {
  const url = await copiedUrl(t, "mysql")
  const database = await openFor(t, url)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 2)
  await build.account("ann")
  await build.grant("ann", { organization: "acme" })
  const config = await testConfig(url)
  /** Seconds by which the snapshot of each list is behind the admission, as on another server. */
  let behind = 0
  const capability: Capability = {
    name: "behind",
    summary: "Reads records from a server that is behind the one before",
    database: {
      ...oneServer,
      async openNodes(...given) {
        const { nodes, close } = await oneServer.openNodes(...given)
        return { nodes: { ...nodes, areMany: true }, close }
      },
    },
    open: () => ({
      layers: [{
        begin: () => ({
          async answer(_, next) {
            await database.writer.updateTable("change_state")
              .set((eb) => ({ watermark: eb("watermark", "-", behind) })).execute()
            return await next()
          },
        }),
      }],
    }),
  }
  const instance = await startInstance({
    ...config,
    limits: generous,
    capabilities: [
      { capability, settings: undefined },
      ...config.capabilities.filter((each) => each.capability.name !== "servers"),
    ],
  }, { log: scannedLog(t, []), changes: { every: 1e9 } })
  t.teardown(() => instance.close())
  const get = await logInto(instance.fetch, "ann")

  const lists = ["guests", "guests/deletions", "guests/digest", "changes", "guests/export"]
  for (const list of [...lists, "guests/digest?of=content"]) {
    await t.test(`${list} is read from no snapshot that lacks what its Next-Since says`, async (t) => {
      const status = async (seconds: number) => {
        behind = seconds
        const response = await get(`/connector-b/v1/events/${event}/${list}`)
        await response.text()
        return response.status
      }
      t.strictSame([await status(1), await status(0)], [503, 200])
    })
  }
})
