import t from "tap"
import { clientAddress, isLoopback, isWithin, networkOf, Networks } from "../../core/networks.ts"

t.test("isWithin supports IPv4, IPv6 and IPv4 in IPv6", (t) => {
  const networks = "192.0.2.0/24,2001:db8::/32,198.51.100.7"
  for (const address of ["192.0.2.1", "::ffff:192.0.2.255", "2001:DB8:1::1", "198.51.100.7"]) {
    t.equal(isWithin(networks, address), true, address)
  }
  for (const address of ["192.0.3.1", "2001:db9::1", "198.51.100.8", "unknown", ""]) {
    t.equal(isWithin(networks, address), false, address)
  }
  t.end()
})

t.test("isLoopback is true only for what reaches this machine alone", (t) => {
  for (const host of ["localhost", "127.0.0.1", "127.255.0.9", "::1", "[::1]", "LOCALHOST"]) {
    t.equal(isLoopback(host), true, host)
  }
  for (
    const host of [
      "127.999.1.1",
      "127.0.0.1.example",
      "localhost.example",
      "notlocalhost",
      "0.0.0.0",
      "::",
      "",
      "128.0.0.1",
    ]
  ) {
    t.equal(isLoopback(host), false, host)
  }
  t.end()
})

t.test("the zone of an IPv6 address is no part of it", (t) => {
  t.equal(isWithin("fe80::/10", "fe80::1%eth0"), true)
  t.equal(isWithin("fe80::/10", "fec0::1%eth0"), false)
  t.equal(clientAddress("fe80::1%eth0", undefined, new Networks([])), "fe80::1")
  t.end()
})

t.test("Networks rejects text that is not a network", (t) => {
  for (const text of ["", "10.0.0.0/33", "10.0.0/8", "::/129", "10.0.0.0/8/8", "10.0.0.0/", "x"]) {
    t.throws(() => new Networks([text]), { name: "NetworkError" }, text)
  }
  t.end()
})

t.test("networkOf returns an IPv4 address, or the first half of an IPv6 address", (t) => {
  t.equal(networkOf("::ffff:192.0.2.1"), "192.0.2.1")
  t.equal(networkOf("2001:db8:0:12::1"), networkOf("2001:0db8:0000:0012:ffff::2"))
  t.not(networkOf("2001:db8:0:12::1"), networkOf("2001:db8:0:13::1"))
  t.equal(networkOf("::1"), "0:0:0:0::/64")
  t.end()
})

t.test("clientAddress trusts only the part of X-Forwarded-For that trusted proxies wrote", (t) => {
  const none = new Networks([])
  const proxies = new Networks(["10.0.0.0/8", "::1"])
  t.equal(clientAddress("10.0.0.1", "192.0.2.1", none), "10.0.0.1", "off by default")
  t.equal(clientAddress("10.0.0.1", "192.0.2.1", proxies), "192.0.2.1")
  t.equal(clientAddress("::ffff:10.0.0.1", "9.9.9.9, 192.0.2.1, 10.0.0.2", proxies), "192.0.2.1")
  t.equal(clientAddress("192.0.2.9", "192.0.2.1", proxies), "192.0.2.9", "not a proxy")
  t.equal(clientAddress("10.0.0.1", "192.0.2.1, rubbish", proxies), "10.0.0.1")
  t.equal(clientAddress("10.0.0.1", undefined, proxies), "10.0.0.1")
  t.equal(clientAddress("::1", "[2001:db8::5]:4711", proxies), "2001:db8::5")
  t.equal(clientAddress("::1", "192.0.2.1:4711", proxies), "192.0.2.1")
  t.equal(clientAddress("::1", "2001:db8::5:80", proxies), "2001:db8::5:80", "no port")
  t.equal(clientAddress("::1", "x[2001:db8::5]", proxies), "::1")
  t.equal(clientAddress("::1", "[2001:db8::5]x", proxies), "::1")
  t.end()
})
