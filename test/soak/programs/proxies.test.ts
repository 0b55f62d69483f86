import { once } from "node:events"
import { createServer, get, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { connect } from "node:http2"
import { connect as connectTls, type SecureVersion } from "node:tls"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { createAuthority } from "../../support/certificates.ts"
import { ProxyClient } from "../support/proxies/client.ts"
import { logIn, startLoad } from "../support/proxies/load.ts"
import type { Program } from "../support/program.ts"
import {
  findProxies,
  type ProxyName,
  publicName,
  type RunningProxy,
  startProxy,
} from "../support/proxies/start-proxy.ts"
import { startTwoServices, type TwoServices } from "../support/proxies/two-services.ts"

const authority = createAuthority("An authority of the tests")
const certificate = authority.issue(publicName)
const programs: [ProxyName, Program][] = []

for (const [name, found] of await findProxies()) {
  if (found instanceof Error) t.test(name, { skip: found.message }, () => {})
  else programs.push([name, found])
}

function clientOf(t: Test, { port }: RunningProxy): ProxyClient {
  const client = new ProxyClient({ port, authority: authority.certificate })
  t.teardown(() => client.close())
  return client
}

/** Resolves once a proxy sends requests to a process that was started again. */
async function untilUsed(
  client: ProxyClient,
  { account, guests, answered }: TwoServices,
  index: 0 | 1,
): Promise<void> {
  const headers = { authorization: `Bearer ${await logIn(client, account)}` }
  for (let isUsed = false; !isUsed;) {
    const reply = await client.send(`${guests}?limit=1`, { headers })
    await setTimeout(50)
    isUsed = answered(index, String(reply.headers["x-request-id"]))
  }
}

t.test("a rolling restart under load fails no request", {
  skip: programs.length === 0 && "there is no proxy",
}, async (t) => {
  // Longer than a health check notices: two, a second apart.
  const services = await startTwoServices(t, { guests: 600, drain: 3 })
  const { account, guests, ports: upstreams } = services
  const proxies = await Promise.all(
    programs.map((program) => startProxy(t, program, { upstreams, certificate })),
  )
  const loads = await Promise.all(
    proxies.map(({ port }) => startLoad({ port, authority: authority.certificate }, services)),
  )
  for (const index of [0, 1] as const) {
    await setTimeout(500)
    await services.end(index, "SIGTERM")
    await services.start(index)
    // As handbook/upgrade.md says: the balancer must have noticed, or it has no process at all for a moment.
    await Promise.all(proxies.map((proxy) => untilUsed(clientOf(t, proxy), services, index)))
  }
  for (const [index, { name }] of proxies.entries()) {
    const counts = await loads[index]?.() ?? {}
    t.equal(Object.values(counts).filter((count) => count >= 3).length, 5, `${name}: all kinds`)
  }

  await t.test("a killed process fails no poll", async (t) => {
    const kept = await Promise.all(proxies.map(async (proxy) => {
      const client = new ProxyClient({ ...proxy, authority: authority.certificate, keep: true })
      t.teardown(() => client.close())
      const headers = { authorization: `Bearer ${await logIn(client, account)}` }
      return { name: proxy.name, poll: () => client.send(`${guests}?limit=1`, { headers }) }
    }))
    const killed = setTimeout(100).then(() => services.end(1, "SIGKILL"))
    for (let count = 0; count < 20; count++) {
      for (const { name, poll } of kept) t.equal((await poll()).status, 200, name)
      await setTimeout(20)
    }
    await killed
    await services.start(1)
  })

  for (const proxy of proxies) {
    await t.test(`${proxy.name} passes on who asks, and what for`, async (t) => {
      const client = clientOf(t, proxy)
      const authorization = `Bearer ${await logIn(client, account)}`
      const id = `of-${proxy.name}`
      const reply = await client.send(`${guests}?since=-1&limit=10&q=guest1`, {
        from: "127.0.0.2",
        headers: {
          authorization,
          "x-forwarded-for": "203.0.113.9, 127.0.0.1",
          "x-request-id": id,
        },
      })
      t.equal(reply.status, 200)
      t.equal(reply.headers["x-request-id"], id)
      const link = String(reply.headers.link)
      t.ok(link.startsWith(`<https://${publicName}${guests}?`), link)
      t.match(
        reply.headers["strict-transport-security"],
        /^max-age=\d+; includeSubDomains$/,
        "once",
      )
      const entry = () => services.entries().find((entry) => entry["id"] === id)
      while (!entry()) await setTimeout(20)
      t.equal(
        entry()?.["address"],
        "127.0.0.2",
        "the address that the proxy sees, not a forged one",
      )

      for (const path of ["/livez", "/readyz", "/readyz?x=1"]) {
        t.equal((await client.send(path)).status, 404, path)
      }
      // Caddy logs no requests unless it is told to.
      if (proxy.name !== "caddy") t.match(proxy.log(), guests, "the log has the request")
    })
  }

  await t.test("no log has a query, even if there is no process", async (t) => {
    await Promise.all(([0, 1] as const).map((index) => services.end(index, "SIGKILL")))
    await Promise.all(proxies.map(async (proxy) => {
      const { status } = await clientOf(t, proxy).send(`${guests}?since=-1&q=guest1`)
      t.ok(status >= 502, `${proxy.name}: ${status}`)
      t.notMatch(proxy.log(), /guest1|since=/, proxy.name)
    }))
  })
})

for (const program of programs) {
  const [name] = program
  t.test(`${name} passes on an export while it is made, and long bodies`, async (t) => {
    // Stands for the service, to see the moment when a part arrives.
    const seen: string[] = []
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
    const service = createServer(async (incoming, outgoing) => {
      if (incoming.url === "/readyz") return outgoing.end()
      if (incoming.method === "POST") return outgoing.end(`${(await text(incoming)).length}`)
      seen.push(`${incoming.httpVersion} ${incoming.headers.host} ${incoming.url}`)
      outgoing.write("first\n")
      await arrived
      outgoing.end("last\n")
    }).listen(0, "127.0.0.1")
    await once(service, "listening")
    t.teardown(() => service.close())
    const { port } = service.address() as AddressInfo
    const proxy = await startProxy(t, program, { upstreams: [port, port], certificate })
    const client = clientOf(t, proxy)

    // The longest path and query that the service takes.
    const path = `/acme/v1/events/x/guests/export?q=${"a".repeat(8150)}`
    const response = await client.begin(path)
    const parts: string[] = []
    for await (const part of response.setEncoding("utf8")) {
      parts.push(part)
      arrive()
    }
    t.strictSame(parts, ["first\n", "last\n"])
    t.strictSame(seen, [`1.1 ${publicName} ${path}`])

    const session = connect(`https://127.0.0.1:${proxy.port}`, {
      ca: authority.certificate,
      servername: publicName,
    })
    t.teardown(() => session.destroy())
    const stream = session.request({ ":path": "/x", ":authority": publicName })
    t.equal((await once(stream, "response"))[0][":status"], 200, "over HTTP/2")
    t.equal(await text(stream), "first\nlast\n")

    const root = await plainGet(proxy, "/")
    t.strictSame([root.statusCode, root.headers.location], [308, `https://${publicName}/`])
    t.equal((await plainGet(proxy, "/session")).statusCode, 403, "no password without TLS")
  })

  t.test(`${name} takes TLS 1.2 and 1.3, with forward secrecy and authenticated encryption only`, async (t) => {
    const proxy = await startProxy(t, program, { upstreams: [1, 1], certificate })
    const old = "ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA:AES128-GCM-SHA256:AES128-SHA"
    const offers: [SecureVersion, string | undefined][] = [
      ["TLSv1.3", undefined],
      ["TLSv1.2", undefined],
      ["TLSv1.2", "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256"],
      ["TLSv1.2", `${old}:@SECLEVEL=0`],
      ["TLSv1.1", "DEFAULT:@SECLEVEL=0"],
    ]
    const taken = await Promise.all(offers.map(async ([version, ciphers]) => {
      const socket = connectTls({
        port: proxy.port,
        ca: authority.certificate,
        servername: publicName,
        ...{ minVersion: version, maxVersion: version, ...ciphers && { ciphers } },
      })
      t.teardown(() => socket.destroy())
      return await once(socket, "secureConnect").then(() => true, () => false)
    }))
    t.strictSame(taken, [true, true, true, false, false])
  })
}

/** Sends a request without TLS. */
async function plainGet({ plainPort: port }: RunningProxy, path: string): Promise<IncomingMessage> {
  const headers = { host: publicName }
  const [response] = await once(get({ host: "127.0.0.1", port, path, headers }), "response")
  return response.resume()
}
