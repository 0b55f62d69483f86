import t from "tap"
import { isPublic } from "../../../../plugins/capabilities/ping/addresses.ts"
import { startPosterProcess } from "../../../support/ping/posters.ts"
import { startNameServer } from "../../../support/ping/name-server.ts"
import { startPoster } from "../../../support/ping/posters.ts"
import { withoutRuntime } from "../../../support/runtimes.ts"

/** Addresses that no receiver may have, with what they are. */
const refused: readonly [address: string, what: string][] = [
  ["0.0.0.0", "this network"],
  ["0.255.255.255", "this network"],
  ["10.0.0.0", "private"],
  ["10.255.255.255", "private"],
  ["100.64.0.0", "shared by customers of a provider"],
  ["100.100.100.200", "metadata of Alibaba"],
  ["100.127.255.255", "shared by customers of a provider"],
  ["127.0.0.1", "loopback"],
  ["127.255.255.255", "loopback"],
  ["168.63.129.16", "services of Azure"],
  ["169.254.0.1", "link-local"],
  ["169.254.169.254", "metadata"],
  ["169.254.170.2", "metadata of containers"],
  ["172.16.0.0", "private"],
  ["172.31.255.255", "private"],
  ["192.0.0.1", "protocols"],
  ["192.0.0.192", "metadata of Oracle"],
  ["192.0.2.1", "documentation"],
  ["192.31.196.1", "AS112"],
  ["192.52.193.1", "AMT"],
  ["192.88.99.1", "6to4 relays"],
  ["192.168.0.1", "private"],
  ["192.168.255.255", "private"],
  ["192.175.48.1", "AS112"],
  ["198.18.0.0", "benchmarks"],
  ["198.19.255.255", "benchmarks"],
  ["198.51.100.1", "documentation"],
  ["203.0.113.1", "documentation"],
  ["224.0.0.1", "multicast"],
  ["239.255.255.250", "multicast"],
  ["240.0.0.1", "reserved"],
  ["255.255.255.255", "broadcast"],
  ["::", "unspecified"],
  ["::1", "loopback"],
  ["::127.0.0.1", "loopback, compatible"],
  ["::8.8.8.8", "public, compatible"],
  ["::ffff:127.0.0.1", "loopback, mapped"],
  ["::ffff:8.8.8.8", "public, mapped"],
  ["::ffff:7f00:1", "loopback, mapped"],
  ["::ffff:0:127.0.0.1", "translated"],
  ["64:ff9b::127.0.0.1", "loopback by NAT64"],
  ["64:ff9b::a9fe:a9fe", "metadata by NAT64"],
  ["64:ff9b:1::1", "NAT64 of a network"],
  ["100::1", "discarded"],
  ["2001::1", "Teredo"],
  ["2001:0:7f00:1::", "Teredo"],
  ["2001:2::1", "benchmarks"],
  ["2001:10::1", "ORCHID"],
  ["2001:20::1", "ORCHIDv2"],
  ["2001:1ff:ffff::1", "protocols"],
  ["2001:db8::1", "documentation"],
  ["2002:7f00:1::", "loopback by 6to4"],
  ["2002:a9fe:a9fe::1", "metadata by 6to4"],
  ["2620:4f:8000::1", "AS112"],
  ["3fff::1", "documentation"],
  ["3fff:fff:ffff::1", "documentation"],
  ["4000::1", "reserved"],
  ["5f00::1", "segment routing"],
  ["fc00::1", "unique local"],
  ["fd00:ec2::254", "metadata of Amazon"],
  ["fd20:ce::254", "metadata of Google"],
  ["fe80::1", "link-local"],
  ["fe80::1%eth0", "link-local with a zone"],
  ["2600::1%eth0", "public with a zone"],
  ["fec0::1", "site-local"],
  ["ff02::1", "multicast"],
  ["ff0e::1", "multicast"],
  ["", "nothing"],
  ["127.1", "no address"],
  ["localhost", "a name"],
  ["0x7f000001", "a number"],
]

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
  for (const [address, what] of refused) t.notOk(isPublic(address), `${address}: ${what}`)
  for (const address of accepted) t.ok(isPublic(address), address)
})

t.test("Deno judges addresses in the same way", { skip: withoutRuntime("deno") }, async (t) => {
  const { call } = await startPosterProcess(t, "deno", { options: { ports: [], loopback: false } })
  for (const [address] of refused) t.notOk(await call({ isPublic: address }), address)
  for (const address of accepted) t.ok(await call({ isPublic: address }), address)
})

for (const runtime of ["node", "deno"] as const) {
  t.test(`names of such addresses are refused on ${runtime}`, {
    skip: withoutRuntime(runtime),
  }, async (t) => {
    const addresses = refused.map(([address]) => address).filter((address) =>
      /^[\d.]+$|:/.test(address) && !address.includes("%") && address !== "127.1"
    )
    const recordOf = (address: string) =>
      address.includes(":") ? { aaaa: [address] } : { a: [address] }
    const server = await startNameServer(t, (name) => {
      const [first = "", kind] = name.split(".")
      const address = addresses[Number(first.slice(1))]
      if (address === undefined) return undefined
      if (kind === "alone") return recordOf(address)
      if (kind === "alias") return { alias: `${first}.alone.example.org` }
      if (kind === "chain") return { alias: `${first}.alias.example.org` }
      // Beside an address that nobody would refuse.
      if (address.includes(":")) return { a: ["9.9.9.9"], aaaa: ["2600::1", address] }
      return { a: ["9.9.9.9", address], aaaa: ["2600::1"] }
    })
    const options = { ports: [], loopback: false, nameServers: [server.address] }
    const { post } = await startPoster(t, runtime, options)
    for (const [index, address] of addresses.entries()) {
      for (const kind of ["alone", "alias", "chain", "beside"]) {
        const outcome = await post(`https://a${index}.${kind}.example.org/`)
        t.same(outcome, { failed: "refused_address" }, `${kind}: ${address}`)
      }
    }
    t.same(await post("https://nobody.example.org/"), { failed: "no_address" })
    t.ok(server.questions.includes("A a0.alone.example.org"), "the name server was asked")
  })
}
