import { EventEmitter } from "node:events"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import t from "tap"
import { Connections, isHealthCheck } from "../../../core/http/connections.ts"
import { Networks } from "../../../core/networks.ts"

/** A connection from an address that may have no socket on this machine. */
class FakeSocket extends EventEmitter {
  readonly remoteAddress: string
  isClosed = false
  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }
  destroy() {
    this.isClosed = true
    this.emit("close")
  }
}

function fresh(
  most: { connections: number; connectionsPerAddress: number },
  proxies: string[] = [],
) {
  const server = new EventEmitter()
  const limited: string[] = []
  const sockets: FakeSocket[] = []
  const connections = new Connections(server as Server, {
    most: { ...most, beyond: 60_000 },
    proxies: new Networks(proxies),
    onLimit: (limit, address) => void limited.push(`${limit} ${address}`),
  })
  /** Connects. Returns true if only health checks are answered. */
  const open = (address: string): boolean => {
    const socket = new FakeSocket(address)
    sockets.push(socket)
    server.emit("connection", socket)
    const outgoing = new EventEmitter() as ServerResponse
    return connections.begin({ socket } as unknown as IncomingMessage, outgoing).isReserved
  }
  const closeOldest = () => sockets.shift()?.destroy()
  const closeAll = () => {
    for (const socket of sockets.splice(0)) socket.destroy()
  }
  const closed = () => sockets.filter(({ isClosed }) => isClosed).map((each) => each.remoteAddress)
  return { open, closeOldest, closeAll, closed, limited }
}

t.test("Connections counts by IPv4 address, also within IPv6, and by IPv6 /64", async (t) => {
  const { open, limited } = fresh({ connections: 100, connectionsPerAddress: 1 })
  const first = ["192.0.2.1", "192.0.2.2", "2001:db8:1:2::1", "2001:db8:1:3::1"]
  t.strictSame(first.map(open), [false, false, false, false])
  const same = ["::ffff:192.0.2.1", "2001:db8:1:2:3::4"]
  t.strictSame(same.map(open), [true, true])
  t.strictSame(limited, same.map((address) => `connections_per_address ${address}`))
})

for (const proxies of [[], ["10.0.0.0/8"]]) {
  const kind = proxies.length > 0 ? "of proxies, for all together only, and" : "of clients, and"
  t.test(`Connections counts those ${kind} none that has been closed`, async (t) => {
    const most = { connections: 3, connectionsPerAddress: proxies.length > 0 ? 1 : 2 }
    const { open, closeAll, limited } = fresh(most, proxies)
    const expected = proxies.length > 0 ? [false, false, false, true] : [false, false, true, true]
    for (let turn = 0; turn < 3; turn++) {
      t.strictSame([1, 2, 3, 4].map(() => open("10.1.2.3")), expected)
      if (proxies.length > 0) t.equal(limited[turn], "connections 10.1.2.3")
      else t.strictSame([1, 2].map(() => open("10.1.2.4")), [false, true])
      closeAll()
    }
  })
}

t.test("Connections counts those that stay open when another one of their address closes", async (t) => {
  const { open, closeOldest } = fresh({ connections: 100, connectionsPerAddress: 3 })
  t.strictSame([1, 2, 3, 4].map(() => open("192.0.2.1")), [false, false, false, true])
  closeOldest()
  t.strictSame([1, 2].map(() => open("192.0.2.1")), [false, true])
})

t.test("Connections keeps sixteen beyond a limit: the oldest gives way, of the same network if it has one", async (t) => {
  const { open, closed } = fresh({ connections: 1, connectionsPerAddress: 1 })
  open("192.0.2.1")
  for (let n = 0; n < 16; n++) t.equal(open(`198.51.100.${n}`), true)
  t.strictSame(closed(), [])
  open("198.51.100.5")
  t.strictSame(closed(), ["198.51.100.5"])
  open("203.0.113.1")
  t.strictSame(closed(), ["198.51.100.0", "198.51.100.5"])
})

t.test("isHealthCheck is true for two paths only", async (t) => {
  for (const url of ["/livez", "/readyz", "/livez?x=/session"]) t.ok(isHealthCheck(url), url)
  const others = ["/", "/livezz", "/livez/", "/x/livez", "//livez", "/session?/livez", undefined]
  for (const url of others) t.notOk(isHealthCheck(url), String(url))
})
