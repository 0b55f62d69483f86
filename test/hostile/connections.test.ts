import { once } from "node:events"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { answerJson } from "../../core/http/answer.ts"
import { serve, type ServeOptions } from "../../core/http/serve.ts"
import { stallingClient } from "../support/stalling-client.ts"

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** An address of this machine that is not the attacker's. */
const elsewhere = "127.0.0.2"

/** Starts a server that answers everything with its body, and returns what reaches it. */
async function listen(t: Test, options: Partial<ServeOptions> = {}) {
  const limited: string[] = []
  const listening = await serve(async (request) => answerJson({ body: await request.text() }), {
    ...{ host: "127.0.0.1", port: 0, publicUrl: undefined, log },
    onLimit: (limit) => void limited.push(limit),
    ...options,
  })
  t.teardown(() => listening.close())
  return { limited, ...stallingClient(t, listening.url) }
}

/** Sends requests until one gets a status. Returns the last response. */
async function until(status: RegExp, get: () => Promise<string>): Promise<string> {
  for (;;) {
    const response = await get()
    if (status.test(response)) return response
    await setTimeout(50)
  }
}

const ok = /^HTTP\/1\.1 200 /
const busy = /^HTTP\/1\.1 503 [^]*\r\nretry-after: 5\r\n[^]*"code":"unavailable"/i

const stalls: Record<string, string> = {
  "nothing": "",
  "half a line": "GET / HT",
  "half the headers": "GET / HTTP/1.1\r\nhost: local",
  "half a body": "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\nx",
  "no HTTP": "rubbish\r\n\r\n",
  "a request, and nothing after it": "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n",
}
t.test("a client that never reads and never closes is cut off, whatever it sends", async (t) => {
  const limits = { connections: 2, headers: 100, request: 100, check: 50, idle: 100 }
  await Promise.all(
    Object.entries(stalls).map(async ([name, bytes]) => {
      const { hold, get } = await listen(t, { limits })
      for (let n = 0; n < 2; n++) await hold(bytes)
      t.match(await until(ok, () => get("/")), ok, name)
    }),
  )
})

t.test("connections beyond connectionsPerAddress get nothing but health checks", async (t) => {
  const { hold, get, limited } = await listen(t, { limits: { connectionsPerAddress: 2 } })
  const [first] = [await hold(), await hold()]
  t.match(await get("/"), busy)
  t.match(await get("/livez"), ok)
  t.match(await get("/readyz?verbose"), ok)
  t.match(await get("/livez/../session"), /^HTTP\/1\.1 (503|404)/)
  t.match(await get("/", elsewhere), ok, "other addresses are not affected")
  t.strictSame(new Set(limited), new Set(["connections_per_address"]))
  first?.destroy()
  t.match(await until(ok, () => get("/")), ok)
})

t.test("connections of a trusted proxy are not counted by address", async (t) => {
  const limits = { connectionsPerAddress: 1 }
  const { hold, get } = await listen(t, { limits, trustProxy: ["127.0.0.1/32"] })
  for (let n = 0; n < 3; n++) await hold()
  t.match(await get("/"), ok)
})

t.test("connections beyond the limit for all get nothing but health checks, and are closed", async (t) => {
  const { hold, get, limited } = await listen(t, { limits: { connections: 2 } })
  const held = [await hold(), await hold("", elsewhere)]
  const keepAlive = connect({ port: held[0]?.remotePort ?? 0, host: "127.0.0.1" })
  keepAlive.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
  t.match(await text(keepAlive), busy, "it ends although the client would go on")
  t.match(await get("/livez"), ok)
  t.strictSame(new Set(limited), new Set(["connections"]))
  for (const socket of held) socket.destroy()
  t.match(await until(ok, () => get("/")), ok)
})

t.test("a connection beyond a limit stays open only for a moment", async (t) => {
  const { hold } = await listen(t, { limits: { connectionsPerAddress: 1, beyond: 100 } })
  const [usual, beyond] = [await hold(), await hold()]
  await once(beyond.resume(), "end")
  t.equal(usual.resume().readableEnded, false)
})

t.test("health checks are answered while an address holds far more connections than there are", async (t) => {
  const limits = { connections: 20, connectionsPerAddress: 10, beyond: 60_000 }
  const { hold, get } = await listen(t, { limits })
  const held = await Promise.all(Array.from({ length: 100 }, () => hold()))
  let open = 100
  for (const socket of held) socket.resume().on("end", () => open--)
  for (let n = 0; n < 5; n++) t.match(await get("/readyz"), ok)
  t.match(await get("/", elsewhere), ok)
  for (let n = 0; n < 20; n++) await hold("", elsewhere)
  for (let n = 0; n < 5; n++) t.match(await get("/readyz", "127.0.0.3"), ok)
  t.ok(open >= 20 && open < 30, `${open} of 100 are open`)
})

t.test("a health check is answered however many connections another network opens meanwhile", async (t) => {
  const { hold } = await listen(t, { limits: { connections: 1, beyond: 60_000 } })
  await hold()
  const probe = await hold("GET /livez HTTP/1.1\r\nhost: localhost\r\n", "127.0.0.3")
  for (let n = 0; n < 50; n++) await hold("", elsewhere)
  probe.write("connection: close\r\n\r\n")
  t.match(await text(probe), ok)
})

t.test("a client that sends refused requests without reading the responses is cut off", async (t) => {
  const { hold } = await listen(t, { limits: { delivery: 300 } })
  const socket = await hold()
  const refused = `GET /${"x".repeat(1000)} HTTP/1.1\r\nhost: elsewhere.example\r\n\r\n`.repeat(100)
  const write = () => {
    while (socket.write(refused));
  }
  // Writes until all buffers between the two are full. Then only the server can end it.
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  socket.on("drain", write).on("close", () => resolve())
  write()
  await closed
  t.pass("it is closed")
})

t.test("a server that closes does not wait for clients that send half a request", async (t) => {
  const listening = await serve(async () => answerJson({}), {
    ...{ host: "127.0.0.1", port: 0, publicUrl: undefined, log },
  })
  const { hold } = stallingClient(t, listening.url)
  for (const bytes of Object.values(stalls)) await hold(bytes)
  await listening.close()
  t.pass("it is closed")
})

t.test("a server that closes sends the responses of requests that are running, and waits for no others", async (t) => {
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const listening = await serve(async () => {
    begin()
    await end
    return answerJson({})
  }, { host: "127.0.0.1", port: 0, publicUrl: undefined, log })
  const { hold } = stallingClient(t, listening.url)
  const socket = await hold("GET / HTTP/1.1\r\nhost: localhost\r\n\r\nGET / HT")
  await begun
  const closing = listening.close()
  resolve()
  t.match(await text(socket), ok)
  await closing
})
