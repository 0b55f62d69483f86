import { Buffer } from "node:buffer"
import type { Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import t from "tap"
import { createAuthority } from "../../../soak/support/certificates.ts"
import { startNameServer } from "../../../support/ping/name-server.ts"
import { startPoster, startPosterProcess } from "../../../support/ping/posters.ts"
import {
  type Act,
  answer,
  startBareServer,
  startReceiver,
} from "../../../support/ping/receivers.ts"
import { withoutRuntime } from "../../../support/runtimes.ts"

const authority = createAuthority("Receivers")
const certificate = authority.issue("hooks.example.org", "*.many.example.org")
/** Milliseconds, for what is right however long it takes, and for what never ends. */
const patience = { request: 120_000, idle: 30_000 }
const haste = { ...patience, request: 1000 }
const body = '{"type":"changed"}'

for (const runtime of ["node", "deno"] as const) {
  const on = { skip: withoutRuntime(runtime) }

  /** Starts a name server that knows `hooks.example.org`, and something that sends to loopback for want of an Internet. */
  const start = async (t: Test, ports: readonly number[], more: Partial<Options> = {}) => {
    const server = await startNameServer(t, () => ({ a: ["127.0.0.1"] }))
    return startPoster(t, runtime, {
      ...{ ports, loopback: true, authorities: [authority.certificate] },
      ...{ nameServers: [server.address], limits: patience },
      ...more,
    })
  }

  /** Starts one that waits a second for those that are expected to take too long, and one that waits long for others. */
  const startBoth = async (t: Test, ports: readonly number[]) => {
    const hasty = await start(t, ports, { limits: haste })
    const patient = await start(t, ports)
    return {
      post: (url: string, expected: { readonly failed?: unknown }) =>
        (expected.failed === "timeout" ? hasty : patient).post(url, { body }),
    }
  }

  t.test(`a message arrives as it is on ${runtime}`, on, async (t) => {
    const receiver = await startReceiver(t, (socket) => socket.write(answer("echo")), {
      certificate,
    })
    const { post } = await start(t, [receiver.port])
    const url = `https://Hooks.example.org:${receiver.port}/a%0d%0ab/?c=%0a&d`
    t.same(await post(url, { body: '{"ä":1}' }), { status: 200, body: "echo" })
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

  t.test(`a certificate has to be valid for the name on ${runtime}`, on, async (t) => {
    const self = createAuthority("hooks.example.org")
    const certificates = {
      "of another name": authority.issue("other.example.org"),
      "of the address": authority.issue("127.0.0.1"),
      "that expired": authority.issueExpired("hooks.example.org"),
      "that signs itself": { ...self },
      "of an unknown authority": self.issue("hooks.example.org"),
    }
    for (const [what, certificate] of Object.entries(certificates)) {
      const receiver = await startReceiver(t, (socket) => socket.write(answer()), { certificate })
      const { post } = await start(t, [receiver.port])
      t.same(await post(`https://hooks.example.org:${receiver.port}/`), { failed: "tls" }, what)
      t.equal(receiver.requests.length, 0, `nothing is sent to a certificate ${what}`)
    }
  })

  t.test(`the environment changes nothing on ${runtime}`, on, async (t) => {
    const trap = await startReceiver(t, (socket) => socket.write(answer("trap")))
    const good = await startReceiver(t, (socket) => socket.write(answer("good")), { certificate })
    const bad = await startReceiver(t, (socket) => socket.write(answer("bad")), {
      certificate: createAuthority("Strangers").issue("hooks.example.org"),
    })
    const plain = await startReceiver(t, (socket) => socket.write(answer("plain")))
    const server = await startNameServer(t, () => ({ a: ["127.0.0.1"] }))
    const proxy = `http://127.0.0.1:${trap.port}`
    const { call } = await startPosterProcess(t, runtime, {
      options: {
        ...{
          limits: patience,
          ports: [good.port, bad.port],
          loopback: true,
          nameServers: [server.address],
        },
        authorities: [authority.certificate],
      },
      env: {
        ...{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: "" },
        ...{ http_proxy: proxy, https_proxy: proxy, all_proxy: proxy, no_proxy: "" },
        ...{ NODE_USE_ENV_PROXY: "1", NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_NO_WARNINGS: "1" },
        // Deno itself would ask by a proxy whether there is a newer one.
        DENO_NO_UPDATE_CHECK: "1",
      },
    })
    const post = (url: string) => call({ post: [url, { headers: {}, body }] })
    const secure = (port: number) => post(`https://hooks.example.org:${port}/`)
    t.same(await secure(good.port), { status: 200, body: "good" })
    t.same(await post(`http://127.0.0.1:${plain.port}/`), { status: 200, body: "plain" })
    t.same(await secure(bad.port), { failed: "tls" })
    t.same(trap.requests, [])
    t.equal(trap.connections.made, 0)
  })

  t.test(`answers of hostile receivers are cut on ${runtime}`, on, async (t) => {
    const target = await startReceiver(t, (socket) => socket.write(answer("secret")))
    const inside = `http://127.0.0.1:${target.port}/`
    const cases = await Promise.all(
      answers(inside).map(async ([what, act, outcome]) => ({
        ...{ what, outcome, receiver: await startReceiver(t, act, { certificate }) },
      })),
    )
    const { post } = await startBoth(t, cases.map(({ receiver }) => receiver.port))
    await Promise.all(cases.map(async ({ what, outcome, receiver }) => {
      t.same(await post(`https://hooks.example.org:${receiver.port}/`, outcome), outcome, what)
      if (outcome.failed !== "timeout") {
        t.equal(receiver.requests.length, 1, `${what}: one request`)
      }
    }))
    t.equal(target.connections.made, 0, "no redirect was followed")
  })

  t.test(`servers that speak no TLS are refused on ${runtime}`, on, async (t) => {
    const acts: [what: string, act: (socket: Socket) => void, failed: string[]][] = [
      ["says nothing", () => {}, ["timeout"]],
      ["closes at once", (socket) => socket.destroy(), ["tls"]],
      ["ends at once", (socket) => socket.end(), ["tls"]],
      // Whether the connection was made first is a matter of luck.
      ["resets", (socket) => socket.resetAndDestroy(), ["tls", "no_connection"]],
      ["speaks HTTP", (socket) => socket.write(answer("plain")), ["tls"]],
      ["speaks SSH", (socket) => socket.write("SSH-2.0-x\r\n"), ["tls"]],
      ["a byte at a time", (socket) => drip(socket, "\x16\x03\x03\x40\x00"), ["timeout"]],
    ]
    const cases = await Promise.all(acts.map(async ([what, act, failed]) => ({
      ...{ what, failed, server: await startBareServer(t, act) },
    })))
    const { post } = await startBoth(t, [1, ...cases.map(({ server }) => server.port)])
    await Promise.all(cases.map(async ({ what, failed, server }) => {
      const outcome = await post(`https://hooks.example.org:${server.port}/`, { failed: failed[0] })
      t.ok(
        "failed" in outcome && failed.includes(outcome.failed),
        `${what}: ${JSON.stringify(outcome)}`,
      )
    }))
    const refused = { failed: "no_connection" }
    t.same(await post("https://hooks.example.org:1/", refused), refused, "nobody listens")
    t.same(await post("https://127.0.0.1:1/", refused), refused, "an address is no name for TLS")
  })

  t.test(`a connection goes to the address that was checked on ${runtime}`, on, async (t) => {
    const first = await startReceiver(t, (socket) => socket.write(answer("first")), { certificate })
    const { port } = first
    const second = await startReceiver(t, (socket) => socket.write(answer("second")), {
      ...{ certificate, port, host: "127.0.0.2" },
    })
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

  t.test(
    `name servers that do not answer take no longer than others on ${runtime}`,
    on,
    async (t) => {
      const receiver = await startReceiver(t, (socket) => socket.write(answer("good")), {
        certificate,
      })
      const records = {
        "both.example.org": { silent: "both" },
        "hooks.example.org": { a: ["127.0.0.1"], silent: "aaaa" },
        "loop.example.org": { alias: "nobody.example.org" },
      } as const
      const server = await startNameServer(
        t,
        (name) => Object.entries(records).find(([key]) => key === name)?.[1],
      )
      const ports = [receiver.port]
      const hasty = await start(t, ports, { nameServers: [server.address], limits: haste })
      t.same(await hasty.post(`https://both.example.org:${receiver.port}/`), { failed: "timeout" })
      t.same(await hasty.post(`https://loop.example.org:${receiver.port}/`), {
        failed: "no_address",
      })
      const { post } = await start(t, ports, { nameServers: [server.address] })
      const names = ["both", "hooks"]
      t.same(
        await Promise.all(
          names.map((name) => post(`https://${name}.example.org:${receiver.port}/`)),
        ),
        [{ failed: "no_address" }, { status: 200, body: "good" }],
      )
    },
  )

  t.test(
    `the next address is tried if there is no connection to one on ${runtime}`,
    on,
    async (t) => {
      const receiver = await startReceiver(t, (socket) => socket.write(answer("good")), {
        certificate,
      })
      const server = await startNameServer(
        t,
        () => ({ a: ["127.0.0.9", "127.0.0.1"], aaaa: ["::1"] }),
      )
      const { post } = await start(t, [receiver.port], { nameServers: [server.address] })
      t.same(await post(`https://hooks.example.org:${receiver.port}/`), {
        status: 200,
        body: "good",
      })
    },
  )

  t.test(`connections are kept for the next request on ${runtime}`, on, async (t) => {
    let isRude = false
    const receiver = await startReceiver(t, (socket) => {
      if (isRude) socket.destroy()
      else socket.write(answer("good"))
      isRude = false
    }, { certificate })
    const { post } = await start(t, [receiver.port])
    const url = `https://hooks.example.org:${receiver.port}/`
    const good = { status: 200, body: "good" }
    for (let turn = 0; turn < 15; turn++) t.same(await post(url), good)
    t.equal(receiver.connections.made, 1)
    isRude = true
    t.same(await post(url), good, "a connection that turns out to be closed is made again")
    t.equal(receiver.connections.made, 2)
    const limits = { ...patience, idle: 300 }
    const brief = await start(t, [receiver.port], { limits })
    t.same(await brief.post(url), good)
    while (receiver.connections.open > 1) await sleep(20)
    t.same(await brief.post(url), good, "one that waited too long was closed")
    t.equal(receiver.connections.made, 4)
    const another = await startReceiver(t, (socket) => socket.destroy(), { certificate })
    const hostile = await start(t, [another.port])
    const failed = { failed: "broken" }
    t.same(await hostile.post(`https://hooks.example.org:${another.port}/`), failed)
    t.equal(another.connections.made, 1, "a new connection that is closed is not tried again")
  })

  t.test(`a connection that sends what nobody asked for is closed on ${runtime}`, on, async (t) => {
    for (const [what, text] of [["bytes", "x"], ["answers", answer()]] as const) {
      const sockets: Socket[] = []
      const receiver = await startReceiver(t, (socket) => {
        socket.write(answer())
        sockets.push(socket)
      }, { certificate })
      const { post } = await start(t, [receiver.port])
      const url = `https://hooks.example.org:${receiver.port}/`
      t.same(await post(url), { status: 200, body: "" })
      for (const socket of sockets) flood(socket, text)
      await until(() => receiver.connections.open === 0)
      t.same(await post(url), { status: 200, body: "" }, `${what} are no answers to others`)
    }
  })

  t.test(`connections that wait make room for others on ${runtime}`, on, async (t) => {
    const receiver = await startReceiver(t, (socket) => socket.write(answer("good")), {
      certificate,
    })
    const { post } = await start(t, [receiver.port], { limits: { ...patience, idle: 600_000 } })
    for (let from = 0; from < 400; from += 20) {
      const outcomes = await Promise.all(
        Array.from(
          { length: 20 },
          (_, at) => post(`https://a${from + at}.many.example.org:${receiver.port}/`),
        ),
      )
      t.ok(outcomes.every((outcome) => "status" in outcome && outcome.status === 200))
    }
    t.equal(receiver.connections.made, 400)
    await until(() => receiver.connections.open <= 256)
    t.ok(receiver.connections.open >= 200, `${receiver.connections.open} connections are kept`)
  })

  t.test(`the end ends all requests, and nothing is sent after it on ${runtime}`, on, async (t) => {
    const hanging = await startReceiver(t, () => {}, { certificate })
    const { post, close } = await start(t, [hanging.port])
    const url = (at: number) => `https://a${at}.many.example.org:${hanging.port}/`
    const hung = Array.from({ length: 64 }, (_, at) => post(url(at)))
    await until(() => hanging.requests.length === 64)
    await close()
    t.ok((await Promise.all(hung)).every((outcome) => "failed" in outcome))
    await until(() => hanging.connections.open === 0)
    t.match(await post(url(64)), { failed: String })
    t.equal(hanging.connections.made, 64)
  })

  t.test(`a receiver that sends without end costs no memory on ${runtime}`, on, async (t) => {
    const gigabyte = await startReceiver(t, (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${2 ** 30}\r\n\r\n`)
      flood(socket)
    }, { certificate })
    const heads = await startReceiver(t, (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n")
      flood(socket, "X-A: b\r\n")
    }, { certificate })
    const server = await startNameServer(t, () => ({ a: ["127.0.0.1"] }))
    const { call } = await startPosterProcess(t, runtime, {
      options: {
        ...{
          limits: patience,
          ports: [gigabyte.port, heads.port],
          loopback: true,
          nameServers: [server.address],
        },
        authorities: [authority.certificate],
      },
    })
    const all = (port: number) =>
      Promise.all(
        Array.from({ length: 64 }, () =>
          call({
            post: [`https://hooks.example.org:${port}/`, { headers: {}, body }],
          })),
      )
    await all(gigabyte.port)
    const before = Number(await call({ memory: true }))
    const most: number[] = []
    for (let turn = 0; turn < 2; turn++) {
      for (const outcome of await all(gigabyte.port)) {
        t.match(outcome, { status: 200, body: /^x{4096}$/ })
      }
      for (const outcome of await all(heads.port)) t.same(outcome, { failed: "broken" })
      most.push(Number(await call({ memory: true })))
    }
    const grown = (Math.max(...most) - before) / 2 ** 20
    t.ok(grown < 250, `${grown.toFixed()} MB more`)
  })
}

type Options = Parameters<typeof startPoster>[2]
type Expected = { readonly failed?: string; readonly status?: number; readonly body?: string }
type Test = Parameters<typeof startPoster>[0]

/** What receivers do once they have a request, and what comes of it. */
function answers(inside: string): readonly [what: string, act: Act, outcome: Expected][] {
  const compressed = gzipSync(Buffer.alloc(1000, "x"))
  const writes = (text: string): Act => (socket) => socket.write(text)
  const broken = { failed: "broken" }
  const timeout = { failed: "timeout" }
  return [
    ["no content", writes("HTTP/1.1 204 No Content\r\n\r\n"), { status: 204, body: "" }],
    ["an error", writes(answer("no", "500 No")), { status: 500, body: "no" }],
    ["gone", writes(answer("", "410 Gone")), { status: 410, body: "" }],
    ...[301, 302, 303, 307, 308].map((status) =>
      [
        `a redirect with ${status}`,
        writes(`HTTP/1.1 ${status} x\r\nLocation: ${inside}\r\nContent-Length: 0\r\n\r\n`),
        { status, body: "" },
      ] as [string, Act, Expected]
    ),
    [
      "a refresh",
      writes(`HTTP/1.1 200 OK\r\nRefresh: 0;url=${inside}\r\nContent-Length: 0\r\n\r\n`),
      {
        ...{ status: 200, body: "" },
      },
    ],
    ["a body until the end", (socket) => void socket.end("HTTP/1.1 200 OK\r\n\r\nx"), {
      ...{ status: 200, body: "x" },
    }],
    ["4 kB", writes(answer("x".repeat(4096))), { status: 200, body: "x".repeat(4096) }],
    ["a byte more", writes(answer("x".repeat(4097))), { status: 200, body: "x".repeat(4096) }],
    ["a gigabyte in pieces", (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40000000\r\n")
      flood(socket)
    }, { status: 200, body: "x".repeat(4096) }],
    ["100 pieces", (socket) => {
      const pieces = "1\r\nx\r\n".repeat(100)
      socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${pieces}0\r\n\r\n`)
    }, { status: 200, body: "x".repeat(100) }],
    ["more pieces than that", (socket) => {
      const pieces = "1\r\nx\r\n".repeat(101)
      socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${pieces}0\r\n\r\n`)
    }, broken],
    ["news, and the answer", (socket) => {
      socket.write("HTTP/1.1 103 x\r\n\r\n".repeat(100) + answer("x"))
    }, { status: 200, body: "x" }],
    ["more news, and the answer", (socket) => {
      socket.write("HTTP/1.1 103 x\r\n\r\n".repeat(101) + answer("x"))
    }, broken],
    ["news as fast as it goes", (socket) => flood(socket, "HTTP/1.1 103 x\r\n\r\n"), broken],
    ["hopes as fast as it goes", (socket) => flood(socket, "HTTP/1.1 100 x\r\n\r\n"), broken],
    ["empty lines without end", (socket) => flood(socket, "\r\n"), broken],
    ["the length of a piece without end", (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      flood(socket, "0")
    }, broken],
    ["the name of a piece without end", (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;")
      flood(socket)
    }, broken],
    ["headers after the end, without end", (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n")
      flood(socket, "X-A: b\r\n")
    }, broken],
    ["a compressed body", (socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${compressed.length}\r\n\r\n`,
      )
      socket.write(compressed)
    }, { status: 200, body: compressed.toString() }],
    ["bytes that are no text", (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
      socket.write(Buffer.from([0xff, 0x41]))
    }, { status: 200, body: "\ufffdA" }],
    ["nothing", () => {}, timeout],
    ["half a status line", writes("HTTP/1.1 2"), timeout],
    ["half of the headers", writes("HTTP/1.1 200 OK\r\nX-A: "), timeout],
    ["half of the body", writes("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), timeout],
    ["a byte at a time", (socket) => drip(socket, answer("x".repeat(900))), timeout],
    ["headers without end, slowly", (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n")
      drip(socket, "X-A: b\r\n".repeat(100))
    }, timeout],
    ["news without end", (socket) => drip(socket, "HTTP/1.1 103 Early Hints\r\n\r\n", 28), timeout],
    [
      "processing without end",
      (socket) => drip(socket, "HTTP/1.1 102 Processing\r\n\r\n", 27),
      timeout,
    ],
    [
      "headers that are too long",
      writes(`HTTP/1.1 200 OK\r\nX-A: ${"x".repeat(9000)}\r\n\r\n`),
      broken,
    ],
    ["the end before the answer", (socket) => socket.end(), broken],
    ["a reset before the answer", (socket) => socket.destroy(), broken],
    ["the end within the headers", (socket) => socket.end("HTTP/1.1 200 OK\r\nX-A"), broken],
    [
      "the end within the body",
      (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"),
      broken,
    ],
    [
      "the end within a piece",
      (socket) => socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf"),
      broken,
    ],
    ["no HTTP", writes("220 mail.example.org ESMTP\r\n"), broken],
    ["a page without headers", writes("<html>hello</html>\r\n"), broken],
    ["a status that is none", writes("HTTP/1.1 abc OK\r\n\r\n"), broken],
    [
      "two lengths",
      writes("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy"),
      broken,
    ],
    ["a length that is none", writes("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"), broken],
    [
      "another protocol",
      writes("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
      broken,
    ],
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
function flood(socket: Socket, text = "x"): void {
  const bytes = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)))
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  }
  socket.on("drain", more)
  more()
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(10)
}
