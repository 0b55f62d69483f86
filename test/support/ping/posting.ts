import { Buffer } from "node:buffer"
import type { Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import type { Test } from "tap"
import type { PosterOptions, PostOutcome } from "../../../plugins/capabilities/ping/post.ts"
import { createAuthority } from "../certificates.ts"
import { startNameServer } from "./name-server.ts"
import { type Act, answer, startBareServer, startReceiver } from "./receivers.ts"

/** Sends a body to a URL. */
export type Post = (url: string, body?: string) => Promise<PostOutcome>

/** Something that sends, in this process or another one. */
export interface TestPoster {
  readonly post: Post
  close(): unknown
}

/** The headers that a poster of the tests sends besides its own. */
export const ownHeaders = { "webhook-id": "msg_1", "user-agent": "event-export/test" }

/** The authority of the receivers, and a certificate for their names. */
export const authority = createAuthority("Receivers")
export const certificate = authority.issue("hooks.example.org", "*.many.example.org")

/** Milliseconds, for what is right however long it takes, and for what never ends. */
export const patience = { request: 120_000, idle: 30_000 }
const haste = { ...patience, request: 100 }

/** Tests what sends pings against receivers that are hostile, on loopback for want of an Internet. */
export async function testPosting(
  t: Test,
  startPoster: (t: Test, options: PosterOptions) => TestPoster | Promise<TestPoster>,
): Promise<void> {
  /** Starts a name server that knows `hooks.example.org`, and a poster that asks it. */
  const start = async (t: Test, ports: readonly number[], more: Partial<PosterOptions> = {}) => {
    const server = await startNameServer(t, () => ({ a: ["127.0.0.1"] }))
    return await startPoster(t, {
      ...{ ports, loopback: true, authorities: [authority.certificate] },
      ...{ nameServers: [server.address], limits: patience },
      ...more,
    })
  }
  /** Starts a poster that is told not to wait for those that are expected to take too long, and a patient one. */
  const startBoth = async (t: Test, ports: readonly number[]) => {
    const hasty = await start(t, ports, { limits: haste })
    const patient = await start(t, ports)
    return (port: number, failed: unknown) =>
      (failed === "timeout" ? hasty : patient).post(`https://hooks.example.org:${port}/`)
  }
  const good: Act = (socket) => void socket.write(answer("good"))
  const isGood = { status: 200, body: "good" }

  await t.test("a message arrives as it is", async (t) => {
    const receiver = await startReceiver(t, good, { certificate })
    const { post } = await start(t, [receiver.port])
    const url = `https://Hooks.example.org:${receiver.port}/a%0d%0ab/?c=%0a&d`
    t.same(await post(url, '{"ä":1}'), isGood)
    const [head = "", sent = ""] = receiver.requests[0]?.split("\r\n\r\n") ?? []
    const [line, ...headers] = head.split("\r\n")
    t.equal(line, "POST /a%0d%0ab/?c=%0a&d HTTP/1.1")
    t.equal(Buffer.from(sent, "latin1").toString(), '{"ä":1}')
    t.same(headers.map((header) => header.toLowerCase()).sort(), [
      "connection: keep-alive",
      "content-length: 8",
      "content-type: application/json",
      `host: hooks.example.org:${receiver.port}`,
      "user-agent: event-export/test",
      "webhook-id: msg_1",
    ])
  })

  await t.test("a certificate has to be valid for the name", async (t) => {
    const self = createAuthority("hooks.example.org")
    const certificates = {
      "of another name": authority.issue("other.example.org"),
      "of the address": authority.issue("127.0.0.1"),
      "that expired": authority.issueExpired("hooks.example.org"),
      "that signs itself": { ...self },
      "of an unknown authority": self.issue("hooks.example.org"),
    }
    for (const [what, certificate] of Object.entries(certificates)) {
      const receiver = await startReceiver(t, good, { certificate })
      const { post } = await start(t, [receiver.port])
      t.same(await post(`https://hooks.example.org:${receiver.port}/`), { failed: "tls" }, what)
      t.equal(receiver.requests.length, 0, `nothing is sent to a certificate ${what}`)
    }
  })

  await t.test("answers of hostile receivers are cut", async (t) => {
    const target = await startReceiver(t, good)
    const cases = await Promise.all(
      answers(`http://127.0.0.1:${target.port}/`).map(async ([what, act, outcome]) => ({
        ...{ what, outcome, receiver: await startReceiver(t, act, { certificate }) },
      })),
    )
    const post = await startBoth(t, cases.map(({ receiver }) => receiver.port))
    await Promise.all(cases.map(async ({ what, outcome, receiver }) => {
      t.same(await post(receiver.port, outcome.failed), outcome, what)
      if (outcome.failed !== "timeout") t.equal(receiver.requests.length, 1, what)
    }))
    t.equal(target.connections.made, 0, "no redirect was followed")
  })

  await t.test("servers that speak no TLS are refused", async (t) => {
    const acts: [what: string, act: (socket: Socket) => void, failed: string[]][] = [
      ["says nothing", () => {}, ["timeout"]],
      ["closes at once", (socket) => socket.destroy(), ["tls"]],
      ["ends at once", (socket) => socket.end(), ["tls"]],
      // Whether the connection was made first is a matter of luck.
      ["resets", (socket) => socket.resetAndDestroy(), ["tls", "no_connection"]],
      ["speaks HTTP", (socket) => socket.write(answer("plain")), ["tls"]],
      ["a byte at a time", (socket) => drip(socket, "\x16\x03\x03\x40\x00"), ["timeout"]],
    ]
    const cases = await Promise.all(acts.map(async ([what, act, failed]) => ({
      ...{ what, failed, server: await startBareServer(t, act) },
    })))
    const post = await startBoth(t, [1, ...cases.map(({ server }) => server.port)])
    await Promise.all(cases.map(async ({ what, failed, server }) => {
      const outcome = await post(server.port, failed[0])
      t.ok("failed" in outcome && failed.includes(outcome.failed), what)
    }))
    t.same(await post(1, "no_connection"), { failed: "no_connection" }, "nobody listens")
  })

  await t.test("a connection goes to the address that was checked", async (t) => {
    const says = (text: string): Act => (socket) => void socket.write(answer(text))
    const first = await startReceiver(t, says("first"), { certificate })
    const { port } = first
    const second = await startReceiver(t, says("second"), { certificate, port, host: "127.0.0.2" })
    // What the name stands for changes with every question.
    const turns = ["127.0.0.1", "127.0.0.2", "10.0.0.1", "127.0.0.1", "169.254.169.254"]
    let asked = 0
    const server = await startNameServer(t, () => {
      const a = [turns[Math.floor(asked / 2) % turns.length] ?? ""]
      asked++
      return { a }
    })
    const { post } = await start(t, [port], { nameServers: [server.address] })
    const url = `https://hooks.example.org:${port}/`
    t.same(await post(url), { status: 200, body: "first" })
    t.same(server.questions, ["A hooks.example.org", "AAAA hooks.example.org"], "one look-up")
    t.same(await post(url), { status: 200, body: "second" })
    t.same(await post(url), { failed: "refused_address" }, "although a connection is open")
    t.same(await post(url), { status: 200, body: "first" })
    t.same(await post(url), { failed: "refused_address" })
    t.equal(server.questions.length, 10, "one look-up per request")
    t.same([first.connections.made, second.connections.made], [1, 1])
  })

  await t.test("the end of a name that has no address is told, and the next address is tried", async (t) => {
    const receiver = await startReceiver(t, good, { certificate })
    const records = {
      "silent.example.org": { silent: "both" },
      "loop.example.org": { alias: "nobody.example.org" },
      "private.example.org": { alias: "hosts.example.org" },
      "hosts.example.org": { a: ["127.0.0.1", "10.0.0.1"] },
      "hooks.example.org": { a: ["127.0.0.9", "127.0.0.1"], aaaa: ["::1"] },
    } as const
    const server = await startNameServer(
      t,
      (name) => Object.entries(records).find(([key]) => key === name)?.[1],
    )
    const options = { nameServers: [server.address] }
    const { post } = await start(t, [receiver.port], options)
    const hasty = await start(t, [receiver.port], { ...options, limits: haste })
    const at = (name: string) => `https://${name}.example.org:${receiver.port}/`
    t.same(await hasty.post(at("silent")), { failed: "timeout" })
    t.same(await post(at("nobody")), { failed: "no_address" })
    t.same(await post(at("loop")), { failed: "no_address" })
    t.same(await post(at("private")), { failed: "refused_address" })
    t.same(await post(at("hooks")), isGood)
  })

  await t.test("connections are kept for the next request", async (t) => {
    let isRude = false
    const receiver = await startReceiver(t, (socket) => {
      if (isRude) socket.destroy()
      else socket.write(answer("good"))
      isRude = false
    }, { certificate })
    const { post } = await start(t, [receiver.port])
    const url = `https://hooks.example.org:${receiver.port}/`
    for (let turn = 0; turn < 15; turn++) t.same(await post(url), isGood)
    t.equal(receiver.connections.made, 1)
    isRude = true
    t.same(await post(url), isGood, "a connection that turns out to be closed is made again")
    t.equal(receiver.connections.made, 2)
    const brief = await start(t, [receiver.port], { limits: { ...patience, idle: 100 } })
    t.same(await brief.post(url), isGood)
    await until(() => receiver.connections.open === 1)
    t.same(await brief.post(url), isGood, "one that waited too long was closed")
    t.equal(receiver.connections.made, 4)
    const another = await startReceiver(t, (socket) => socket.destroy(), { certificate })
    const hostile = await start(t, [another.port])
    const failed = { failed: "broken" }
    t.same(await hostile.post(`https://hooks.example.org:${another.port}/`), failed)
    t.equal(another.connections.made, 1, "a new connection that is closed is not tried again")
  })

  await t.test("a connection that sends what nobody asked for is closed", async (t) => {
    for (const [what, text] of [["bytes", "x"], ["answers", answer()]] as const) {
      const sockets: Socket[] = []
      const receiver = await startReceiver(t, (socket) => {
        socket.write(answer())
        sockets.push(socket)
      }, { certificate })
      const { post } = await start(t, [receiver.port])
      const url = `https://hooks.example.org:${receiver.port}/`
      t.same(await post(url), { status: 200, body: "" })
      for (const socket of sockets) socket.write(text)
      await until(() => receiver.connections.open === 0)
      t.same(await post(url), { status: 200, body: "" }, `${what} are no answers to others`)
    }
  })

  await t.test("connections that wait make room for others", async (t) => {
    const receiver = await startReceiver(t, good, { host: "0.0.0.0" })
    const { post } = await start(t, [], { limits: { ...patience, idle: 600_000 } })
    for (let from = 0; from < 300; from += 20) {
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, at) => {
          const host = `127.0.${Math.floor((from + at) / 100)}.${1 + (from + at) % 100}`
          return post(`http://${host}:${receiver.port}/`)
        }),
      )
      t.ok(outcomes.every((outcome) => "status" in outcome && outcome.status === 200))
    }
    t.equal(receiver.connections.made, 300)
    await until(() => receiver.connections.open <= 256)
    t.ok(receiver.connections.open >= 200, `${receiver.connections.open} connections are kept`)
  })

  await t.test("the end ends all requests, and nothing is sent after it", async (t) => {
    const hanging = await startReceiver(t, () => {}, { certificate })
    const { post, close } = await start(t, [hanging.port])
    const url = (at: number) => `https://a${at}.many.example.org:${hanging.port}/`
    const hung = Array.from({ length: 8 }, (_, at) => post(url(at)))
    await until(() => hanging.requests.length === 8)
    await close()
    t.ok((await Promise.all(hung)).every((outcome) => "failed" in outcome))
    await until(() => hanging.connections.open === 0)
    t.match(await post(url(8)), { failed: String })
    t.equal(hanging.connections.made, 8)
  })
}

type Expected = { readonly failed?: string; readonly status?: number; readonly body?: string }

const ok = "HTTP/1.1 200 OK\r\n"
const inPieces = `${ok}Transfer-Encoding: chunked\r\n\r\n`
const piece = "1\r\nx\r\n"
const news = "HTTP/1.1 103 x\r\n\r\n"

const writes = (text: string | Buffer): Act => (socket) => void socket.write(text)
const ends = (text: string): Act => (socket) => void socket.end(text)
const drips = (text: string, size?: number): Act => (socket) => drip(socket, text, size)
const floods = (head: string, text?: string): Act => (socket) => {
  if (head !== "") socket.write(head)
  flood(socket, text)
}

function withLength(bytes: Buffer, headers = ""): Buffer {
  return Buffer.concat([
    Buffer.from(`${ok}${headers}Content-Length: ${bytes.length}\r\n\r\n`),
    bytes,
  ])
}

/** What receivers do once they have a request, and what comes of it. */
function answers(inside: string): readonly [what: string, act: Act, outcome: Expected][] {
  const broken = { failed: "broken" }
  const timeout = { failed: "timeout" }
  const got = (body: string, status = 200) => ({ status, body })
  const redirect = (status: number) =>
    writes(`HTTP/1.1 ${status} x\r\nLocation: ${inside}\r\nContent-Length: 0\r\n\r\n`)
  const upgrade = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"
  const gzip = withLength(gzipSync(Buffer.alloc(1000, "x")), "Content-Encoding: gzip\r\n")
  return [
    ["no content", writes("HTTP/1.1 204 No Content\r\n\r\n"), got("", 204)],
    ["an error", writes(answer("no", "500 No")), got("no", 500)],
    ["a redirect with 302", redirect(302), got("", 302)],
    ["a redirect with 307", redirect(307), got("", 307)],
    ["a body until the end", ends(`${ok}\r\nx`), got("x")],
    ["4 kB", writes(answer("x".repeat(4096))), got("x".repeat(4096))],
    ["a byte more", writes(answer("x".repeat(4097))), got("x".repeat(4096))],
    ["a gigabyte in pieces", floods(`${inPieces}40000000\r\n`), got("x".repeat(4096))],
    ["100 pieces", writes(`${inPieces}${piece.repeat(100)}0\r\n\r\n`), got("x".repeat(100))],
    ["more pieces than that", writes(`${inPieces}${piece.repeat(101)}0\r\n\r\n`), broken],
    ["news, and the answer", writes(news.repeat(100) + answer("x")), got("x")],
    ["more news, and the answer", writes(news.repeat(101) + answer("x")), broken],
    ["news as fast as it goes", floods("", news), broken],
    ["empty lines without end", floods("", "\r\n"), broken],
    ["the length of a piece without end", floods(inPieces, "0"), broken],
    ["the name of a piece without end", floods(`${inPieces}1;`), broken],
    [
      "a compressed body",
      writes(gzip),
      got(gzip.subarray(gzip.indexOf("\r\n\r\n") + 4).toString()),
    ],
    ["bytes that are no text", writes(withLength(Buffer.from([0xff, 0x41]))), got("\ufffdA")],
    ["nothing", () => {}, timeout],
    ["half a status line", writes("HTTP/1.1 2"), timeout],
    ["half of the headers", writes(`${ok}X-A: `), timeout],
    ["half of the body", writes(`${ok}Content-Length: 9\r\n\r\nhalf`), timeout],
    ["a byte at a time", drips(answer("x".repeat(900))), timeout],
    ["headers without end, slowly", drips(`${ok}${"X-A: b\r\n".repeat(100)}`), timeout],
    ["news without end", drips("HTTP/1.1 103 Early Hints\r\n\r\n", 28), timeout],
    ["headers that are too long", writes(`${ok}X-A: ${"x".repeat(9000)}\r\n\r\n`), broken],
    ["the end before the answer", (socket) => socket.end(), broken],
    ["a reset before the answer", (socket) => socket.destroy(), broken],
    ["the end within the headers", ends(`${ok}X-A`), broken],
    ["the end within the body", ends(`${ok}Content-Length: 9\r\n\r\nhalf`), broken],
    ["the end within a piece", ends(`${inPieces}9\r\nhalf`), broken],
    ["no HTTP", writes("220 mail.example.org ESMTP\r\n"), broken],
    ["a status that is none", writes("HTTP/1.1 abc OK\r\n\r\n"), broken],
    ["two lengths", writes(`${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxy`), broken],
    ["a length that is none", writes(`${ok}Content-Length: -1\r\n\r\n`), broken],
    ["another protocol", writes(upgrade), broken],
  ]
}

/** Sends a text in pieces until the connection is closed, again and again if it is short. */
function drip(socket: Socket, text: string, size = 1): void {
  let at = 0
  const timer = setInterval(() => {
    socket.write(text.slice(at, at + size))
    at = (at + size) % text.length
  }, 20)
  socket.on("close", () => clearInterval(timer))
}

/** Sends as fast as the connection takes it. */
export function flood(socket: Socket, text = "x"): void {
  const bytes = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)))
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  }
  socket.on("drain", more)
  more()
}

/** Resolves when it is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(10)
}
