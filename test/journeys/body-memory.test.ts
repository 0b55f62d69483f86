import { Buffer } from "node:buffer"
import { once } from "node:events"
import { connect } from "node:net"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import zlib from "node:zlib"
import t, { type Test } from "tap"
import { serve as listen } from "../../core/http/serve.ts"
import { startInstance } from "../conformance/instance.ts"
import { generous, testConfig } from "../support/app.ts"
import { Builder } from "../support/builder.ts"
import { copiedUrl, openFor } from "../support/database.ts"
import { Random } from "../support/random.ts"
import { scannedLog } from "../support/scanned-log.ts"
import { logInto } from "../support/service.ts"

/** A request of a page, and the body that it must get. */
interface Ask {
  readonly method: "GET" | "HEAD"
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly expected: Buffer
}

/** What a client does with its responses. */
type Manner = "reads at once" | "reads later" | "leaves"

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: promisify(zlib.brotliDecompress),
  zstd: promisify(zlib.zstdDecompress),
  gzip: promisify(zlib.gunzip),
}

/** Starts the service behind a socket. */
async function start(t: Test, megabytes: number) {
  const url = await copiedUrl(t, "sqlite")
  const database = await openFor(t, url)
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const events = []
  for (const size of [1000, 900, 150]) {
    const event = await build.event(organization)
    await build.guests(event, size)
    events.push(event)
  }
  await build.account("acme-export", "service")
  await build.grant("acme-export", { organization: "acme" })
  const config = await testConfig(url)
  const log = scannedLog(t, [])
  const cache = { pages: megabytes, records: 8 }
  const instance = await startInstance({ ...config, limits: generous, cache }, { log })
  t.teardown(() => instance.close())
  const get = await logInto(instance.fetch, "acme-export")
  const pages = []
  for (const event of events) {
    const path = `/acme/v1/events/${event}/guests`
    const bodies: Record<string, Buffer> = {}
    // Until the log of what was inserted is folded, no page has a tag.
    while (!(await get(`${path}?since=-1`)).headers.has("etag")) await setTimeout(20)
    for (const accept of ["application/json", "text/csv"]) {
      const response = await get(`${path}?since=-1`, { accept })
      bodies[accept] = Buffer.from(await response.arrayBuffer())
    }
    pages.push({ path, bodies })
  }
  const { url: served, close } = await listen(instance.answer, {
    ...{ host: "127.0.0.1", port: 0, publicUrl: undefined, log },
  })
  t.teardown(() => close())
  return { port: Number(new URL(served).port), cookie: get.cookie, pages }
}

const encodings = ["identity", "identity", "identity", "gzip", "br", "zstd"]

type Started = Awaited<ReturnType<typeof start>>

/** Makes requests: some for a page that others want at the same time, some for one that nobody has read. */
class Asks {
  readonly #random = new Random(1)
  readonly #started: Started
  #fresh = 0

  constructor(started: Started) {
    this.#started = started
  }

  next(): Ask {
    const random = this.#random
    const { path, bodies } = random.pick(this.#started.pages)
    const accept = random.below(8) === 0 ? "text/csv" : "application/json"
    // Each `since` of 1970 means everything.
    const since = random.below(2) === 0 ? random.below(2) : 1000 + this.#fresh++
    const headers: Record<string, string> = { accept, cookie: this.#started.cookie }
    headers["accept-encoding"] = random.pick(encodings)
    if (random.below(10) === 0) headers["if-none-match"] = "*"
    const method = random.below(10) === 0 ? "HEAD" : "GET"
    return { method, headers, path: `${path}?since=${since}`, expected: bodies[accept] as Buffer }
  }
}

/** Sends requests over one connection without waiting, and returns all bytes that come back. */
async function exchange(
  port: number,
  asks: readonly Ask[],
  { manner, later }: { readonly manner: Manner; readonly later: Promise<unknown> },
): Promise<Buffer> {
  const socket = connect(port, "127.0.0.1")
  socket.on("error", () => {})
  const closed = once(socket, "close")
  const last = asks.length - 1
  socket.write(
    asks.map(({ method, path, headers }, index) => {
      const connection = index === last ? "close" : "keep-alive"
      const fields = Object.entries({ host: "localhost", connection, ...headers })
      const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`)
      return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`
    }).join(""),
  )
  if (manner !== "reads at once") await later
  const chunks: Buffer[] = []
  socket.on("data", (chunk) => {
    chunks.push(chunk as Buffer)
    if (manner === "leaves") socket.destroy()
  })
  await closed
  return Buffer.concat(chunks)
}

/** Returns what is wrong with the responses on a connection. */
async function faultsOf(received: Buffer, asks: readonly Ask[]): Promise<string[]> {
  const faults: string[] = []
  let at = 0
  for (const { method, path, headers: sent, expected } of asks) {
    const end = received.indexOf("\r\n\r\n", at)
    if (end < 0) return [...faults, `${path}: no response`]
    const head = received.subarray(at, end).toString("latin1").toLowerCase()
    at = end + 4
    const field = (name: string) => head.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1]?.trim()
    const status = Number(head.split(" ")[1])
    const wanted = sent["if-none-match"] ? 304 : 200
    if (status !== wanted) return [...faults, `${path}: ${head}`]
    if (status === 304 || method === "HEAD") continue
    const body = received.subarray(at, at += Number(field("content-length")))
    const decode = decoders[field("content-encoding") ?? ""]
    const plain = await decode?.(body).catch(() => Buffer.from("not to be decoded")) ?? body
    if (expected.compare(plain) !== 0) faults.push(`${path}: the body is not the page's`)
  }
  if (at !== received.byteLength) faults.push("there is more than the responses")
  return faults
}

/** Plays readers that share the service, and returns what was wrong. */
async function play(started: Started): Promise<string[]> {
  const asks = new Asks(started)
  const faults: string[] = []
  const { promise: later, resolve: go } = Promise.withResolvers<void>()
  const run = async (manner: Manner) => {
    const sent = Array.from({ length: 10 }, () => asks.next())
    const received = await exchange(started.port, sent, { manner, later })
    if (manner !== "leaves") faults.push(...await faultsOf(received, sent))
  }
  const waiting = ["reads later", "reads later", "reads later", "leaves"] as const
  const waits = waiting.map((manner) => run(manner))
  await Promise.all(Array.from({ length: 6 }, () => run("reads at once")))
  go()
  await Promise.all(waits)
  return faults
}

/** Fills memory that is given back, until the test ends. Returns how often that was. */
function poison(t: Test): () => number {
  let count = 0
  const { transfer } = ArrayBuffer.prototype
  ArrayBuffer.prototype.transfer = function (this: ArrayBuffer, ...length) {
    count++
    new Uint8Array(this).fill(0xee)
    return transfer.apply(this, length)
  }
  t.teardown(() => void (ArrayBuffer.prototype.transfer = transfer))
  return () => count
}

for (const megabytes of [64, 0]) {
  t.test(`every client gets its own page, with ${megabytes} MB of cached pages`, async (t) => {
    const returns = poison(t)
    t.strictSame(await play(await start(t, megabytes)), [])
    t.ok(returns() > 20, `memory was given back ${returns()} times`)
  })
}
