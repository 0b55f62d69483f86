import t from "tap"
import { onEveryEngine } from "../../support/database.ts"
import { valueOf } from "../../support/metrics.ts"
import { freshClocked } from "../../support/polling/service.ts"

await onEveryEngine(t, async (t, engine) => {
  const { world: { database }, app, instances, build, organization, cookies } = await freshClocked(
    t,
    engine,
  )
  const event = await build.event(organization)
  const [guest = ""] = await build.guests(event, 20)
  const request = () =>
    new Request(`http://localhost/acme/v1/events/${event}/guests?since=-1`, {
      headers: { cookie: cookies["acme-export"] ?? "" },
    })
  const change = (first_name: string) =>
    database.writer.updateTable("guest").set({ first_name }).where("event_id", "=", event)
      .where("id", "=", guest).execute()
  for (const name of ["Ada", "Grace", "Joan"]) {
    await change(name)
    for (const _ of instances) await (await app(request())).body?.cancel()
  }

  for (const [index, { app: instance, memory }] of instances.entries()) {
    await t.test(`a page of known records that changes after the admission has the tag of its own moment, instance ${index}`, async (t) => {
      await change("before")
      const first = await instance.fetch(request())
      await first.body?.cancel()
      await change("and after")
      let reads = 0
      Object.defineProperty(database, "readOnce", {
        configurable: true,
        async value(...args: unknown[]) {
          const result = await Object.getPrototypeOf(database).readOnce.apply(database, args)
          // The first read is the admission.
          if (reads++ === 0) await change("meanwhile")
          return result
        },
      })
      const response = await instance.fetch(request())
      Reflect.deleteProperty(database, "readOnce")
      const [{ firstName }] = await response.json()
      t.equal(firstName, "meanwhile")
      const again = await app(request())
      t.equal(response.headers.get("etag"), again.headers.get("etag"))
      const metrics = await memory?.metrics?.() ?? []
      t.ok(Number(valueOf(metrics, "page_records_total", { from: "cache" })) > 0)
    })
  }
})
