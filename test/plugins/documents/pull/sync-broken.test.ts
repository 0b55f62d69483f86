import t from "tap"
import { onEmbedded } from "../../../support/database.ts"
import { faults } from "../../../support/pull/proxy.ts"
import { openFilledStage } from "../../../support/pull/filled-stage.ts"

await onEmbedded(t, async (t, engine) => {
  const { event, tables, open } = await openFilledStage(t, engine)
  // The shortest pauses before a request is repeated.
  t.capture(Math, "random", () => 0)

  await t.test("sync ends with an equal copy whatever breaks its first responses of each kind", async (t) => {
    // All at once, because clients wait before they repeat a request.
    await Promise.all(
      Object.keys(faults).map(async (name) => {
        const { proxy, store, run } = await open(t)
        const broken = new Set<string>()
        // These take a second each time.
        const most = /^503 with|date$|ends$/.test(name) ? 3 : Infinity
        proxy.choose = (path) => {
          const [list = "", query = ""] = path.split("?")
          const kind = `${list} ${/(cursor|after)=[^&]/.exec(query)?.[1]}`
          const isNew = broken.size < broken.add(kind).size
          return isNew && broken.size <= most ? name : undefined
        }
        let code = 1
        const timeout = name === "a response that never ends" ? 1 : 60
        for (let runs = 0; code === 1 && runs < 5; runs++) code = await run({ timeout, limit: 25 })
        t.equal(code, 0, name)
        t.ok(proxy.counts.get(name), `${name} happened`)
        t.strictSame(store.wrong(event, await tables()), [], name)
        t.equal(proxy.leaks, 0, "credentials stay with the service")
      }),
    )
  })
})
