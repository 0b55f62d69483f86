import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { text } from "node:stream/consumers"
import { setImmediate, setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { answerJson, type Responder } from "../../../core/http/answer.ts"
import { serve, type ServeOptions } from "../../../core/http/serve.ts"

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const hello: Responder = async (request, { address }) => answerJson({ url: request.url, address })

async function listen(t: Test, options: Partial<ServeOptions> = {}, app = hello) {
  const listening = await serve(app, {
    ...{ host: "127.0.0.1", port: 0, publicUrl: undefined, log },
    ...options,
  })
  t.teardown(() => listening.close())
  const port = Number(new URL(listening.url).port)
  const open = (): Socket => connect(port, "127.0.0.1")
  /** Sends bytes as they are, and answers all that comes back. */
  const raw = async (request: string) => {
    const socket = open()
    socket.write(request)
    return await text(socket)
  }
  return { url: listening.url, open, raw, close: () => listening.close() }
}

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, "host: localhost", "connection: close", ...headers, "", ""].join("\r\n")

t.test("every response has the security headers, and no banner", async (t) => {
  const { raw } = await listen(t, { publicUrl: "https://export.example.org" })
  const responses = {
    "an answer": await raw(get("/")),
    "a refusal": await raw("TRACE / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"),
    "what is no HTTP": await raw("rubbish\r\n\r\n"),
    "headers that are too large": await raw(get("/", `x: ${"y".repeat(20_000)}`)),
    "another site": await raw(get("//evil.example/?next=//evil", "origin: https://evil.example")),
    "a backslash": await raw(get("/\\evil.example", "origin: https://evil.example")),
    "CONNECT": await raw("CONNECT localhost:1 HTTP/1.1\r\nhost: localhost\r\n\r\n"),
    "an unknown expectation": await raw(get("/", "expect: magic")),
    "no Host": await raw("GET / HTTP/1.1\r\nconnection: close\r\n\r\n"),
  }
  for (const [name, response] of Object.entries(responses)) {
    const [head = ""] = response.split("\r\n\r\n")
    t.match(head, /^x-content-type-options: nosniff$/mi, name)
    // They do not follow from the first.
    const policy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
    t.equal(/^content-security-policy: (.*)$/mi.exec(head)?.[1], policy, name)
    t.match(head, /^referrer-policy: no-referrer$/mi, name)
    t.match(head, /^cross-origin-resource-policy: same-origin$/mi, name)
    t.match(head, /^strict-transport-security: max-age=31536000/mi, name)
    t.notMatch(head, /^(server|x-powered-by|access-control-[a-z-]+|location):/mi, name)
  }
  for (const publicUrl of [undefined, "http://export.example.org"]) {
    const plain = await listen(t, { publicUrl })
    t.notMatch(await plain.raw(get("/")), /strict-transport/i, "plain http does not promise https")
  }
})

t.test("a request for a whole URL is one for its path, and the name in it counts in place of Host", async (t) => {
  const { raw } = await listen(t)
  const seen = async (target: string) => {
    const response = await raw(get(target))
    return [/^HTTP\/1.1 (\d+)/.exec(response)?.[1], /"url":"([^"]*)"/.exec(response)?.[1]]
  }
  t.strictSame(await seen("http://LOCALHOST:81/a//b?c=http://d"), [
    "200",
    "http://localhost:81/a//b?c=http://d",
  ])
  t.strictSame(await seen("https://127.0.0.1?c"), ["200", "http://127.0.0.1/?c"])
  for (
    const [target, status] of [
      ["http://evil.example/", "421"],
      ["http://ann@localhost/", "400"],
      ["http:///a", "400"],
      ["ftp://localhost/a", "400"],
      ["http://localhost/../a", "404"],
      ["http://localhost/a#b", "400"],
    ] as const
  ) t.strictSame(await seen(target), [status, undefined], target)
})

t.test("close logs how many refused requests have no line of their own", async (t) => {
  const lines: string[] = []
  const info = (_: object, message: string) => void lines.push(message)
  const { raw, close } = await listen(t, { log: { ...log, info } })
  for (let n = 0; n < 15; n++) await raw("rubbish\r\n\r\n")
  await close()
  t.ok(lines.includes("more requests were refused"), lines.join())
})

t.test("whatever Node would answer by itself is logged and counted", async (t) => {
  const [lines, codes]: [object[], string[]] = [[], []]
  const info = (line: object) => void lines.push(line)
  const { raw } = await listen(t, {
    log: { ...log, info },
    onRefuse: (code) => void codes.push(code),
  })
  const refused = {
    "CONNECT localhost:1 HTTP/1.1\r\nhost: localhost\r\n\r\n": [405, "method_not_allowed"],
    "GET / HTTP/1.1\r\nconnection: close\r\n\r\n": [400, "malformed_request"],
    "GET / HTTP/1.1\r\nconnection: close\r\nexpect: magic\r\n\r\n": [400, "malformed_request"],
    [get("/", "authorization: Bearer a", "Authorization: Bearer b")]: [400, "malformed_request"],
  } as const
  for (const [request, [status, code]] of Object.entries(refused)) {
    t.match(await raw(request), new RegExp(`^HTTP/1.1 ${status} .*"code":"${code}"`, "s"))
    t.match(lines.pop(), { code, status, address: "127.0.0.1" })
    t.equal(codes.pop(), code)
  }
  t.match(await raw(get("/", "expect: magic")), /^HTTP\/1.1 200 /)
})

t.test("a request that arrives on a new connection just after close is answered", async (t) => {
  const { url, open, close } = await listen(t)
  const used = open()
  used.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
  await once(used, "data")
  const [fresh, silent] = [open(), open()]
  await Promise.all([once(fresh, "connect"), once(silent, "connect")])
  // The service accepts in order: with this response, it has accepted those before.
  await (await fetch(url)).text()
  const closed = close()
  await once(used, "end")
  fresh.write(get("/"))
  t.match(await text(fresh), /^HTTP\/1\.1 200 /)
  await closed
  t.equal(await text(silent), "", "one without a request ends, too")
})

t.test("the last of so many requests closes its connection", async (t) => {
  const { raw } = await listen(t, { limits: { requestsEach: 3, idle: 100 } })
  const responses = await raw("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(5))
  t.equal(responses.match(/^(.*\})?HTTP\/1.1 200 /gm)?.length, 3)
  t.equal(responses.match(/^connection: close/gmi)?.length, 1)
  t.notMatch(responses, /^(.*\})?HTTP\/1.1 [^2]/m)
})

t.test("health checks and metrics need no Host header with a name, and everything else needs one", async (t) => {
  const { raw } = await listen(t, { publicUrl: "https://export.example.org" })
  const rows = [
    ["/livez", "1.0", [], 200],
    ["/readyz", "1.1", [], 200],
    ["/metrics?x", "1.0", [], 200],
    ["/metrics", "1.1", ["host:"], 200],
    ["/readyz", "1.0", ["host: localhost.:"], 200],
    ["/readyz", "1.1", ["host: export.example.org."], 200],
    ["/readyz", "1.1", ["host: 10.1.2.3:8080"], 200],
    ["/livez", "1.1", ["host: [fd00::1]:8080"], 200],
    ["/readyz", "1.1", ["host: evil.example.org"], 421],
    ["/readyz", "1.1", ["host: 10.1.2.3.example.org"], 421],
    ["/", "1.1", ["host: 10.1.2.3:8080"], 421],
    ["/readyz", "1.1", ["host: localhost", "host:"], 400],
    ["/readyz/x", "1.0", [], 400],
    ["/", "1.0", [], 400],
    ["/", "1.1", [], 400],
    ["/", "1.1", ["host:"], 400],
  ] as const
  for (const [path, version, headers, status] of rows) {
    const lines = [`GET ${path} HTTP/${version}`, "connection: close", ...headers, "", ""]
    const response = await raw(lines.join("\r\n"))
    const name = lines.join(" ")
    t.ok(response.startsWith(`HTTP/1.1 ${status} `), name)
    t.match(response, /^x-content-type-options: nosniff$/mi, name)
  }
})

t.test("OPTIONS / without a Host header is answered as GET /readyz, and no other OPTIONS", async (t) => {
  const { raw } = await listen(t, {}, (request) => {
    const asked = `${request.method} ${new URL(request.url).pathname}`
    return Promise.resolve({ status: 200, headers: { asked }, body: null })
  })
  const ask = (path: string, host = "") =>
    raw(`OPTIONS ${path} HTTP/1.0\r\n${host}connection: close\r\n\r\n`)
  t.match(await ask("/"), /^HTTP\/1\.1 200 [^]*\r\nasked: GET \/readyz\r\n/)
  t.match(await ask("/docs", "host: localhost\r\n"), /\r\nasked: OPTIONS \/docs\r\n/)
  t.match(await ask("/docs"), /^HTTP\/1\.1 400 /)
})

t.test("a body arrives byte for byte, whatever it means and however long it is", async (t) => {
  const bodies = [0, 1, 255, 1399, 1400, 70_000].map((size) =>
    Uint8Array.from({ length: size }, (_, index) => index % 256)
  )
  const { url } = await listen(t, {}, (request) => {
    const body = bodies[Number(new URL(request.url).searchParams.get("n"))] as typeof bodies[0]
    return Promise.resolve({ status: 200, headers: {}, body })
  })
  for (const [index, body] of bodies.entries()) {
    const response = await fetch(`${url}/?n=${index}`)
    t.equal(response.headers.get("content-length"), String(body.length))
    t.strictSame(new Uint8Array(await response.arrayBuffer()), body)
  }
})

t.test("a response that fails closes its connection, also behind another one", async (t) => {
  const { promise: late, resolve: end } = Promise.withResolvers<void>()
  const { raw } = await listen(t, {}, async (request) => {
    if (!request.url.endsWith("fails")) await late
    else queueMicrotask(end)
    const body = new ReadableStream({ start: (stream) => stream.error(new Error("it broke")) })
    return request.url.endsWith("fails") ? { status: 200, headers: {}, body } : answerJson({})
  })
  const [whole, broken] = ["/", "/fails"].map((path) => get(path).replace("close", "keep-alive"))
  t.notMatch(await raw(`${broken}`), "HTTP/1.1 200")
  await raw(`${whole}${broken}`)
  t.pass("it is closed")
})

/** Answers with some bytes, with `isLate` once the client has gone, and tells of each request whether it was sent. */
async function follow(t: Test, size: number, isLate = false) {
  const body = Buffer.alloc(size)
  const gone: Promise<boolean>[] = []
  let late = (_listener: (sent: boolean) => void) => {}
  const server = await listen(t, {}, async (request, { whenGone }) => {
    await request.text()
    const left = new Promise<boolean>((resolve) => whenGone?.(resolve))
    gone.push(left)
    if (whenGone) late = whenGone
    if (isLate) await left
    return { status: 200, headers: {}, body }
  })
  /** Resolves once so many requests have come. */
  const received = async (count: number) => {
    while (gone.length < count) await setTimeout(1)
  }
  const askLate = () => new Promise<boolean>((resolve) => late(resolve))
  return { ...server, gone, received, askLate }
}

const large = 16 * 1024 * 1024

t.test("what is no HTTP is refused behind the responses to what came before it", async (t) => {
  const asked: string[] = []
  const codes: string[] = []
  const app: Responder = async (request) => {
    const { pathname } = new URL(request.url)
    asked.push(pathname)
    await setTimeout(50)
    return answerJson({ pathname })
  }
  const { raw, open } = await listen(t, { onRefuse: (code) => void codes.push(code) }, app)
  const request = (path: string, ...headers: string[]) =>
    [`GET ${path} HTTP/1.1`, "host: localhost", ...headers, "", ""].join("\r\n")
  const statuses = (response: string) =>
    [...response.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)

  t.strictSame(statuses(await raw(`${request("/a")}${request("/b")}rubbish\r\n\r\n`)), [
    "200",
    "200",
    "400",
  ])
  t.strictSame(asked.splice(0), ["/a", "/b"])
  const last = await raw(`${request("/c", "connection: close")}${request("/d")}`)
  t.strictSame([statuses(last)[0], asked.splice(0)], ["200", ["/c"]])

  const socket = open()
  socket.write(request("/e"))
  const answer = text(socket)
  for (let n = 0; n < 5; n++) {
    await setTimeout(5)
    socket.write("rubbish\r\n\r\n")
  }
  t.strictSame(statuses(await answer), ["200", "400"])
  t.equal(codes.length, 2, "each connection once")

  const late = "POST /f HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nno length"
  t.strictSame(statuses(await raw(late)), ["400"], "its own body is what is wrong")
})

t.test("a refusal says that a URL has to be percent-encoded", async (t) => {
  const { raw } = await listen(t)
  for (const query of ["q=Zo\u00eb", "q=a\u007fb"]) {
    t.match(await raw(get(`/guests?${query}`)), /^HTTP\/1.1 400 .*Percent-encode/s, query)
  }
  t.match(await raw("rubbish\r\n\r\n"), /This is not HTTP\/1.1/)
})

t.test("a body is released once it is sent in full, and never if the client leaves before", async (t) => {
  const released: string[] = []
  const body = Buffer.alloc(16 * 1024 * 1024)
  const { raw, open } = await listen(t, {}, (request) => {
    const { pathname } = new URL(request.url)
    const release = () => void released.push(pathname)
    return Promise.resolve({ status: 200, headers: {}, body, release })
  })
  const socket = open()
  socket.write(get("/left"))
  await once(socket, "readable")
  socket.destroy()
  await raw(get("/read"))
  t.strictSame(released, ["/read"])
})

t.test("whenGone tells true of a response that is sent in full", async (t) => {
  const { raw, gone, askLate } = await follow(t, 100_000)
  await raw(get("/"))
  t.strictSame([await gone[0], await askLate()], [true, true])
})

t.test("whenGone tells false of a response whose client leaves in the middle", async (t) => {
  const { open, gone } = await follow(t, large)
  const socket = open()
  socket.write(get("/"))
  await once(socket, "readable")
  socket.destroy()
  t.equal(await gone[0], false)
})

t.test("whenGone tells false of a response whose client has left before it", async (t) => {
  const { open, gone, received } = await follow(t, 100_000, true)
  const socket = open()
  socket.write("POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}")
  await received(1)
  const first = await Promise.race([gone[0], setTimeout(50, "still there")])
  t.equal(first, "still there", "the end of the body is not the end of the client")
  socket.destroy()
  t.equal(await gone[0], false)
})

t.test("whenGone tells false of responses that wait for another one whose connection has closed", async (t) => {
  const { open, gone, received } = await follow(t, large)
  const socket = open()
  socket.write(get("/").replace("close", "keep-alive").repeat(3))
  await received(3)
  socket.destroy()
  t.strictSame(await Promise.all(gone), [false, false, false])
})

t.test("what is too long or too large is refused before it is read", async (t) => {
  const { raw } = await listen(t)
  t.match(await raw(get(`/${"x".repeat(9000)}`)), /^HTTP\/1.1 414 .*url_too_long/s)
  t.match(await raw(get("/", "content-length: 5000")), /^HTTP\/1.1 413 .*body_too_large/s)
  t.match(await raw(get("/", `x: ${"y".repeat(20_000)}`)), /^HTTP\/1.1 431 .*headers_too_large/s)
  for (const header of ["transfer-encoding: chunked", "content-length: 10"]) {
    const [head] = (await raw(["GET / HTTP/1.1", "host: localhost", header, "", ""].join("\r\n")))
      .split("\r\n\r\n")
    t.match(
      head,
      /^HTTP\/1.1 200 [^]*connection: close/i,
      `a body by ${header} ends the connection`,
    )
  }
})

t.test("a request with two lengths is refused, whichever a proxy believes", async (t) => {
  const { raw } = await listen(t)
  const lengths = ["content-length: 5", "content-length: 6", "transfer-encoding: chunked"]
  for (const [first, second] of [[0, 1], [0, 2], [2, 0]] as const) {
    const head = ["POST / HTTP/1.1", "host: localhost", lengths[first], lengths[second]]
    const answer = await raw([...head, "", "0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n"].join("\r\n"))
    t.match(answer, /^HTTP\/1.1 400 /, String(head))
    t.notMatch(answer, /200 OK|smuggled/, String(head))
  }
})

t.test("Host must name the service, whose name or public URL requests have", async (t) => {
  const local = await listen(t)
  const named = await listen(t, { publicUrl: "https://a.example", hosts: ["b.example"] })
  const rows: [typeof local, hosts: string[], expected: RegExp][] = [
    [local, ["host: localhost:1"], /^HTTP\/1.1 200/],
    [local, ["host: [::1]:8080"], /^HTTP\/1.1 200/],
    [local, ["host: evil.example"], /^HTTP\/1.1 421 .*misdirected_request/s],
    [local, ["host: localhost", "host: evil.example"], /^HTTP\/1.1 400/],
    [local, ["host: localhost/evil"], /^HTTP\/1.1 400/],
    [local, ["host: a@localhost"], /^HTTP\/1.1 400/],
    [local, [], /^HTTP\/1.1 400/],
    [local, ["host: localhost", "x-forwarded-host: evil"], /"url":"http:\/\/localhost\/"/],
    [named, ["host: localhost"], /"url":"https:\/\/a.example\/"/],
    [named, ["host: b.example"], /"url":"https:\/\/b.example\/"/],
    [named, ["host: evil.example"], /misdirected_request/],
  ]
  for (const [{ raw }, hosts, expected] of rows) {
    const head = ["GET / HTTP/1.1", ...hosts, "connection: close", "", ""]
    t.match(await raw(head.join("\r\n")), expected, hosts.join())
  }
})

t.test("a body that is longer than usual is let through to the routes that take it", async (t) => {
  const { raw } = await listen(t, {
    longestBody: (method, path) => method === "POST" && path === "/long" ? 9000 : 4096,
  }, async (request) => answerJson({ length: (await request.text()).length }))
  const post = (path: string, length: number, method = "POST") =>
    raw(get(path, `content-length: ${length}`).replace("GET", method) + "x".repeat(length))
  t.match(await post("/long?a=b", 9000), /^HTTP\/1.1 200[^]*"length":9000/)
  t.match(await post("/long", 9001), /^HTTP\/1.1 413[^]*up to 9000 bytes/)
  t.match(await post("/other", 4096), /^HTTP\/1.1 200[^]*"length":4096/)
  t.match(await post("/other", 4097), /^HTTP\/1.1 413[^]*up to 4096 bytes/)
  t.match(await post("/long", 4097, "PUT"), /^HTTP\/1.1 413[^]*up to 4096 bytes/)
})

t.test("paths with dot segments or backslashes are 404, those with # are 400, and none is resolved", async (t) => {
  const reached: string[] = []
  const { raw } = await listen(t, {}, async (request) => {
    reached.push(new URL(request.url).pathname)
    return answerJson({})
  })
  const refused = [
    ...["/..", "/.", "/./", "/docs/../status", "/docs/..", "/docs/./", "/a/%2e%2e/b", "/a/.%2E/b"],
    ...["/a/%2e", "/docs/..\\..\\status", "/\\x", "/docs\\", "/a/../b?c=d", "/../a#b"],
  ]
  for (const path of refused) {
    t.match(await raw(get(path)), /^HTTP\/1\.1 404 [^]*"code":"not_found"/, path)
  }
  t.strictSame(reached, [])
  for (const path of ["/a#b", "/livez#/../x", "/a?q=#"]) {
    t.match(await raw(get(path)), /^HTTP\/1\.1 400 [^]*"code":"malformed_request"/, path)
  }
  t.strictSame(reached, [])
  const accepted = ["/a..b", "/...", "/.well-known/x", "/a/..b/c", "/a./b", "/%2e%2e%2e/", "/a%2fb"]
  for (const path of [...accepted, "/a?q=/../b", "/a?q=\\"]) {
    t.match(await raw(get(path)), /^HTTP\/1\.1 200 /, path)
  }
  t.strictSame(reached, [...accepted, "/a", "/a"])
})

t.test("a request with so many headers that a runtime leaves out the last ones is refused", async (t) => {
  const { raw } = await listen(t, { trustProxy: ["127.0.0.0/8"] })
  const having = (count: number) => {
    // Those of `get`, and the one of the proxy.
    const names = Array.from({ length: count - 3 }, (_, at) => `a${at}:`)
    return raw(get("/", ...names, "x-forwarded-for: 192.0.2.1"))
  }
  t.match(await having(999), /"address":"192\.0\.2\.1"/)
  for (const count of [1000, 1001, 1500]) {
    const refused = await having(count)
    t.match(refused, /^HTTP\/1\.1 431 /, `${count} headers`)
    t.match(refused, /"code":"headers_too_large"/)
  }
})

t.test("the address is the socket's, or what a trusted proxy forwards", async (t) => {
  const direct = await listen(t)
  t.match(await direct.raw(get("/", "x-forwarded-for: 192.0.2.1")), /"address":"127.0.0.1"/)
  const behind = await listen(t, { trustProxy: ["127.0.0.0/8"] })
  t.match(
    await behind.raw(get("/", "x-forwarded-for: 9.9.9.9", "x-forwarded-for: 192.0.2.1")),
    /"address":"192.0.2.1"/,
  )
})

t.test("a response that has been read leaves no timer", async (t) => {
  const delivery = 54_321
  const { url } = await listen(t, { limits: { delivery } })
  const { setTimeout: set, clearTimeout: clear } = globalThis
  const timers = new Set<unknown>()
  let made = 0
  t.teardown(() => Object.assign(globalThis, { setTimeout: set, clearTimeout: clear }))
  Object.assign(globalThis, {
    setTimeout(...args: Parameters<typeof set>) {
      const timer = set(...args)
      if (args[1] === delivery) made += timers.add(timer).size
      return timer
    },
    clearTimeout(timer: Parameters<typeof clear>[0]) {
      timers.delete(timer)
      clear(timer)
    },
  })
  await (await fetch(url)).text()
  for (let n = 0; n < 100 && timers.size > 0; n++) await setImmediate()
  t.strictSame([made, timers.size], [1, 0])
})
