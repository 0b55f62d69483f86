import type { Resolver } from "node:dns/promises"
import t from "tap"
import {
  isLoopback,
  isPublic,
  resolveAddresses,
} from "../../../../plugins/capabilities/ping/addresses.ts"

/** Addresses that no receiver may have, by what they are: the first and last of a network, and well-known ones. */
const refused: Readonly<Record<string, readonly string[]>> = {
  "this network": ["0.0.0.0", "0.255.255.255"],
  "private": ["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255"],
  "private, too": ["192.168.0.1", "192.168.255.255"],
  "shared by customers of a provider": ["100.64.0.0", "100.100.100.200", "100.127.255.255"],
  "loopback": ["127.0.0.1", "127.255.255.255", "::1"],
  "services of Azure": ["168.63.129.16"],
  "link-local, such as metadata": ["169.254.0.1", "169.254.169.254", "169.254.170.2"],
  "protocols, such as metadata of Oracle": ["192.0.0.1", "192.0.0.192"],
  "documentation": ["192.0.2.1", "198.51.100.1", "203.0.113.1"],
  "AS112, AMT and 6to4 relays": ["192.31.196.1", "192.52.193.1", "192.88.99.1", "192.175.48.1"],
  "benchmarks": ["198.18.0.0", "198.19.255.255"],
  "multicast, reserved and broadcast": ["224.0.0.1", "239.255.255.250", "240.0.0.1"],
  "broadcast": ["255.255.255.255"],
  "unspecified": ["::"],
  "IPv4, compatible": ["::127.0.0.1", "::8.8.8.8"],
  "IPv4, mapped": ["::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:7f00:1", "::ffff:0:127.0.0.1"],
  "IPv4 by NAT64": ["64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1"],
  "discarded": ["100::1"],
  "Teredo and other protocols": ["2001::1", "2001:2::1", "2001:20::1", "2001:1ff:ffff::1"],
  "documentation of IPv6": ["2001:db8::1", "3fff::1", "3fff:fff:ffff::1"],
  "IPv4 by 6to4": ["2002:7f00:1::", "2002:a9fe:a9fe::1"],
  "AS112 of IPv6": ["2620:4f:8000::1"],
  "outside of global unicast": ["4000::1", "5f00::1"],
  "unique local, such as metadata of Amazon": ["fc00::1", "fd00:ec2::254", "fd20:ce::254"],
  "link-local and site-local": ["fe80::1", "fec0::1"],
  "with a zone": ["fe80::1%eth0", "2600::1%eth0"],
  "multicast of IPv6": ["ff02::1", "ff0e::1"],
  "no address": ["", "127.1", "localhost", "0x7f000001"],
}

/** Addresses of the Internet, beside those that are not. */
const accepted = [
  ...["1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255"],
  ...["128.0.0.0", "168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0"],
  ...["172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.167.255.255", "192.169.0.0"],
  ...["198.17.255.255", "198.20.0.0", "203.0.112.255", "203.0.114.0", "223.255.255.255"],
  ...["2001:200::1", "2001:4860:4860::8888", "2001:db7::1", "2001:db9::1", "2003::1", "2600::1"],
  ...["2620:4f:8001::1", "2a00:1450:4001::1", "3ffe::1", "3fff:1000::1"],
]

t.test("addresses that are not of the Internet are refused", async (t) => {
  for (const [what, addresses] of Object.entries(refused)) {
    for (const address of addresses) t.notOk(isPublic(address), `${address}: ${what}`)
  }
  for (const address of accepted) t.ok(isPublic(address), address)
  for (const address of ["127.0.0.1", "127.255.255.255", "::1"]) t.ok(isLoopback(address), address)
  for (const address of ["126.0.0.1", "128.0.0.1", "::2", "10.0.0.1"]) {
    t.notOk(isLoopback(address), address)
  }
})

/** Returns what is found of a host with these addresses. A protocol that has none fails. */
function find(
  { a, aaaa }: { readonly a?: readonly string[]; readonly aaaa?: readonly string[] },
  { host = "hooks.example.org", loopback = false } = {},
) {
  const answer = async (addresses: readonly string[] | undefined) => {
    if (!addresses) throw new Error("ETIMEOUT")
    return addresses
  }
  const resolver = { resolve4: () => answer(a), resolve6: () => answer(aaaa) }
  return resolveAddresses(host, { resolver: resolver as unknown as Resolver, loopback })
}

t.test("a name with such an address is refused, also beside others", async (t) => {
  for (const address of Object.values(refused).flat()) {
    const isOld = !address.includes(":")
    t.equal(await find(isOld ? { a: [address] } : { aaaa: [address] }), "refused_address", address)
    const both = { a: ["9.9.9.9"], aaaa: ["2600::1"] }
    const beside = isOld
      ? { ...both, a: [...both.a, address] }
      : { ...both, aaaa: [...both.aaaa, address] }
    t.equal(await find(beside), "refused_address", `beside ${address}`)
  }
  t.equal(await find({}), "no_address")
  t.equal(await find({ a: [], aaaa: [] }), "no_address")
})

t.test("three addresses are tried, one of each protocol first, and one protocol will do", async (t) => {
  const [a, aaaa] = [["1.1.1.1", "1.1.1.2", "1.1.1.3"], ["2600::1", "2600::2"]]
  t.strictSame(await find({ a, aaaa }), ["1.1.1.1", "2600::1", "1.1.1.2"])
  t.strictSame(await find({ a }), a)
  t.strictSame(await find({ aaaa }), ["2600::1"])
})

t.test("loopback is found for demonstrations only", async (t) => {
  const loopback = true
  t.equal(await find({ a: ["127.0.0.1"] }), "refused_address")
  t.strictSame(await find({ a: ["127.0.0.1"] }, { loopback }), ["127.0.0.1"])
  t.equal(await find({ a: ["127.0.0.1", "10.0.0.1"] }, { loopback }), "refused_address")
  const hosts = { "localhost": ["127.0.0.1", "::1"], "[::1]": ["::1"], "127.0.0.2": ["127.0.0.2"] }
  for (const [host, addresses] of Object.entries(hosts)) {
    t.strictSame(await find({}, { host, loopback }), addresses, host)
    t.equal(await find({}, { host }), "no_address", host)
  }
})
