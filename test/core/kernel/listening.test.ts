import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { startListening, stopListening } from "../../../core/kernel/listening.ts"
import { freshWorkshop } from "../../support/service.ts"

/** Addresses on which the service cannot listen, and why. */
const impossible: Readonly<Record<string, [server: string, why: RegExp]>> = {
  "an address of another machine": [
    "host: 192.0.2.1, port: 0",
    /^Cannot listen on http:\/\/192\.0\.2\.1:0: this machine does not have that address \(EADDRNOTAVAIL\)\. Nothing is served\. Set server\.host /,
  ],
  "an unknown name": [
    "host: no-such-host.invalid, port: 0",
    /^Cannot listen on http:\/\/no-such-host\.invalid:0: no address is known for that name \((ENOTFOUND|EAI_AGAIN)\)\. Nothing is served\. Set server\.host /,
  ],
}

for (const [name, [server, why]] of Object.entries(impossible)) {
  t.test(`startListening explains that it cannot listen on ${name}`, async (t) => {
    await t.rejects(startListening(await serviceAt(t, server)), { message: why })
  })
}

t.test("startListening hands over the names and the limits of server", async (t) => {
  const { get, open } = await listeningAt(t, {
    server: "host_names: [b.example], connections: 10",
  })
  t.match(await get("/livez", "b.example"), /^HTTP\/1\.1 200 /)
  t.match(await get("/livez", "c.example"), /^HTTP\/1\.1 421 /)
  const held = [open(), open()]
  t.match(await get("/session", "b.example"), /^HTTP\/1\.1 503 /)
  for (const socket of held) socket.destroy()
})

t.test("stopListening reports that it is not ready for server.drain seconds, and then ends", async (t) => {
  const { service, listening, open, get } = await listeningAt(t, { server: "drain: 1" })
  const idle = open()
  const began = performance.now()
  const stopping = stopListening(service, listening)
  t.match(await get("/readyz"), /^HTTP\/1\.1 503 .*the process is about to end/s)
  idle.write("GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n")
  t.match(await text(idle), /^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is)
  await stopping
  t.ok(performance.now() - began > 990)
  await t.rejects(fetch(listening.url))
})

t.test("stopListening leaves connections in use a moment for their last response", async (t) => {
  const { service, listening, open } = await listeningAt(t, { server: "drain: 0" })
  const socket = open()
  socket.write("GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n")
  await once(socket, "readable")
  const stopping = stopListening(service, listening)
  await setTimeout(20)
  socket.write("GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n")
  const responses = await text(socket)
  t.equal(responses.match(/HTTP\/1\.1 200 /g)?.length, 2)
  t.match(responses, /\r\nconnection: close\r\n/i)
  await stopping
})

async function listeningAt(t: Test, { server }: { readonly server: string }) {
  const service = await serviceAt(t, `host: 127.0.0.1, port: 0, ${server}`, "  - use: health")
  const listening = await startListening(service)
  const port = Number(new URL(listening.url).port)
  const open = (): Socket => connect(port, "127.0.0.1")
  t.teardown(() => listening.close())
  const get = async (path: string, host = "localhost") => {
    const socket = open()
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
    return await text(socket)
  }
  return { service, listening, open, get }
}

async function serviceAt(t: Test, server: string, plugins = "") {
  const workshop = await freshWorkshop(t)
  workshop.write(plugins)
  const text = readFileSync(workshop.file, "utf8")
  writeFileSync(workshop.file, text.replace("host: 127.0.0.1, port: 0", server))
  return await workshop.start()
}
