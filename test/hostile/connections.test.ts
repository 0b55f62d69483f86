import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { answerJson } from "../../core/http/answer.ts"
import { serve, type ServeOptions } from "../../core/http/serve.ts"
import { migrate } from "../../core/data/migrate.ts"
import { secret } from "../support/app.ts"
import { startProcess } from "../soak/support/service-process.ts"
import { copiedUrl, openFor } from "../support/database.ts"
import { runtimes, withoutRuntime } from "../support/runtimes.ts"

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** An address of this machine that is not the attacker's. */
const elsewhere = "127.0.0.2"

/** Starts a server that answers everything, and returns what reaches it. */
async function listen(t: Test, options: Partial<ServeOptions> = {}) {
  const limited: string[] = []
  const listening = await serve(async () => answerJson({}), {
    ...{ host: "127.0.0.1", port: 0, publicUrl: undefined, log },
    onLimit: (limit) => void limited.push(limit),
    ...options,
  })
  t.teardown(() => listening.close())
  return { limited, ...clientOf(t, listening.url) }
}

function clientOf(t: Test, url: string) {
  const port = Number(new URL(url).port)
  /** Connects, sends bytes, and then neither reads nor closes. */
  const hold = async (bytes = "", from = "127.0.0.1"): Promise<Socket> => {
    const socket = connect({ port, host: "127.0.0.1", localAddress: from, allowHalfOpen: true })
    socket.on("error", () => {})
    t.teardown(() => socket.destroy())
    await once(socket, "connect")
    if (bytes) socket.write(bytes)
    return socket
  }
  /** Sends a request on a connection of its own. Returns the response; "" if the connection is cut. */
  const get = async (path: string, from = "127.0.0.1"): Promise<string> => {
    const socket = connect({ port, host: "127.0.0.1", localAddress: from })
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`)
    return await text(socket).catch(() => "")
  }
  return { hold, get }
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
for (const [name, bytes] of Object.entries(stalls)) {
  t.test(`a client that sends ${name}, never reads and never closes is cut off`, async (t) => {
    const limits = { connections: 2, headers: 100, request: 100, check: 50, idle: 100 }
    const { hold, get } = await listen(t, { limits })
    for (let n = 0; n < 2; n++) await hold(bytes)
    t.match(await until(ok, () => get("/")), ok)
  })
}

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
  const ended = once(beyond.resume(), "end").then(() => "ended")
  t.equal(await Promise.race([ended, setTimeout(10_000, "open", { ref: false })]), "ended")
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
  const { promise, resolve } = Promise.withResolvers<string>()
  // Writes until all buffers between the two are full. Then only the server can end it.
  socket.on("drain", write).on("close", () => resolve("closed"))
  write()
  t.equal(await Promise.race([promise, setTimeout(10_000, "still open", { ref: false })]), "closed")
})

t.test("a server that closes does not wait for clients that send half a request", async (t) => {
  const listening = await serve(async () => answerJson({}), {
    ...{ host: "127.0.0.1", port: 0, publicUrl: undefined, log },
  })
  const { hold } = clientOf(t, listening.url)
  for (const bytes of Object.values(stalls)) await hold(bytes)
  const closed = listening.close().then(() => "closed")
  t.equal(await Promise.race([closed, setTimeout(10_000, "still open", { ref: false })]), "closed")
})

t.test("a server that closes sends the responses of requests that are running, and waits for no others", async (t) => {
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const listening = await serve(async () => {
    begin()
    await end
    return answerJson({})
  }, { host: "127.0.0.1", port: 0, publicUrl: undefined, log })
  const { hold } = clientOf(t, listening.url)
  const socket = await hold("GET / HTTP/1.1\r\nhost: localhost\r\n\r\nGET / HT")
  await begun
  const closed = listening.close().then(() => "closed")
  resolve()
  t.match(await text(socket), ok)
  t.equal(await Promise.race([closed, setTimeout(10_000, "still open", { ref: false })]), "closed")
})

for (const runtime of runtimes) {
  t.test(
    `300 silent connections of one address do not make the process on ${runtime} unreachable`,
    {
      skip: withoutRuntime(runtime),
    },
    async (t) => {
      const databaseUrl = await copiedUrl(t, "sqlite")
      await migrate(await openFor(t, databaseUrl))
      const environment = { DATABASE_URL: databaseUrl, SESSION_SECRET: secret, PORT: "0" }
      const { url, entry } = await startProcess(t, runtime, environment)
      const { hold, get } = clientOf(t, url)
      for (let n = 0; n < 300; n++) await hold()
      t.match(await get("/session", elsewhere), /^HTTP\/1\.1 401 /)
      t.match(await get("/session"), busy)
      t.match(await get("/readyz"), ok)
      const { admin } = entry as { admin: string }
      t.equal((await fetch(`${admin}/livez`)).status, 200)
      t.match(await (await fetch(`${admin}/readyz`)).json(), { ready: true })
      const metrics = await (await fetch(`${admin}/metrics`)).text()
      t.match(
        metrics,
        /^event_export_connections_refused_total\{limit="connections_per_address"\} 10\d$/m,
      )
    },
  )
}
