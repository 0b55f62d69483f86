import { networkMeant, Networks } from "../../../core/accounts.ts"
import { type Config, isLoopback, partnerUrl, type Warning } from "../../../core/capability.ts"

/** Finds what is wrong with where the service listens and whom it trusts. */
export function findServerWarnings({ server }: Pick<Config, "server">): Warning[] {
  const isProxied = server.publicUrl?.startsWith("https:") === true
  const url = partnerUrl(server)
  const warnings = [
    isProxied && server.trust_proxy.length === 0 && {
      about: "server.trust_proxy",
      message:
        "server.public_url is https, so a proxy is in front, but none is trusted: limits per address, " +
        "networks of grants and the audit log take the proxy's address for everyone's. List the " +
        "networks of the proxy, such as [127.0.0.1/32]",
    },
    coverMost(server.trust_proxy) && {
      about: "server.trust_proxy",
      message:
        "it covers most addresses, so a client can pass for any address with X-Forwarded-For: limits " +
        "per address and networks of grants do not hold. List only the networks of the proxies",
    },
    ...server.trust_proxy.flatMap((network) => {
      const meant = networkMeant(network)
      return meant === network ? [] : [{
        about: "server.trust_proxy",
        message: `${network} has bits after its prefix, and means ${meant}. Write that, or only ` +
          `the address before the slash if one proxy is meant`,
      }]
    }),
    isPlain(url) && {
      about: "server.public_url",
      message:
        `partners use plain http (${url}): passwords, cookies and personal data can be read on the ` +
        `way. Put a proxy with TLS in front, and set the https:// URL`,
    },
  ]
  return warnings.filter((each) => each !== false)
}

function isPlain(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === "http:" && !isLoopback(hostname)
}

/** Returns true if the networks have at least half of all IPv4 or of all public IPv6 addresses. */
function coverMost(networks: readonly string[]): boolean {
  const trusted = new Networks(networks)
  const samples = [
    Array.from({ length: 256 }, (_, n) => `${n}.37.201.113`),
    Array.from({ length: 32 }, (_, n) => `${(0x2000 + 0x100 * n).toString(16)}:db8::1`),
  ]
  return samples.some((addresses) =>
    addresses.filter((address) => trusted.includes(address)).length >= addresses.length / 2
  )
}
