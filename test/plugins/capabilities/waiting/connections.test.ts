import { measure } from "../../../support/metrics.ts"
import { once } from "node:events"
import { connect } from "node:net"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { onEmbedded } from "../../../support/database.ts"
import { polledEvent } from "../../../support/polled-event.ts"

await onEmbedded(t, async (t, engine) => {
  const polled = await polledEvent(t, engine, 2)
  const { workshop, plugins, service, event, url, path, authorization } = polled
  const { build } = workshop
  const get = (headers: Record<string, string> = {}) =>
    fetch(url + path, { headers: { authorization, ...headers } })
  const etag = (await get()).headers.get("etag") ?? ""
  const conditional = { "if-none-match": etag, prefer: "wait=50" }
  const held = async (count: number, instance = service.instance) => {
    while (await measure(instance, "requests_held") !== count) await setTimeout(5)
  }

  await t.test("a client that disconnects frees its place", async () => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${authorization}\r\n` +
        `if-none-match: ${etag}\r\nprefer: wait=50\r\n\r\n`,
    )
    await held(1)
    socket.destroy()
    await once(socket, "close")
    await held(0)
  })

  await t.test("a reload answers the requests that wait, and the next ones wait in the new configuration", async (t) => {
    const { instance } = service
    const before = [get(conditional), get(conditional)]
    await held(2)
    workshop.write(plugins, "polling: { wait: 7 }")
    t.match(await service.reload("a test"), { result: "applied" })
    for (const response of await Promise.all(before)) {
      t.equal(response.status, 304)
      t.equal(response.headers.get("preference-applied"), "wait=50")
    }
    await held(0, instance)
    const after = get(conditional)
    await held(1)
    await build.guest(event)
    const response = await after
    t.equal(response.status, 200)
    t.equal(response.headers.get("preference-applied"), "wait=7")
    const wakes = await measure(service.instance, "wakes_total") ?? 0
    t.ok(wakes > 0)
    workshop.write(plugins, "polling: { wait: 8 }")
    t.match(await service.reload("a test"), { result: "applied" })
    t.equal(await measure(service.instance, "wakes_total"), wakes, "wakes are counted on")
  })

  await t.test("drain answers the requests that wait, and close does not wait for them", async (t) => {
    const tag = (await get()).headers.get("etag") ?? ""
    const waiting = get({ ...conditional, "if-none-match": tag })
    await held(1)
    service.drain()
    t.equal((await waiting).status, 304)
    const late = await get({ ...conditional, "if-none-match": tag })
    t.equal(late.status, 304, "it still serves")
    t.equal(late.headers.get("preference-applied"), null, "and nobody waits any more")
  })
})
