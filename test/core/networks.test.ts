import t from "tap"
import {
  clientAddress,
  isLoopback,
  isWithin,
  networkMeant,
  networkOf,
  Networks,
  networksOf,
} from "../../core/networks.ts"

t.test("isWithin supports IPv4, IPv6 and IPv4 in IPv6, and leaves out the zone of an address", (t) => {
  const networks = "192.0.2.0/24,2001:db8::/32,198.51.100.7,fe80::/10"
  const inside = [
    "192.0.2.1",
    "::ffff:192.0.2.255",
    "2001:DB8:1::1",
    "198.51.100.7",
    "fe80::1%eth0",
  ]
  const outside = ["192.0.3.1", "2001:db9::1", "198.51.100.8", "unknown", "", "fec0::1%eth0"]
  for (const address of [...inside, ...outside]) {
    t.equal(isWithin(networks, address), inside.includes(address), address)
  }
  t.equal(clientAddress("fe80::1%eth0", undefined, new Networks([])), "fe80::1")
  t.end()
})

t.test("isLoopback is true only for what reaches this machine alone", (t) => {
  const local = ["localhost", "127.0.0.1", "127.255.0.9", "::1", "[::1]", "LOCALHOST"]
  const others = [
    ...[
      "127.999.1.1",
      "127.0.0.1.example",
      "localhost.example",
      "notlocalhost",
      "0.0.0.0",
      "::",
      "",
    ],
    "128.0.0.1",
  ]
  t.strictSame([...local, ...others].filter(isLoopback), local)
  t.end()
})

t.test("Networks rejects text that is not a network", (t) => {
  for (const text of ["", "10.0.0.0/33", "10.0.0/8", "::/129", "10.0.0.0/8/8", "10.0.0.0/", "x"]) {
    t.throws(() => new Networks([text]), { name: "NetworkError" }, text)
  }
  t.end()
})

t.test("Networks rejects, if they have to be exact, those with bits behind their length, and says what they mean", (t) => {
  const meant = {
    "10.0.0.1/8": "10.0.0.0/8",
    "10.1.2.3/12": "10.0.0.0/12",
    "192.0.2.129/25": "192.0.2.128/25",
    "1.2.3.4/0": "0.0.0.0/0",
    "2001:db8:ff::1/33": "2001:db8::/33",
    "::ffff:10.0.0.1/104": "::ffff:a00:0/104",
    "64:ff9b::192.0.2.1/112": "64:ff9b::c000:0/112",
    "fe80::1%eth0/10": "fe80::/10",
  }
  for (const [text, network] of Object.entries(meant)) {
    const message = `${text} has bits after its prefix: write it as ${network}.`
    t.throws(() => new Networks([text], "exact"), { name: "NetworkError", message })
    t.doesNotThrow(() => new Networks([network], "exact"), network)
    t.doesNotThrow(() => new Networks([text]), "what is stored stays readable")
    t.strictSame([networkMeant(text), networkMeant(network)], [network, network])
    t.ok(isWithin(network, text.replace(/(%.*)?\/.*/, "")), text)
  }
  for (const text of ["10.0.0.1", "10.0.0.1/32", "::1", "2001:DB8:0:0::/32", "2001:db8::1/128"]) {
    t.doesNotThrow(() => new Networks([text], "exact"), text)
  }
  t.end()
})

t.test("networksOf returns the networks of an address that one caller may control", (t) => {
  t.strictSame(networksOf("::ffff:192.0.2.1"), ["192.0.2.0/24", "192.0.2.1"])
  t.strictSame(networksOf("2001:0DB8:0:12ff::1%eth0"), [
    "2001:db8:0::/48",
    "2001:db8:0:1200::/56",
    "2001:db8:0:12ff::/64",
  ])
  t.strictSame(networksOf("unknown"), ["unknown"])
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
  const proxies = new Networks(["10.0.0.0/8", "::1"])
  t.equal(clientAddress("10.0.0.1", "192.0.2.1", new Networks([])), "10.0.0.1", "off by default")
  const rows: [address: string, forwarded: string | undefined, expected: string][] = [
    ["10.0.0.1", "192.0.2.1", "192.0.2.1"],
    ["::ffff:10.0.0.1", "9.9.9.9, 192.0.2.1, 10.0.0.2", "192.0.2.1"],
    ["192.0.2.9", "192.0.2.1", "192.0.2.9"],
    ["10.0.0.1", "192.0.2.1, rubbish", "10.0.0.1"],
    ["10.0.0.1", undefined, "10.0.0.1"],
    ["::1", "[2001:db8::5]:4711", "2001:db8::5"],
    ["::1", "192.0.2.1:4711", "192.0.2.1"],
    ["::1", "2001:db8::5:80", "2001:db8::5:80"],
    ["::1", "x[2001:db8::5]", "::1"],
    ["::1", "[2001:db8::5]x", "::1"],
  ]
  for (const [address, forwarded, expected] of rows) {
    t.equal(clientAddress(address, forwarded, proxies), expected, `${forwarded} by ${address}`)
  }
  t.end()
})
